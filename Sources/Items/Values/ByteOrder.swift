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

extension [UInt8] {
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
