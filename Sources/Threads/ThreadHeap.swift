#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The memory that a thread allocates from.
enum ThreadHeap {
    /// What the C library takes from the system in one piece, but for blocks that it hands out by themselves.
    private static let blockBytes = 100 << 10
    private static let blocks = 4

    /// Runs the body with memory that has grown at once, and not a page at a time, each with a call of the system that
    /// holds up the other threads: for short work that costs as much as the work. Nothing is touched that is not used.
    static func widened<Result>(_ body: () -> Result) -> Result {
        var held = (0..<blocks).map { _ in block(of: blockBytes) }
        // What lies at the end is given back at once; it stays as long as something lies behind it.
        let end = block(of: 1)
        while let block = held.popLast() { free(block) }
        defer { free(end) }
        return body()
    }

    /// Not by `malloc`: the compiler knows that getting memory and giving it back does nothing, and leaves out both.
    private static func block(of bytes: Int) -> UnsafeMutableRawPointer? {
        var block: UnsafeMutableRawPointer?
        return posix_memalign(&block, MemoryLayout<UInt128>.alignment, bytes) == 0 ? block : nil
    }
}
