#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock for what several threads share and wait for: some of them hold it for a moment, others wait for a
/// `ThreadCondition` of it.
package final class ThreadLock: @unchecked Sendable {
    // Safe to share: that is what it is for. The memory has to stay where it is, so it is none of Swift's.
    fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    /// Runs the body while no other thread has the lock.
    ///
    /// The body throws nothing: what is generic in what it throws is not made anew for each of its uses.
    @inlinable
    package func withLock<Answer>(_ body: () -> Answer) -> Answer {
        lock()
        defer { unlock() }
        return body()
    }
}

/// A condition that threads wait for; they give up the lock meanwhile. They must check it again when they
/// have it back.
package final class ThreadCondition: @unchecked Sendable {
    // Safe to share, as the lock is.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let lock: ThreadLock

    package init(of lock: ThreadLock) {
        self.lock = lock
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Waits until somebody signals. Called with the lock held.
    package func wait() { pthread_cond_wait(condition, lock.mutex) }

    /// The same, but no longer than until that time: false when it has come.
    package func wait(until end: ThreadDeadline) -> Bool {
        var time = end.time
        return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
    }

    /// Wakes one of those that wait.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all that wait.
    package func broadcast() { pthread_cond_broadcast(condition) }
}

/// Until when a thread waits.
package struct ThreadDeadline: Sendable {
    fileprivate let time: timespec

    package init(inMilliseconds milliseconds: Int) {
        // What the system compares with its own time.
        let now = SystemClock.machine
        let nanoseconds = Int(now.nanoseconds) + milliseconds % 1_000 * 1_000_000
        time = timespec(
            tv_sec: Int(now.seconds) + milliseconds / 1_000 + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
