import Glibc

// Texts and bytes in the order of their bytes, compared without copies where they lie in one piece.

extension String {
    /// Less than, equal to or greater than 0, as this text stands before, is or stands behind the other one.
    func compareBytes(to other: String) -> Int {
        let fast = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in compare(one, other) }
        }
        if let fast, let fast { return fast }
        return Array(utf8).compareBytes(to: Array(other.utf8))
    }
}

extension String {
    /// Whether the bytes of this text begin with those of another one.
    func beginsWithBytes(of start: String) -> Bool {
        guard start.utf8.count <= utf8.count else { return false }
        let fast = utf8.withContiguousStorageIfAvailable { bytes in
            start.utf8.withContiguousStorageIfAvailable { start in
                compare(UnsafeBufferPointer(rebasing: bytes.prefix(start.count)), start) == 0
            }
        }
        if let fast, let fast { return fast }
        return utf8.starts(with: start.utf8)
    }
}

extension [UInt8] {
    /// Whether these bytes begin with other ones.
    func beginsWithBytes(of start: [UInt8]) -> Bool {
        guard start.count <= count else { return false }
        return withUnsafeBufferPointer { bytes in
            start.withUnsafeBufferPointer { compare(UnsafeBufferPointer(rebasing: bytes.prefix($0.count)), $0) == 0 }
        }
    }

    /// Less than, equal to or greater than 0, as these bytes stand before, are or stand behind the other ones.
    func compareBytes(to other: [UInt8]) -> Int {
        withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { other in compare(one, other) } }
    }
}

private func compare(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(one.count, other.count)
    guard count > 0, let start = one.baseAddress, let otherStart = other.baseAddress else {
        return one.count - other.count
    }
    let difference = Int(memcmp(start, otherStart, count))
    return difference != 0 ? difference : one.count - other.count
}
