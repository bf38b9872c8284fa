#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lets a thread that makes batches run ahead of the writer, but not far.
///
/// Unchecked: everything but the lock is read and written with the lock held.
final class BatchWindow: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waitingCount = 0
    private var failure: StoreError?

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Waits until fewer than `max` batches are on their way. Throws what became of an earlier one.
    func enter(max: Int) throws(StoreError) {
        try wait(until: { $0 < max }, adding: 1)
    }

    /// Says that a batch is on the disk, or why not.
    func leave(_ outcome: Result<Void, any Error>) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        waitingCount -= 1
        if case .failure(let error) = outcome, failure == nil {
            failure = error as? StoreError ?? StoreError(.unexpected, "\(error)")
        }
        pthread_cond_broadcast(changed)
    }

    /// Waits until all batches are on the disk.
    func finish() throws(StoreError) {
        try wait(until: { $0 == 0 }, adding: 0)
    }

    private func wait(until isReached: (Int) -> Bool, adding count: Int) throws(StoreError) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while !isReached(waitingCount) { pthread_cond_wait(changed, lock) }
        if let failure { throw failure }
        waitingCount += count
    }
}
