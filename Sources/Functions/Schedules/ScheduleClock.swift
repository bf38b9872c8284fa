import JSON
import Network

/// Calls functions by the clock, on the loop of the functions: one timer for the next of all. A clock that is set meanwhile is
/// noticed within a minute; what was missed while the machine slept is called once.
final class ScheduleClock: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private struct Entry {
        let function: String
        let schedule: Schedule
        let number: Int
        var next: Int64?
    }

    private var entries: [Entry]
    private let surroundings: FunctionSurroundings
    private let now: @Sendable () -> Int64
    private let call: (FunctionRequest) -> Void
    private var alarm: TimerToken?
    private var isRunning = false
    private var isOver = false

    private static let lookMilliseconds: Int64 = 60_000

    /// - Parameter now: milliseconds since 1970.
    init(
        _ functions: [FunctionSettings], _ surroundings: FunctionSurroundings, on loop: EventLoop,
        now: @escaping @Sendable () -> Int64, call: @escaping (FunctionRequest) -> Void
    ) {
        self.surroundings = surroundings
        self.loop = loop
        self.now = now
        self.call = call
        entries = Self.entries(of: functions)
    }

    private static func entries(of functions: [FunctionSettings]) -> [Entry] {
        functions.flatMap { function in
            function.schedules.enumerated().map {
                Entry(function: function.name, schedule: $1, number: $0, next: nil)
            }
        }
    }

    /// Goes on with the schedules of these functions: one that was there before is called when it would have been.
    func adopt(_ functions: [FunctionSettings]) {
        checkLoop()
        guard !isOver else { return }
        let former = entries
        entries = Self.entries(of: functions)
        guard isRunning else { return }
        let seconds = now() / 1_000
        for index in entries.indices {
            let entry = entries[index]
            let same = former.first { $0.function == entry.function && $0.schedule == entry.schedule }
            entries[index].next = same?.next ?? entry.schedule.next(after: seconds)
        }
        if let alarm { loop.cancel(alarm) }
        alarm = nil
        if !entries.isEmpty { wait() }
    }

    func start() {
        checkLoop()
        isRunning = true
        guard !entries.isEmpty else { return }
        let seconds = now() / 1_000
        for index in entries.indices { entries[index].next = entries[index].schedule.next(after: seconds) }
        wait()
    }

    func stop() {
        checkLoop()
        if let alarm { loop.cancel(alarm) }
        alarm = nil
        (isRunning, isOver) = (false, true)
        entries = []
    }

    /// Calls what is due.
    func look() {
        checkLoop()
        let seconds = now() / 1_000
        for index in entries.indices {
            let entry = entries[index]
            if let next = entry.next, next <= seconds {
                call(FunctionRequest(entry.function, event(entry, at: next)))
            }
            // Also where the clock was set back: what was next may be later than what is next now.
            entries[index].next = entry.schedule.next(after: seconds)
        }
    }

    /// Calls what is due where another time holds from now on.
    func clockWasSet() {
        guard let alarm, !entries.isEmpty else { return }
        loop.cancel(alarm)
        look()
        wait()
    }

    private func wait() {
        let next = entries.compactMap(\.next).min().map { $0 * 1_000 - now() } ?? Self.lookMilliseconds
        let milliseconds = Int(min(max(next, 1), Self.lookMilliseconds))
        alarm = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds)) { [weak self] in
            guard let self, !entries.isEmpty else { return }
            look()
            wait()
        }
    }

    private func event(_ entry: Entry, at seconds: Int64) -> [UInt8] {
        entry.schedule.event(
            named: entry.number == 0 ? entry.function : "\(entry.function)-\(entry.number)", at: seconds,
            id: PendingInvocation.makeID(), region: surroundings.region, accountID: surroundings.accountID)
    }
}
