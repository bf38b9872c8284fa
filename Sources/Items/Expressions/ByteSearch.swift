import Glibc

/// Looks for bytes within others. However both repeat themselves, it takes no longer than they are long together: a search that
/// begins again at each byte would let one filter over one item of 400 KB run for minutes.
struct ByteSearch {
    private let part: [UInt8]
    /// For each byte of the part: how many of those up to it are also its beginning (Knuth, Morris and Pratt's table).
    private let borders: [Int]

    init(_ part: some Sequence<UInt8>) {
        let part = Array(part)
        var borders = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders[index] = length
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
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }

    /// Hot path: what does not begin like the part is passed over many bytes at a time. By addresses, which a build with all checks does not
    /// take apart: `length` is below the part's count, and `place` below that of the bytes.
    private func isFound(in bytes: UnsafeBufferPointer<UInt8>, behind first: UInt8) -> Bool {
        part.withUnsafeBufferPointer { part in
            borders.withUnsafeBufferPointer { borders in
                guard let start = bytes.baseAddress, let wanted = part.baseAddress, let back = borders.baseAddress
                else { return false }
                let (count, wantedCount) = (bytes.count, part.count)
                var (length, place) = (0, 0)
                while place < count {
                    if length == 0 {
                        guard let next = memchr(start + place, Int32(first), count - place) else { return false }
                        place = UnsafeRawPointer(next) - UnsafeRawPointer(start)
                    }
                    let byte = start[place]
                    while length > 0, byte != wanted[length] { length = back[length &- 1] }
                    if byte == wanted[length] { length &+= 1 }
                    if length == wantedCount { return true }
                    place &+= 1
                }
                return false
            }
        }
    }
}
