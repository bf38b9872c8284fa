import JSON
import Synchronization

/// The newest lines of the log, for somebody who looks: kept from when they begin until a while after they asked last, or always
/// (`keepAlways`). The thread that writes the log fills it, so that nobody else pays for it.
package final class LogTail: Sendable {
    package struct Line: Sendable {
        /// Counts the lines that were kept since the start.
        package let number: Int64
        package let level: LogLevel?
        /// Without colours.
        package let text: String
    }

    private struct State {
        var lines: [Line] = []
        var bytes = 0
        var last: Int64 = 0
        /// In milliseconds of the monotonic clock.
        var askedAt: Int64 = 0
        /// The end of the log while nobody looks, as it was written: it is taken apart when somebody asks.
        var unread: [UInt8] = []
        var keepsUnread = false
    }

    /// Whether lines are taken: somebody looks, or some are kept for when somebody does.
    private let flag = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    /// Keeps the newest lines also while nobody looks.
    package func keepAlways() {
        state.withLock { state in
            state.keepsUnread = true
            flag.store(true, ordering: .relaxed)
        }
    }

    /// Whether anybody looks, or may look back.
    var isWanted: Bool { flag.load(ordering: .relaxed) }

    /// The lines behind one that is known, the newest of them. From now on there are some.
    package func lines(
        after number: Int64, max: Int, at now: Int64 = Timestamp.monotonicMilliseconds
    ) -> (lines: [Line], last: Int64) {
        state.withLock { state in
            if !state.unread.isEmpty {
                Self.take(state.unread, into: &state)
                state.unread = []
            }
            state.askedAt = now
            flag.store(true, ordering: .relaxed)
            return (Array(state.lines.drop { $0.number <= number }.suffix(max)), state.last)
        }
    }

    /// Takes lines, each with its end.
    func take(_ batch: [UInt8], at now: Int64 = Timestamp.monotonicMilliseconds) {
        state.withLock { state in
            let isAsked = state.askedAt > 0 && now - state.askedAt <= LogLimits.tailMilliseconds
            if isAsked {
                Self.take(batch, into: &state)
            } else if state.keepsUnread {
                Self.append(batch, to: &state.unread)
            } else {
                (state.lines, state.bytes) = ([], 0)
                flag.store(false, ordering: .relaxed)
            }
        }
    }

    /// Adds whole lines, and takes away the oldest when there are too many. Cheap: they are copied, and not looked at.
    private static func append(_ batch: [UInt8], to unread: inout [UInt8]) {
        // Not `suffix`: here it is that of a sequence, which looks at each byte.
        unread += batch[max(0, batch.count - LogLimits.unreadBytesMax)...]
        // Twice as many, so that the rest is seldom moved.
        guard unread.count > 2 * LogLimits.unreadBytesMax else { return }
        unread.removeFirst(unread.count - LogLimits.unreadBytesMax)
        let end = unread.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? unread.count
        unread.removeFirst(end)
    }

    private static func take(_ batch: [UInt8], into state: inout State) {
        for part in batch.split(separator: UInt8(ascii: "\n")).suffix(LogLimits.tailLinesMax) {
            state.last += 1
            let text = String(decoding: TerminalColours.removed(from: part), as: UTF8.self)
            state.lines.append(Line(number: state.last, level: level(of: text), text: text))
            state.bytes += text.utf8.count
        }
        var surplus = max(0, state.lines.count - LogLimits.tailLinesMax)
        state.bytes -= state.lines.prefix(surplus).reduce(0) { $0 + $1.text.utf8.count }
        while state.bytes > LogLimits.tailBytesMax, surplus < state.lines.count {
            state.bytes -= state.lines[surplus].text.utf8.count
            surplus += 1
        }
        state.lines.removeFirst(surplus)
    }

    /// The level stands behind the time in both formats; nil for the rest of a line that was cut.
    private static func level(of text: String) -> LogLevel? {
        let head = text.utf8.prefix(headBytesMax)
        return LogLevel.allCases.first { level in
            let words = ["\"level\":\"\(level.rawValue)\"", " \(level.rawValue.uppercased()) "]
            return words.contains { word in
                head.indices.contains { head[$0...].starts(with: word.utf8) }
            }
        }
    }

    /// Where a level stands at the latest.
    private static let headBytesMax = 80
}
