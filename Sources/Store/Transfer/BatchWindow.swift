import Threads

/// Lets a thread that makes batches run ahead of the writer, but not far.
///
/// Unchecked: everything but the lock is read and written with the lock held.
final class BatchWindow: @unchecked Sendable {
    private let lock = ThreadLock()
    private let changed: ThreadCondition
    private var waitingCount = 0
    private var failure: StoreError?

    init() {
        changed = ThreadCondition(of: lock)
    }

    /// Waits until fewer than `max` batches are on their way. Throws what became of an earlier one.
    func enter(max: Int) throws(StoreError) {
        try wait(until: { $0 < max }, adding: 1)
    }

    /// Says that a batch is on the disk, or why not.
    func leave(_ outcome: Result<Void, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        waitingCount -= 1
        if case .failure(let error) = outcome, failure == nil {
            failure = StoreError(of: error)
        }
        changed.broadcast()
    }

    /// Waits until all batches are on the disk.
    func finish() throws(StoreError) {
        try wait(until: { $0 == 0 }, adding: 0)
    }

    private func wait(until isReached: (Int) -> Bool, adding count: Int) throws(StoreError) {
        lock.lock()
        defer { lock.unlock() }
        while !isReached(waitingCount) { changed.wait() }
        if let failure { throw failure }
        waitingCount += count
    }
}
