/// Finds lines and columns in a source, after reading it once.
///
/// A document of one long line can have as many errors as tokens, so neither lines nor columns are counted again
/// for each: a line is found by bisection, a column by counting in one block.
package struct LineMap: Sendable {
    private let source: Source
    /// The offset of the first byte of each line.
    private let lineStarts: [Int]
    /// How many bytes before each block continue a character. Empty for a text that is all ASCII.
    private let continuationsBefore: [Int]

    private static let blockSize = 64
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(_ source: Source) {
        self.source = source
        let bytes = source.bytes
        var starts = [bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0]
        var isASCII = true
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                // Hot path of a start: eight bytes at a time where no line ends.
                if index + 8 <= bytes.count {
                    let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    if !Self.mayEndLine(word) {
                        isASCII = isASCII && word & 0x8080_8080_8080_8080 == 0
                        index += 8
                        continue
                    }
                }
                let byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "\n") {
                    starts.append(index)
                } else if byte == UInt8(ascii: "\r") {
                    let isPair = index < bytes.count && bytes[index] == UInt8(ascii: "\n")
                    if !isPair { starts.append(index) }
                } else if byte >= 0x80 {
                    isASCII = false
                }
            }
        }
        lineStarts = starts
        continuationsBefore = isASCII ? [] : Self.continuations(in: bytes)
    }

    /// Returns true where one of eight bytes is a control character of ASCII, as both ends of lines are. A byte behind one may be taken
    /// for one, too: then each is looked at.
    private static func mayEndLine(_ word: UInt64) -> Bool {
        (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0
    }

    private static func continuations(in bytes: [UInt8]) -> [Int] {
        var counts = [0]
        counts.reserveCapacity(bytes.count / blockSize + 2)
        var count = 0
        for index in bytes.indices {
            if bytes[index] & 0xC0 == 0x80 { count += 1 }
            if (index + 1) % blockSize == 0 { counts.append(count) }
        }
        return counts
    }

    /// The place of a position, or nil for a node that was not written in a source.
    package func location(of position: Position) -> SourceLocation? {
        guard position.isKnown else { return nil }
        let offset = min(position.offset, source.bytes.count)
        let line = lineNumber(at: offset)
        let start = lineStarts[line]
        let bytesBefore = max(0, offset - start)
        let continuations = continuations(before: offset) - continuations(before: start)
        return SourceLocation(line: line + 1, column: max(0, bytesBefore - max(0, continuations)) + 1)
    }

    /// The text of a line (counted from 1) without its end, or nil when there is no such line.
    package func text(ofLine line: Int) -> String? {
        guard line >= 1, line <= lineStarts.count else { return nil }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] : source.bytes.count
        while end > start, source.bytes[end - 1] == 0x0A || source.bytes[end - 1] == 0x0D { end -= 1 }
        return String(decoding: source.bytes[start..<max(start, end)], as: UTF8.self)
    }

    /// The part of a line that is shown around a place in it: all of a short one.
    package struct Excerpt: Sendable {
        package let text: String
        /// Where the place is in the text, from 1, in Unicode scalars.
        package let column: Int
    }

    /// How many bytes are shown of a line that is longer than a person writes it: a file may be one line.
    private static let excerptBytesMax = 200
    private static let wholeBytesMax = 256

    /// What is shown of the line of a position.
    package func excerpt(around position: Position) -> Excerpt? {
        guard position.isKnown else { return nil }
        let offset = min(position.offset, source.bytes.count)
        let line = lineNumber(at: offset)
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : source.bytes.count
        while end > start, source.bytes[end - 1] == 0x0A || source.bytes[end - 1] == 0x0D { end -= 1 }
        let place = max(start, min(offset, end))
        // The place in the middle, unless the line begins or ends before.
        let width = end - start <= Self.wholeBytesMax ? Self.wholeBytesMax : Self.excerptBytesMax
        let window = max(start, min(place - width / 2, end - width))
        let first = characterStart(atOrAfter: window, before: place)
        let last = characterStart(atOrAfter: min(end, window + width), before: end)
        let (before, behind) = (first > start ? "..." : "", last < end ? "..." : "")
        let shown = source.bytes[first..<last]
        let column = before.utf8.count + shown[..<place].count { $0 & 0xC0 != 0x80 } + 1
        return Excerpt(text: before + String(decoding: shown, as: UTF8.self) + behind, column: column)
    }

    /// The next offset that is not in the middle of a character.
    private func characterStart(atOrAfter offset: Int, before end: Int) -> Int {
        var offset = offset
        while offset < end, source.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }

    /// The number, from 0, of the last line that starts at or before an offset.
    private func lineNumber(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func continuations(before offset: Int) -> Int {
        guard !continuationsBefore.isEmpty else { return 0 }
        let block = min(offset / Self.blockSize, continuationsBefore.count - 1)
        var count = continuationsBefore[block]
        for index in (block * Self.blockSize)..<max(offset, block * Self.blockSize)
        where source.bytes[index] & 0xC0 == 0x80 {
            count += 1
        }
        return count
    }
}
