extension Printer {
    mutating func print(_ value: Value) {
        switch value {
        case .variable(let name):
            write("$")
            write(name.text)
        case .int(let number), .float(let number): write(number.text)
        case .string(let string): print(string)
        case .boolean(let boolean): write(boolean.value ? "true" : "false")
        case .null: write("null")
        case .enum(let name): write(name.text)
        case .list(let list):
            write("[")
            separated(list.values) { $0.print($1) }
            write("]")
        case .object(let object):
            write("{")
            separated(object.fields) {
                $0.write($1.name.text)
                $0.write(": ")
                $0.print($1.value)
            }
            write("}")
        }
    }

    mutating func print(_ string: StringValue) {
        if string.isBlock, BlockStringLayout.canHold(string.value) {
            printBlock(string.value)
        } else {
            printQuoted(string.value)
        }
    }

    /// Writes text in double quotes, with escapes for what cannot stand for itself.
    private mutating func printQuoted(_ text: String) {
        write("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\\"): write("\\\\")
            case 0x08: write("\\b")
            case 0x09: write("\\t")
            case 0x0A: write("\\n")
            case 0x0C: write("\\f")
            case 0x0D: write("\\r")
            case 0x00..<0x20, 0x7F:
                write("\\u00")
                write(Array(String(byte >> 4, radix: 16, uppercase: true).utf8))
                write(Array(String(byte & 0xF, radix: 16, uppercase: true).utf8))
            default: write(byte)
            }
        }
        write("\"")
    }

    /// Writes text between triple quotes. On the first line indentation counts as text, on the others it does not, so
    /// text that starts with white space goes there, and all other text below.
    private mutating func printBlock(_ text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        write("\"\"\"")
        if lines.count == 1, !BlockStringLayout.needsOwnLine(text) {
            printBlockLine(lines[0])
        } else {
            let startsBelow = !BlockStringLayout.startsWithSpace(text)
            for (index, line) in lines.enumerated() {
                if line.isEmpty {
                    if index > 0 || startsBelow { write("\n") }
                } else {
                    if index > 0 || startsBelow { writeLineBreak() }
                    printBlockLine(line)
                }
            }
            writeLineBreak()
        }
        write("\"\"\"")
    }

    private mutating func printBlockLine(_ line: Substring.UTF8View) {
        var quotes = 0
        for byte in line {
            quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
            write(byte)
            if quotes == 3 {
                rewind(to: buffer.count - 3)
                write("\\\"\"\"")
                quotes = 0
            }
        }
    }
}

/// Questions about how text can be laid out between triple quotes.
enum BlockStringLayout {
    /// Returns whether reading the text back from between triple quotes gives the same text.
    static func canHold(_ text: String) -> Bool {
        guard !text.utf8.contains(UInt8(ascii: "\r")) else { return false }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 || !text.isEmpty else { return true }
        guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else { return false }
        // Of the lines below the quotes, one must stand at the margin.
        return lines.count == 1 || lines.contains { !isBlank($0) && !startsWithSpace($0) }
    }

    /// Returns whether the closing quotes must stand on a line of their own, or be read as part of the text.
    static func needsOwnLine(_ text: String) -> Bool {
        text.utf8.last == UInt8(ascii: "\"") || text.utf8.last == UInt8(ascii: "\\") || text.utf8.count > 70
    }

    static func startsWithSpace(_ text: String) -> Bool { startsWithSpace(text.utf8[...]) }

    private static func startsWithSpace(_ line: Substring.UTF8View) -> Bool {
        line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
    }

    private static func isBlank(_ line: Substring.UTF8View) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
