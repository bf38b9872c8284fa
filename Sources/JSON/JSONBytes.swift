/// Questions about the bytes of JSON strings that reader and writer share.
enum JSONBytes {
    /// The highest bit of each of eight bytes: set in those that are no ASCII.
    static var notASCII: UInt64 { 0x8080_8080_8080_8080 }

    /// Returns whether a byte cannot stand for itself in a string: a control character, a double quote, a backslash.
    @inline(__always)
    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The same question for eight bytes at once: whether any of them needs an escape.
    ///
    /// The usual trick to find a zero byte in a word, on the word itself less 0x20, and on the word with the two
    /// characters cancelled out. A false alarm is possible for bytes from 0x80 on only where a true one is beside it.
    @inline(__always)
    static func needsEscape(_ word: UInt64) -> Bool { escapes(in: word) != 0 }

    /// The highest bit of each byte that needs an escape. Right for the lowest byte that is marked, which is the first of eight
    /// bytes that were loaded as little-endian.
    @inline(__always)
    static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let control = (word &- ones &* 0x20) & ~word
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let quote = (quotes &- ones) & ~quotes
        let slash = (slashes &- ones) & ~slashes
        return (control | quote | slash) & highs
    }

    /// The same question for a whole text.
    @inline(__always)
    static func needsEscape(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= text.count {
            if needsEscape(text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return true }
            index += 8
        }
        guard index < text.count else { return false }
        // The last bytes are looked at together with some before them, which were found to be harmless.
        if text.count >= 8 { return needsEscape(text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)) }
        while index < text.count {
            if needsEscape(text[index]) { return true }
            index += 1
        }
        return false
    }

    /// The offset of the first byte in the range that UTF-8 does not allow there, or nil when all is well.
    ///
    /// Hot path: every string comes through here. The standard library's check is generic and not specialised, and
    /// costs three times as much for the short strings of a request.
    static func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if index + 8 <= range.upperBound,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            } else if bytes[index] < 0x80 {
                index += 1
            } else {
                let length = sequenceLength(bytes, index..<range.upperBound)
                guard length > 0 else { return index }
                index += length
            }
        }
        return nil
    }

    /// The length of the sequence of several bytes at the start of the range (table 3-7 of the Unicode standard), or
    /// 0 if it is none.
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        let start = range.lowerBound
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[start] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0x00...0xFF)
            }
        guard length > 0, range.count >= length, second.contains(bytes[start + 1]) else { return 0 }
        for place in 2..<length where bytes[start + place] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
