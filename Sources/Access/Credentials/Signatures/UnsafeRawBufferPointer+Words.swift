import Glibc

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes begin with a word. Hot path: one comparison of memory.
    func begins(with word: StaticString) -> Bool {
        guard count >= word.utf8CodeUnitCount, let start = baseAddress else { return word.utf8CodeUnitCount == 0 }
        return memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    /// Returns whether the bytes are a word.
    func isSame(as word: StaticString) -> Bool { count == word.utf8CodeUnitCount && begins(with: word) }

    /// Returns whether the bytes are those. Nothing that is a secret: the time says how many are the same.
    func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let one = baseAddress, let other = other.baseAddress else {
            return isEmpty && other.isEmpty
        }
        return memcmp(one, other, count) == 0
    }

    /// Where the byte stands first from a place on; the end where it does not. Hot path: one search of memory.
    func place(of byte: UInt8, from start: Int = 0) -> Int {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return count
        }
        return UnsafeRawPointer(found) - base
    }

    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Without the blanks at both ends.
    var trimmingBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, Self.isBlank(self[start]) { start += 1 }
        while end > start, Self.isBlank(self[end - 1]) { end -= 1 }
        return part(start..<end)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
