/// What a block string means: its lines without common indentation and without blank lines around them.
/// Specification: section 2.9.4, BlockStringValue().
enum BlockString {
    /// The value of the bytes between the quotes.
    static func value(of raw: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) -> [UInt8] {
        let lines = lines(of: raw)
        let indent = commonIndent(of: lines, in: raw)
        var trimmed = lines
        for index in trimmed.indices.dropFirst() {
            trimmed[index] =
                min(trimmed[index].lowerBound + indent, trimmed[index].upperBound)..<trimmed[index].upperBound
        }
        let kept = trimmed.drop { isBlank($0, in: raw) }
        var value: [UInt8] = []
        value.reserveCapacity(raw.count)
        var isFirst = true
        for line in kept.prefix(upTo: kept.lastIndex { !isBlank($0, in: raw) }.map { $0 + 1 } ?? kept.startIndex) {
            if !isFirst { value.append(UInt8(ascii: "\n")) }
            isFirst = false
            append(raw[line], hasEscapes: hasEscapes, to: &value)
        }
        return value
    }

    private static func lines(of raw: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            index += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            lines.append(start..<(index - 1))
            if byte == UInt8(ascii: "\r"), index < raw.count, raw[index] == UInt8(ascii: "\n") { index += 1 }
            start = index
        }
        lines.append(start..<raw.count)
        return lines
    }

    /// The least indentation of the lines that have text; the first line never counts.
    private static func commonIndent(of lines: [Range<Int>], in raw: UnsafeBufferPointer<UInt8>) -> Int {
        var common: Int?
        for line in lines.dropFirst() {
            let indent = indentation(of: line, in: raw)
            if indent < line.count { common = min(common ?? indent, indent) }
        }
        return common ?? 0
    }

    private static func indentation(of line: Range<Int>, in raw: UnsafeBufferPointer<UInt8>) -> Int {
        var place = line.lowerBound
        while place < line.upperBound, raw[place] == UInt8(ascii: " ") || raw[place] == UInt8(ascii: "\t") {
            place += 1
        }
        return place - line.lowerBound
    }

    private static func isBlank(_ line: Range<Int>, in raw: UnsafeBufferPointer<UInt8>) -> Bool {
        indentation(of: line, in: raw) == line.count
    }

    /// Appends a line; `\"""` in it stands for three quotes.
    private static func append(_ line: Slice<UnsafeBufferPointer<UInt8>>, hasEscapes: Bool, to value: inout [UInt8]) {
        guard hasEscapes else { return value.append(contentsOf: line) }
        let escape: [UInt8] = Array("\\\"\"\"".utf8)
        var place = line.startIndex
        while place < line.endIndex {
            if line[place] == UInt8(ascii: "\\"), line[place...].starts(with: escape) {
                value.append(contentsOf: escape.dropFirst())
                place += escape.count
            } else {
                value.append(line[place])
                place += 1
            }
        }
    }
}
