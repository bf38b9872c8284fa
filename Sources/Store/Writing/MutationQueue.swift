import Threads

/// The mutations that wait for the writer.
///
/// Unchecked: everything but the lock is read and written with the lock held.
final class MutationQueue: @unchecked Sendable {
    private let lock = ThreadLock()
    /// There is something to take, or there will be nothing more. Only the writer waits for it.
    private let changed: ThreadCondition
    private let ended: ThreadCondition
    private var waiting: [Mutation] = []
    private var refusal: StoreError?
    private var hasEnded = false
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        changed = ThreadCondition(of: lock)
        ended = ThreadCondition(of: lock)
    }

    /// Puts a mutation in, or says why not.
    ///
    /// Hot path: only the first that waits wakes the writer, which looks at all before it sleeps; and it is woken when it
    /// can have the lock.
    func append(_ mutation: Mutation) -> StoreError? {
        var isFirst = false
        let problem: StoreError? = lock.withLock {
            if let refusal { return refusal }
            guard waiting.count < capacity else {
                return StoreError(.overloaded, "\(capacity) mutations wait for the database. Try again later")
            }
            isFirst = waiting.isEmpty
            waiting.append(mutation)
            return nil
        }
        if isFirst { changed.signal() }
        return problem
    }

    /// Waits for mutations, and takes as many as may share a commit. Nil when the queue was closed and is empty.
    func take(max: Int) -> [Mutation]? {
        lock.withLock {
            while waiting.isEmpty && refusal == nil { changed.wait() }
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
        lock.withLock {
            if refusal == nil { refusal = reason }
            changed.signal()
        }
    }

    /// Takes everything that waits.
    func takeAll() -> [Mutation] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Says that the writer is gone.
    func end() {
        lock.withLock {
            hasEnded = true
            ended.broadcast()
        }
    }

    /// Waits until it is.
    func waitForEnd() {
        lock.withLock {
            while !hasEnded { ended.wait() }
        }
    }
}
