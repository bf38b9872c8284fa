import Engine
import JSON

/// Writes a line for each request, and for each operation that a WebSocket or an event stream carries. Each event loop has its own, with a buffer that is used again and again.
///
/// Hot path: no allocation a request once the buffer has grown.
package struct AccessLog {
    /// The line about a request that has been answered. Hot path: it is handed on, never copied.
    package struct Entry: ~Copyable {
        package var method: String
        /// The path as it was sent. A query is cut off: it can hold credentials.
        package var target: String
        package var status: Int
        /// The bytes of the answer, head and body.
        package var bytes: Int
        package var nanoseconds: UInt64
        /// The operation; nil for other routes.
        var operation: OperationSummary?
        /// The transport of the operation, where it is not HTTP alone.
        var carrier: String?
        /// True if the request came by HTTP/2.
        var isHTTP2 = false
        /// The operation of a service that the request calls, by its field `x-amz-target`.
        var action: String?
        /// Why the request was refused, where that is known.
        var reason: String?
        /// The client's address and the subject of its token, where they are logged.
        var client: String?
        var subject: String?
        /// The trace that the request belongs to (W3C Trace Context).
        var trace: String?

        package init(method: String, target: String, status: Int, bytes: Int, nanoseconds: UInt64) {
            self.method = method
            self.target = target
            self.status = status
            self.bytes = bytes
            self.nanoseconds = nanoseconds
        }
    }

    /// The names of operations by their numbers.
    var operations: [RootFields.Entry]
    private let queue: LogQueue
    private let style: LogStyle
    /// True if requests are logged at all.
    package let isWanted: Bool
    /// True if the line of an operation names its method and path, too.
    let namesTargets: Bool
    private var line: [UInt8] = []
    /// How lines of this second begin.
    private var start: (seconds: Int64, text: [UInt8])?

    package init(_ log: Log, _ settings: LogSettings, operations: [RootFields.Entry] = []) {
        self.operations = operations
        queue = log.queue
        style = log.style
        namesTargets = log.style.format == .json
        isWanted = settings.requests && log.level <= .info
    }

    /// Writes the line of a request.
    ///
    /// - Parameter identifier: appends the request's id, in plain ASCII.
    package mutating func record(
        _ entry: borrowing Entry, at time: Timestamp = .now, identifier: (inout [UInt8]) -> Void
    ) {
        guard isWanted else { return }
        line.removeAll(keepingCapacity: true)
        writeStart(at: time)
        switch style.format {
        case .text: writeText(entry, identifier)
        case .json: writeJSON(entry, identifier)
        }
        LogLine.end(style, to: &line)
        queue.append(line, .little)
    }

    /// Lines of one second differ in their milliseconds alone.
    private mutating func writeStart(at time: Timestamp) {
        if let start, start.seconds == time.seconds {
            line.append(contentsOf: start.text)
            LogLine.setMilliseconds(time.milliseconds, style, in: &line)
            return
        }
        LogLine.start(.info, at: time, style, to: &line)
        start = (time.seconds, line)
    }

    private mutating func writeText(_ entry: borrowing Entry, _ identifier: (inout [UInt8]) -> Void) {
        if let operation = entry.operation {
            let known = self.entry(operation)
            Self.write(operation, known, entry, style, to: &line)
            return writeEnd(entry, identifier)
        }
        LogLine.writePlain(entry.method, to: &line)
        line.append(UInt8(ascii: " "))
        LogLine.writePlain(Self.path(of: entry.target), to: &line)
        line.append(UInt8(ascii: " "))
        if style.hasColours { LogLine.append(Self.colour(of: entry.status), to: &line) }
        JSONWriter.writeInteger(Int64(entry.status), to: &line)
        if style.hasColours { LogLine.append(Self.plain, to: &line) }
        line.append(UInt8(ascii: " "))
        // How much was sent comes first where there is no operation, what took how long where there is one.
        JSONWriter.writeInteger(Int64(entry.bytes), to: &line)
        LogLine.append("B ", to: &line)
        Self.writeMilliseconds(entry.nanoseconds, to: &line)
        LogLine.append("ms ", to: &line)
        writeEnd(entry, identifier)
    }

    /// The identifier, and what few lines have behind it.
    private mutating func writeEnd(_ entry: borrowing Entry, _ identifier: (inout [UInt8]) -> Void) {
        identifier(&line)
        if let carrier = entry.carrier {
            LogLine.append(" over=", to: &line)
            LogLine.writePlain(carrier, to: &line)
        }
        if entry.isHTTP2 { LogLine.append(" over=HTTP/2", to: &line) }
        writeName(" action=", entry.action)
        writeName(" client=", entry.client)
        writeName(" sub=", entry.subject)
        writeName(" trace=", entry.trace)
        guard let reason = entry.reason else { return }
        LogLine.append(" reason=", to: &line)
        JSONWriter.writeString(Self.cut(reason), to: &line)
    }

    private mutating func writeName(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        LogLine.append(name, to: &line)
        LogLine.writePlain(Self.cut(text), to: &line)
    }

    private mutating func writeMember(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        LogLine.append(name, to: &line)
        JSONWriter.writeString(Self.cut(text), to: &line)
    }

    private mutating func writeJSON(_ entry: borrowing Entry, _ identifier: (inout [UInt8]) -> Void) {
        if let carrier = entry.carrier {
            LogLine.append("\"request\",\"over\":", to: &line)
            JSONWriter.writeString(carrier, to: &line)
        } else {
            LogLine.append("\"request\",\"method\":", to: &line)
            JSONWriter.writeString(entry.method, to: &line)
            LogLine.append(",\"path\":", to: &line)
            JSONWriter.writeString(Self.path(of: entry.target), to: &line)
            if entry.isHTTP2 { LogLine.append(",\"over\":\"HTTP/2\"", to: &line) }
        }
        if let operation = entry.operation {
            let known = self.entry(operation)
            Self.writeJSON(operation, known, to: &line)
        }
        if let reason = entry.reason {
            LogLine.append(",\"reason\":", to: &line)
            JSONWriter.writeString(Self.cut(reason), to: &line)
        }
        writeMember(",\"action\":", entry.action)
        writeMember(",\"client\":", entry.client)
        writeMember(",\"sub\":", entry.subject)
        writeMember(",\"trace\":", entry.trace)
        LogLine.append(",\"status\":", to: &line)
        JSONWriter.writeInteger(Int64(entry.status), to: &line)
        LogLine.append(",\"bytes\":", to: &line)
        JSONWriter.writeInteger(Int64(entry.bytes), to: &line)
        LogLine.append(",\"milliseconds\":", to: &line)
        Self.writeMilliseconds(entry.nanoseconds, to: &line)
        LogLine.append(",\"requestId\":\"", to: &line)
        identifier(&line)
        line.append(UInt8(ascii: "\""))
    }

    private static func path(of target: String) -> String {
        let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.utf8.endIndex
        let path = target.utf8[..<end]
        guard path.count > LogLimits.pathBytesMax else {
            return end == target.utf8.endIndex ? target : String(decoding: path, as: UTF8.self)
        }
        return String(decoding: path.prefix(LogLimits.pathBytesMax), as: UTF8.self) + "..."
    }

    /// A reason may quote what a client has sent.
    private static func cut(_ reason: String) -> String { reason.shortened(to: LogLimits.pathBytesMax, "...") }

    /// Milliseconds with three digits of their fraction.
    private static func writeMilliseconds(_ nanoseconds: UInt64, to line: inout [UInt8]) {
        let microseconds = nanoseconds / 1_000
        JSONWriter.writeInteger(Int64(clamping: microseconds / 1_000), to: &line)
        line.append(UInt8(ascii: "."))
        for scale: UInt64 in [100, 10, 1] {
            line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: microseconds / scale % 10))
        }
    }

    /// Ends a colour.
    static let plain: StaticString = "\u{1B}[0m"

    static func colour(of status: Int) -> StaticString {
        switch status {
        case ..<300: "\u{1B}[32m"
        case ..<400: "\u{1B}[36m"
        case ..<500: "\u{1B}[33m"
        default: "\u{1B}[31m"
        }
    }
}
