import Glibc

/// Looks for bytes within others. However both repeat themselves, it takes no longer than they are long together: a search that
/// begins again at each byte would let one filter over one item of 400 KB run for minutes.
struct ByteSearch {
    private let part: [UInt8]
    /// For each byte of the part: how many of those up to it are also its beginning (Knuth, Morris and Pratt's table).
    private let borders: [Int32]

    init(_ part: some Sequence<UInt8>) {
        let part = Array(part)
        var borders = [Int32](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = Int(borders[length - 1]) }
            if part[index] == part[length] { length += 1 }
            borders[index] = Int32(length)
        }
        self.part = part
        self.borders = borders
    }

    /// Whether the bytes stand somewhere. None do everywhere.
    func isFound(in bytes: some Sequence<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        let fast = bytes.withContiguousStorageIfAvailable { isFound(in: $0, behind: first) }
        if let fast { return fast }
        var length = 0
        for byte in bytes {
            while length > 0, byte != part[length] { length = Int(borders[length - 1]) }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }

    /// Hot path: what does not begin like the part is passed over many bytes at a time.
    private func isFound(in bytes: UnsafeBufferPointer<UInt8>, behind first: UInt8) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        var length = 0
        var place = 0
        while place < bytes.count {
            if length == 0 {
                guard let next = memchr(start + place, Int32(first), bytes.count - place) else { return false }
                place = UnsafeRawPointer(next) - UnsafeRawPointer(start)
            }
            let byte = bytes[place]
            while length > 0, byte != part[length] { length = Int(borders[length - 1]) }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
            place += 1
        }
        return false
    }
}
