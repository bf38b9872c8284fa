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
        #if canImport(Glibc)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            // Somebody may set the time of day, back by hours too.
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #else
            pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Waits until somebody signals. Called with the lock held.
    package func wait() { pthread_cond_wait(condition, lock.mutex) }

    /// The same, but no longer than until that time: false when it has come.
    package func wait(until end: ThreadDeadline) -> Bool {
        #if canImport(Glibc)
            var time = Self.time(end.nanoseconds)
            return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
        #else
            var left = Self.time(max(0, end.nanoseconds - SystemClock.monotonic.allNanoseconds))
            return pthread_cond_timedwait_relative_np(condition, lock.mutex, &left) != ETIMEDOUT
        #endif
    }

    private static func time(_ nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// Wakes one of those that wait.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all that wait.
    package func broadcast() { pthread_cond_broadcast(condition) }
}

/// Until when a thread waits, by the clock that nobody sets.
package struct ThreadDeadline: Sendable {
    fileprivate let nanoseconds: Int64

    package init(inMilliseconds milliseconds: Int) {
        nanoseconds = SystemClock.monotonic.allNanoseconds + Int64(milliseconds) * 1_000_000
    }
}
