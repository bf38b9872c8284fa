import Threads

/// Waits on this thread for what runs on others: for commands, which are not on a loop.
enum WaitedFor {
    static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let lock = ThreadLock()
        let ended = ThreadCondition(of: lock)
        let outcome = Outcome<Value>()
        Task {
            let value = await work()
            lock.withLock {
                outcome.value = value
                ended.signal()
            }
        }
        lock.lock()
        defer { lock.unlock() }
        while true {
            if let value = outcome.value { return value }
            ended.wait()
        }
    }

    private final class Outcome<Value>: @unchecked Sendable {
        // Safe to share: looked at and set with the lock held.
        var value: Value?
    }
}
