import Threads

/// A value that one thread waits for, without a loop, until another has it.
package final class AwaitedValue<Value: Sendable>: @unchecked Sendable {
    // Safe to share: `value` is read and written with the lock held.

    private let lock = ThreadLock()
    private let isThere: ThreadCondition
    private var value: Value?

    package init() {
        isThere = ThreadCondition(of: lock)
    }

    /// Ends the waiting. Only the first value counts.
    package func finish(with value: Value) {
        lock.lock()
        if self.value == nil { self.value = value }
        isThere.broadcast()
        lock.unlock()
    }

    /// Blocks the thread until there is a value. Never on a loop.
    package func wait() -> Value {
        lock.lock()
        defer { lock.unlock() }
        while true {
            if let value { return value }
            isThere.wait()
        }
    }
}

extension EventLoop {
    /// Runs the work as a task on this loop and blocks the calling thread, which is not a loop's, until it is done.
    package func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
        precondition(!isCurrent, "a loop cannot wait for itself")
        let awaited = AwaitedValue<Value>()
        Task(executorPreference: self) { awaited.finish(with: await work()) }
        return awaited.wait()
    }
}
