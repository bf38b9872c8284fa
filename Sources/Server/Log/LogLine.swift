import JSON
import Network

/// Writes the text of log lines. What comes from outside cannot break out of its line or steer a terminal: control
/// characters are escaped.
enum LogLine {
    static func write(
        _ level: LogLevel, _ message: String, _ fields: some Sequence<(key: String, value: JSONValue)>,
        at time: Timestamp, _ style: LogStyle, to line: inout [UInt8]
    ) {
        start(level, at: time, style, to: &line)
        switch style.format {
        case .text:
            writePlain(message, to: &line)
            for (key, value) in fields {
                line.append(UInt8(ascii: " "))
                line.append(contentsOf: key.utf8)
                line.append(UInt8(ascii: "="))
                if case .string(let text) = value, isPlain(text) {
                    line.append(contentsOf: text.utf8)
                } else {
                    JSONWriter.write(value, to: &line)
                }
            }
        case .json:
            JSONWriter.writeString(message, to: &line)
            for (key, value) in fields {
                line.append(UInt8(ascii: ","))
                JSONWriter.writeKey(key, to: &line)
                JSONWriter.write(value, to: &line)
            }
        }
        end(style, to: &line)
    }

    private static let dim: StaticString = "\u{1B}[2m"
    private static let jsonStart: StaticString = "{\"time\":\""

    /// The beginning of a line, up to its message.
    static func start(_ level: LogLevel, at time: Timestamp, _ style: LogStyle, to line: inout [UInt8]) {
        switch style.format {
        case .text:
            append(style.hasColours ? dim : "", to: &line)
            time.append(to: &line)
            append(style.hasColours ? "\u{1B}[0m " : " ", to: &line)
            append(style.hasColours ? colour(of: level) : "", to: &line)
            append(name(of: level), to: &line)
            append(style.hasColours ? "\u{1B}[0m " : " ", to: &line)
        case .json:
            append(jsonStart, to: &line)
            time.append(to: &line)
            append("\",\"level\":\"", to: &line)
            line.append(contentsOf: level.rawValue.utf8)
            append("\",\"message\":", to: &line)
        }
    }

    /// Of a time, up to its milliseconds: `2026-11-28T09:30:00.`
    private static let secondsBytes = 20

    /// Puts other milliseconds into a line that has only its beginning.
    static func setMilliseconds(_ milliseconds: Int, _ style: LogStyle, in line: inout [UInt8]) {
        let beforeTime: StaticString = style.format == .json ? jsonStart : style.hasColours ? dim : ""
        let place = beforeTime.utf8CodeUnitCount + secondsBytes
        guard place + 3 <= line.count else { return }
        var rest = milliseconds
        for digit in stride(from: place + 2, through: place, by: -1) {
            line[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    static func end(_ style: LogStyle, to line: inout [UInt8]) {
        mask(style, &line)
        if style.format == .json { line.append(UInt8(ascii: "}")) }
        if line.count >= LogLimits.lineBytesMax { cut(style, &line) }
        line.append(UInt8(ascii: "\n"))
    }

    /// Writes text without its control characters.
    static func writePlain(_ text: String, to line: inout [UInt8]) {
        let start = line.count
        line.append(contentsOf: text.utf8)
        for place in start..<line.count where line[place] < 0x20 || line[place] == 0x7F {
            line[place] = UInt8(ascii: "?")
        }
    }

    /// Takes out the characters beyond ASCII that steer how a terminal shows a line: controls (C1), and those that turn the direction of
    /// letters, by which one text looks like another. In JSON they stay as escapes.
    ///
    /// Hot path: nearly every line is ASCII.
    private static func mask(_ style: LogStyle, _ line: inout [UInt8]) {
        guard !line.withUnsafeBytes(HTTPFields.isASCII),
            var read = line.firstIndex(where: { steeringStarts.contains($0) })
        else { return }
        let original = line
        line.removeSubrange(read...)
        while read < original.count {
            guard let (code, count) = steering(original[read...]) else {
                line.append(original[read])
                read += 1
                continue
            }
            if style.format == .json {
                append("\\u", to: &line)
                let digits = String(code, radix: 16)
                line.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
                line.append(contentsOf: digits.utf8)
            } else {
                line.append(UInt8(ascii: "?"))
            }
            read += count
        }
    }

    private static let steeringStarts: [UInt8] = [0xC2, 0xD8, 0xE2]

    /// Such a character at the beginning of bytes, and how many it has.
    private static func steering(_ bytes: ArraySlice<UInt8>) -> (code: UInt16, count: Int)? {
        let start = Array(bytes.prefix(3))
        switch (start.first, start.count) {
        case (0xC2, 2...) where (0x80...0x9F).contains(start[1]): return (UInt16(start[1]), 2)
        case (0xD8, 2...) where start[1] == 0x9C: return (0x061C, 2)
        case (0xE2, 3):
            let code = 0x2000 | UInt16(start[1] & 0x3F) << 6 | UInt16(start[2] & 0x3F)
            let isSteering =
                (0x200E...0x200F).contains(code) || (0x2028...0x202E).contains(code) || (0x2066...0x2069).contains(code)
            return isSteering ? (code, 3) : nil
        default: return nil
        }
    }

    static func append(_ text: StaticString, to line: inout [UInt8]) {
        line.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Makes a line that is too long end within the limit. A JSON line would not be JSON any more, so nothing but
    /// the fact is left of it.
    private static func cut(_ style: LogStyle, _ line: inout [UInt8]) {
        let count = line.count
        if style.format == .json {
            line.removeAll(keepingCapacity: true)
            append("{\"level\":\"warning\",\"message\":\"a log line was too long\",\"bytes\":", to: &line)
            JSONWriter.writeInteger(Int64(count), to: &line)
            line.append(UInt8(ascii: "}"))
        } else {
            var end = LogLimits.lineBytesMax - 5
            while end > 0, line[end] & 0xC0 == 0x80 { end -= 1 }
            line.removeSubrange(end...)
            append(" ...", to: &line)
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") && $0 != 0x7F }
    }

    private static func name(of level: LogLevel) -> StaticString {
        switch level {
        case .debug: "DEBUG  "
        case .info: "INFO   "
        case .warning: "WARNING"
        case .error: "ERROR  "
        }
    }

    private static func colour(of level: LogLevel) -> StaticString {
        switch level {
        case .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[31m"
        }
    }
}
