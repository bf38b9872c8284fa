import Network
import Synchronization

/// A clock that stands until a test has it go on to the next alarm.
package final class RungClock: MailClock {
    private let state: Mutex<(now: Int64, alarms: [(at: Int64, action: @Sendable () -> Void)])>

    package init(at now: Int64) { state = Mutex((now, [])) }

    package var milliseconds: Int64 { state.withLock { $0.now } }

    package func alarm(
        after milliseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
    ) -> () -> Void {
        state.withLock { state in
            state.alarms.append((state.now + milliseconds, { loop.execute(action) }))
        }
        return {}
    }

    /// Moves on to the next alarm; false where there is none.
    package func ring() -> Bool {
        let due = state.withLock { state -> [@Sendable () -> Void] in
            guard let next = state.alarms.map(\.at).min() else { return [] }
            state.now = max(state.now, next)
            let due = state.alarms.filter { $0.at <= state.now }.map(\.action)
            state.alarms.removeAll { $0.at <= state.now }
            return due
        }
        for action in due { action() }
        return !due.isEmpty
    }
}
