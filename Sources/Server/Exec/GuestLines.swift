import CSystem
import Glibc
import JSON
import Network
import Synchronization

/// A program in the place of a command: it has started `homeport exec --stdio`, and speaks with it in lines of JSON.
///
///     ◀─ {"url": …, "testKey": …, "outputs": {…}, "variables": {…}}     once, when requests are served
///     ─▶ {"adopt": {…}}                                                  a world takes its state
///     ◀─ {"adopted": true}, or {"error": "…"}
///     ─▶ the end of the input                                            the end of the server
///
/// The system ends the input when that program ends, however it ends: no server is left behind.
final class GuestLines: Sendable {
    /// The longest line: a greeting has the file that clients load, with all models.
    static let lineBytesMax = 8 << 20
    private static let chunkBytes = 64 << 10
    /// The time between two looks of a world that does not rest at whether it is still used.
    private static let idleCheckMilliseconds: Int32 = 5_000
    /// The same for the first time behind a line, or behind a use that has ended a rest.
    private static let restMilliseconds: Int32 = 1_500

    /// The answer of the server to a line, its work when none comes, and whether it should end by itself.
    struct Answers {
        let answer: (JSONValue) -> JSONValue
        /// Gives memory back.
        ///
        /// - Parameter whenUsed: called when the server is used again.
        let rest: (_ whenUsed: @escaping @Sendable () -> Void) -> Rest
        let isOver: () -> Bool
    }

    /// A rest of a server that nobody uses.
    enum Rest {
        /// It is used, or is none that rests.
        case none
        /// It has given memory back, and nobody need look for so long unless it is used.
        case rested(forMilliseconds: Int32)
    }

    private let input: Int32
    /// Written to when a signal asks for the end, and when a server is used that rests.
    private let wakeUp = homeport_eventfd()
    private let isEnded = Atomic<Bool>(false)

    /// - Parameter input: where lines come from.
    init(from input: Int32 = 0) { self.input = input }

    deinit { if wakeUp >= 0 { close(wakeUp) } }

    /// Has `serve` return.
    func end() {
        isEnded.store(true, ordering: .releasing)
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    /// Prints where the server is, and answers lines until the input ends, the server is idle for too long, or a signal asks for the
    /// end.
    ///
    /// - Parameter greeting: made here, so that nothing of it is there for as long as the server.
    func serve(_ greeting: @autoclosure () -> JSONValue, _ output: CommandOutput, _ answers: Answers) {
        output.print(Self.text(greeting()))
        var bytes: [UInt8] = []
        while let line = next(in: &bytes, answers) {
            guard let order = try? JSONReader.value(of: line) else {
                output.print(Self.text(["error": "The line is no JSON."]))
                continue
            }
            output.print(Self.text(answers.answer(order)))
        }
    }

    /// The next line; nil: there is none any more.
    private func next(in bytes: inout [UInt8], _ answers: Answers) -> [UInt8]? {
        var wait = Self.restMilliseconds
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(bytes[..<end])
                bytes.removeSubrange(...end)
                return line
            }
            guard bytes.count <= Self.lineBytesMax else { return nil }
            var watched = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), wait)
            if count < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            if watched[1].revents != 0 {
                guard !isEnded.load(ordering: .acquiring) else { return nil }
                var uses: UInt64 = 0
                _ = Glibc.read(wakeUp, &uses, MemoryLayout<UInt64>.size)
                wait = Self.restMilliseconds
            }
            if answers.isOver() { return nil }
            if watched[0].revents != 0, !read(into: &bytes) { return nil }
            if count == 0 { wait = rest(answers) }
        }
    }

    /// Gives memory back where nobody uses the server; says how long to wait then.
    private func rest(_ answers: Answers) -> Int32 {
        switch answers.rest({ [weak self] in self?.wake() }) {
        case .none: return Self.idleCheckMilliseconds
        case .rested(let milliseconds):
            homeport_give_memory_back()
            // As the last of all: code that runs behind it would come back.
            StartPages.release()
            return milliseconds
        }
    }

    /// Returns false at the end of the input.
    private func read(into bytes: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = Glibc.read(input, &chunk, chunk.count)
        if count > 0 { bytes += chunk[..<count] }
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
    }

    /// Where the server is: what the variables of a command say, of which those are named that differ, and the key of tests.
    ///
    /// - Parameters:
    ///   - variables: those that a command would find.
    ///   - own: those of this process. One that a command would not find is null.
    ///   - outputs: the file that clients load.
    static func greeting(_ variables: [String: String], over own: [String: String], outputs: [UInt8]?) -> JSONValue {
        var changed = JSONObject()
        for name in Set(variables.keys).union(own.keys).sorted() {
            let (value, former) = (variables[name], own[name])
            let isSame = value.map { ByteText($0) } == former.map { ByteText($0) }
            // A world has the key in its environment, and those who speak with it do not.
            if isSame, ByteText(name) != ByteText(TestKey.variable) { continue }
            changed.set(name, to: value.map { .string($0) } ?? .null)
        }
        func text(_ name: String) -> JSONValue { variables[name].map { .string($0) } ?? .null }
        return [
            "url": text(ExecCommand.addressVariable), "testKey": text(TestKey.variable),
            "apiKey": text(ExecCommand.keyVariable), "process": .integer(Int64(getpid())),
            "outputs": outputs.flatMap { try? JSONReader.value(of: $0) } ?? .null, "variables": .object(changed),
        ]
    }
}
