import Glibc
import Synchronization

/// A question to the person at the terminal, which is given up when the server stops, and withdrawn when it is about nothing any more.
final class TerminalQuestion: Sendable {
    private static let lookMilliseconds: Int32 = 100
    private static let answerBytesMax = 1_024

    private let isOver = Atomic(false)
    /// True if something has happened that may withdraw the question.
    private let hasNews = Atomic(false)

    /// True if somebody can be asked.
    static var isPossible: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Gives up the one that is asked, and every later one.
    func giveUp() { isOver.store(true, ordering: .relaxed) }

    /// Has an open question check whether it is outdated.
    func lookAgain() { hasNews.store(true, ordering: .relaxed) }

    /// Asks, and waits for a line. Anything but yes is no. Not on a loop.
    ///
    /// - Parameter isOutdated: whether the question is about nothing any more; looked at after `lookAgain`.
    func isConfirmed(_ question: String, _ output: CommandOutput, isOutdated: () -> Bool = { false }) -> Bool {
        // What was typed before is no answer.
        tcflush(0, TCIFLUSH)
        output.report("\(question) [y/N]")
        var answer: [UInt8] = []
        while !isOver.load(ordering: .relaxed), answer.count < Self.answerBytesMax {
            if hasNews.exchange(false, ordering: .relaxed), isOutdated() {
                output.report("The project has changed again, so this question is withdrawn.")
                return false
            }
            var terminal = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            guard poll(&terminal, 1, Self.lookMilliseconds) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
            answer.append(byte)
        }
        let word = String(decoding: answer, as: UTF8.self).lowercased()
        return word.utf8.elementsEqual("y".utf8) || word.utf8.elementsEqual("yes".utf8)
    }
}
