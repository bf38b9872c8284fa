import Glibc

/// A value that one thread waits for, without a loop, until another has it.
package final class Completion<Value: Sendable>: @unchecked Sendable {
    // Safe to share: `value` is read and written with the lock held.

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let isThere = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?

    package init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(isThere, nil)
    }

    deinit {
        pthread_cond_destroy(isThere)
        pthread_mutex_destroy(lock)
        isThere.deallocate()
        lock.deallocate()
    }

    /// Ends the waiting. Only the first value counts.
    package func finish(with value: Value) {
        pthread_mutex_lock(lock)
        if self.value == nil { self.value = value }
        pthread_cond_broadcast(isThere)
        pthread_mutex_unlock(lock)
    }

    /// Blocks the thread until there is a value. Never on a loop.
    package func wait() -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let value { return value }
            pthread_cond_wait(isThere, lock)
        }
    }
}

extension EventLoop {
    /// Runs the work as a task on this loop and blocks the calling thread, which is not a loop's, until it is done.
    package func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
        precondition(!isCurrent, "a loop cannot wait for itself")
        let completion = Completion<Value>()
        Task(executorPreference: self) { completion.finish(with: await work()) }
        return completion.wait()
    }
}
