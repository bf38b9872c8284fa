import JSON

/// Where log lines are written to, from any thread: formats a line and puts it into the queue of the writer.
///
///     Log, AccessLog ──▶ LogLine ──▶ LogQueue ──▶ writer thread ──▶ standard error
///
/// Writing to a full pipe or a slow disk blocks; an event loop must not. So a line is only copied into a bounded
/// queue, and what does not fit is dropped and counted.
///
/// Never in a log: keys, tokens, passwords, headers, bodies, and the query of a URL (a WebSocket's has credentials).
package struct Log: Sendable {
    package let level: LogLevel
    let style: LogStyle
    let queue: LogQueue

    package init(_ settings: LogSettings, to queue: LogQueue, hasColours: Bool = false) {
        level = settings.level
        style = LogStyle(format: settings.format, hasColours: hasColours)
        self.queue = queue
    }

    /// Lines that did not fit into the queue.
    package var droppedLines: Int { queue.droppedCount }

    package func debug(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, JSONValue> = [:]
    ) {
        guard level == .debug else { return }
        write(.debug, message, fields())
    }

    /// For rooms that make no text unless somebody reads it: nil where `debug` is not logged.
    package var trace: (@Sendable (String) -> Void)? {
        guard level == .debug else { return nil }
        return { debug($0) }
    }

    package func info(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, JSONValue> = [:]) {
        write(.info, message, fields)
    }

    package func warning(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, JSONValue> = [:]) {
        write(.warning, message, fields)
    }

    package func error(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, JSONValue> = [:]) {
        write(.error, message, fields)
    }

    private func write(
        _ level: LogLevel, _ message: () -> String, _ fields: KeyValuePairs<String, JSONValue>
    ) {
        guard level >= self.level else { return }
        append(level, message(), fields)
    }

    /// The part that every call shares. Inlined with the test of the level, it would stand in the program a hundred times.
    @inline(never)
    private func append(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, JSONValue>) {
        var line: [UInt8] = []
        LogLine.write(level, message, fields, at: .now, style, to: &line)
        queue.append(line, level >= .warning ? .urgent : .usual)
    }
}

/// How lines are written: the format, and whether for a terminal that shows colours.
struct LogStyle: Sendable {
    let format: LogFormat
    let hasColours: Bool
}

/// The limits of logging: the one table of this folder.
package enum LogLimits {
    /// What may wait to be written. More is dropped and counted.
    package static let queueBytesMax = 1 << 20
    /// The longest line; what is longer is cut.
    package static let lineBytesMax = 8 << 10
    /// The longest part of a request's path that is shown.
    package static let pathBytesMax = 1 << 10
    /// How long lines may be gathered before they are written together.
    package static let gatherMilliseconds = 5
    /// The same for the lines of requests, when no other line waits: a server with some hundred requests a second pays for
    /// few wake-ups.
    package static let gatherRequestsMilliseconds = 50
    /// How much gathered text is written at once, without waiting on.
    package static let gatherBytesMax = 64 << 10
    /// What is kept of the newest lines for somebody who looks, and for how long after they asked last.
    package static let tailLinesMax = 1_000
    /// The end of the log that is kept while nobody looks: some 200 lines of requests.
    static let unreadBytesMax = 32 << 10
    package static let tailBytesMax = 256 << 10
    package static let tailMilliseconds: Int64 = 60_000
    /// How long a stop waits for the last lines to be taken.
    package static let stopMilliseconds = 1_000
}
