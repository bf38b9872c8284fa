import Synchronization

/// How many subscriptions the console follows at once.
final class FollowedCount: Sendable {
    private let count = Mutex(0)

    /// False: as many as may are followed already.
    func enter() -> Bool {
        count.withLock { count in
            guard count < ConsoleLimits.subscriptionsMax else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
