import Network

/// Calls what is due by the clock, on a loop: one timer for the next of all. A clock that is set meanwhile is noticed within a
/// minute; what was missed while the machine slept is called once.
package final class ScheduleClock: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let loop: EventLoop
    private struct Entry {
        let call: ScheduledCall
        var next: Int64?
    }

    private var entries: [Entry] = []
    private let now: @Sendable () -> Int64
    private let begin: (ScheduledCall, _ seconds: Int64) -> Void
    private var alarm: TimerToken?
    private var isRunning = false
    private var isOver = false

    private static let lookMilliseconds: Int64 = 60_000

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - begin: calls what is due, on the loop, with the time at which it was.
    package init(
        on loop: EventLoop, now: @escaping @Sendable () -> Int64,
        begin: @escaping (ScheduledCall, _ seconds: Int64) -> Void
    ) {
        (self.loop, self.now, self.begin) = (loop, now, begin)
    }

    /// Goes on with these calls: one that was there before is made when it would have been.
    package func adopt(_ calls: [ScheduledCall]) {
        checkLoop()
        guard !isOver else { return }
        let former = entries
        let seconds = now() / 1_000
        entries = calls.map { call in
            let same = former.first { $0.call == call }
            return Entry(call: call, next: same?.next ?? (isRunning ? call.next(after: seconds) : nil))
        }
        wait()
    }

    package func start() {
        checkLoop()
        guard !isOver else { return }
        isRunning = true
        let seconds = now() / 1_000
        for index in entries.indices { entries[index].next = entries[index].call.next(after: seconds) }
        wait()
    }

    package func stop() {
        checkLoop()
        (isRunning, isOver) = (false, true)
        entries = []
        wait()
    }

    /// Calls what is due.
    package func look() {
        checkLoop()
        guard isRunning else { return }
        let seconds = now() / 1_000
        for index in entries.indices {
            let entry = entries[index]
            if let next = entry.next, next <= seconds { begin(entry.call, next) }
            // Also where the clock was set back: the former time may be later than the next one is now.
            entries[index].next = entry.call.next(after: seconds)
        }
    }

    /// Calls what is due where another time holds from now on.
    package func clockWasSet() {
        checkLoop()
        look()
        wait()
    }

    private func wait() {
        if let alarm { loop.cancel(alarm) }
        alarm = nil
        guard isRunning, !entries.isEmpty else { return }
        let next = entries.compactMap(\.next).min().map { $0 * 1_000 - now() } ?? Self.lookMilliseconds
        let milliseconds = Int(min(max(next, 1), Self.lookMilliseconds))
        alarm = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds)) { [weak self] in
            guard let self else { return }
            alarm = nil
            look()
            wait()
        }
    }
}
