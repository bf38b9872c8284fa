#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The mutations that wait for the writer.
///
/// Unchecked: everything but the lock is read and written with the lock held.
final class MutationQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// There is something to take, or there will be nothing more. Only the writer waits for it.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Mutation] = []
    private var refusal: StoreError?
    private var hasEnded = false
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
        pthread_cond_init(ended, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_cond_destroy(ended)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        ended.deallocate()
        lock.deallocate()
    }

    /// Puts a mutation in, or says why not.
    ///
    /// Hot path: only the first that waits wakes the writer, which looks at all before it sleeps; and it is woken when it
    /// can have the lock.
    func append(_ mutation: Mutation) -> StoreError? {
        var isFirst = false
        let problem: StoreError? = withLock {
            if let refusal { return refusal }
            guard waiting.count < capacity else {
                return StoreError(.overloaded, "\(capacity) mutations wait for the database. Try again later")
            }
            isFirst = waiting.isEmpty
            waiting.append(mutation)
            return nil
        }
        if isFirst { pthread_cond_signal(changed) }
        return problem
    }

    /// Waits for mutations, and takes as many as may share a commit. Nil when the queue was closed and is empty.
    func take(max: Int) -> [Mutation]? {
        withLock {
            while waiting.isEmpty && refusal == nil { pthread_cond_wait(changed, lock) }
            guard !waiting.isEmpty else { return nil }
            var group: [Mutation] = []
            if waiting.count <= max {
                swap(&group, &waiting)
            } else {
                group = Array(waiting.prefix(max))
                waiting.removeFirst(max)
            }
            return group
        }
    }

    /// Lets no more in; the reason is what those hear. The first one stays.
    func close(_ reason: StoreError) {
        withLock {
            if refusal == nil { refusal = reason }
            pthread_cond_signal(changed)
        }
    }

    /// Takes everything that waits.
    func takeAll() -> [Mutation] {
        withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Says that the writer is gone.
    func end() {
        withLock {
            hasEnded = true
            pthread_cond_broadcast(ended)
        }
    }

    /// Waits until it is.
    func waitForEnd() {
        withLock {
            while !hasEnded { pthread_cond_wait(ended, lock) }
        }
    }

    private func withLock<Answer>(_ body: () -> Answer) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
