#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The memory that a thread allocates from.
package enum ThreadHeap {
    /// A little less than what the C library gives back to the system at once.
    private static let bytes = 120 << 10

    /// Has the memory of the thread that calls grow once. By itself it grows a page at a time, each with a call of the
    /// system that holds up the other threads: for short work that costs more than the work.
    package static func widen() {
        // Not malloc: the compiler knows that getting memory and giving it back does nothing, and leaves out both.
        var block: UnsafeMutableRawPointer?
        guard posix_memalign(&block, MemoryLayout<UInt128>.alignment, bytes) == 0 else { return }
        free(block)
    }
}
