import Glibc

/// Memory from `malloc`, for what a parser needs while it runs.
///
/// Hot path: what the standard library allocates for a pointer comes from `posix_memalign`, which passes by the pieces
/// that the allocator has at hand, and takes several times as long.
extension UnsafeMutableBufferPointer {
    static var none: Self { Self(start: nil, count: 0) }

    /// Room for that many elements, not initialised. Given back by `free`.
    static func plain(capacity: Int) -> Self {
        precondition(MemoryLayout<Element>.alignment <= 16, "malloc aligns to 16 bytes")
        // Without memory the standard library ends the process as well; there is nothing to go on with.
        guard let memory = malloc(capacity * MemoryLayout<Element>.stride) else { fatalError("out of memory") }
        return Self(start: memory.assumingMemoryBound(to: Element.self), count: capacity)
    }

    /// Moves the first elements to a larger place, and gives the old one back.
    mutating func move(first count: Int, toRoomFor capacity: Int) {
        let larger = Self.plain(capacity: capacity)
        _ = larger.moveInitialize(fromContentsOf: extracting(0..<count))
        release()
        self = larger
    }

    func release() {
        free(baseAddress)
    }
}
