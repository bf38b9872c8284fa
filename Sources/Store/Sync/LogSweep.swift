import Synchronization

/// Removes by time what synced models leave behind: tombstones whose time is over, and images in the logs that are too old. The
/// writer does so anyway after a number of changes of a model; this is for models that are seldom written.
///
///     a sweep ── step ── step ── …      each a mutation, which removes a bounded number of one model's
package final class LogSweep: Sendable {
    private struct State {
        var isRunning = false
        /// The log whose step is next.
        var log = 0
    }

    private let writer: Writer
    private let clock: ChangeClock
    private let logs: [ChangeLog]
    private let state = Mutex(State())

    /// Nil for a database without synced models.
    package init?(of store: Store) {
        logs = store.layout.tables.compactMap { ChangeLog(of: $0) }
        guard !logs.isEmpty else { return nil }
        writer = store.writer
        clock = store.changeClock
    }

    /// Begins a sweep, unless one runs. Does not wait; `whenDone` is called on the writer's thread or here, and must not block.
    package func run(whenDone: @escaping @Sendable () -> Void = {}) {
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return whenDone() }
        step(left: max(StoreLimits.sweepStepsMax, logs.count), logsLeft: logs.count, whenDone)
    }

    private func step(left: Int, logsLeft: Int, _ whenDone: @escaping @Sendable () -> Void) {
        guard left > 0, logsLeft > 0 else { return end(whenDone) }
        let number = state.withLock { $0.log }
        let hasMore = SweepOutcome()
        writer.submit(turn: .models, key: nil) { [self] session in
            hasMore.set(try session.sweep(logs[number], at: clock.settings.now(), clock.settings))
        } answer: { [self] result in
            // What goes wrong is tried again by the next sweep.
            guard case .success = result else { return end(whenDone) }
            if !hasMore.value { state.withLock { $0.log = (number + 1) % logs.count } }
            step(left: left - 1, logsLeft: hasMore.value ? logsLeft : logsLeft - 1, whenDone)
        }
    }

    private func end(_ whenDone: () -> Void) {
        state.withLock { $0.isRunning = false }
        whenDone()
    }
}

/// Whether a step has left something for another one.
private final class SweepOutcome: Sendable {
    private let hasMore = Mutex(false)

    var value: Bool { hasMore.withLock { $0 } }

    func set(_ value: Bool) { hasMore.withLock { $0 = value } }
}
