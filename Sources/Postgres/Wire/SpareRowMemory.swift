import Synchronization

/// The memory of rows that nobody reads any more, for the next rows of the same connection. Memory that comes fresh from the system costs more
/// than what is written to it.
///
/// Rows may be given up on any thread.
final class SpareRowMemory: Sendable {
    private let block = Mutex<RowMemory.Block?>(nil)
    private let bytesMax: Int

    init(limits: PostgresLimits) { bytesMax = limits.spareRowBytes }

    deinit { take()?.free() }

    /// The memory that is kept, which is the caller's from now on.
    func take() -> RowMemory.Block? {
        block.withLock { kept in
            // `Optional.take` of Swift 6.3 leaves something of such a value in builds that are not optimized.
            defer { kept = nil }
            return kept
        }
    }

    /// Keeps the memory, or that which is kept: the larger one. What is too large is not kept.
    func give(_ block: RowMemory.Block) {
        guard block.byteCount <= bytesMax else { return block.free() }
        let smaller = self.block.withLock { kept -> RowMemory.Block? in
            guard let other = kept, other.byteCount >= block.byteCount else {
                defer { kept = block }
                return kept
            }
            return block
        }
        smaller?.free()
    }

    /// The bytes that are kept.
    var byteCount: Int { block.withLock { $0?.byteCount ?? 0 } }
}
