import Functions
import JSON
import Network
import Workflows

/// Starts executions by the clock: one timer for the next of all. A clock that is set meanwhile is noticed within a minute.
final class WorkflowSchedules: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    let loop: EventLoop
    private let workflows: Workflows
    private let report: @Sendable (String) -> Void
    private var entries: [Entry] = []
    private var isOver = true
    /// The timer of the next look.
    private var timer: TimerToken?

    private static let lookMilliseconds: Int64 = 60_000

    init(
        _ configuration: Configuration, _ workflows: Workflows, on loop: EventLoop,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.workflows = workflows
        self.loop = loop
        self.report = report
        entries = Self.entries(configuration, workflows, report)
    }

    private typealias Entry = (machine: String, schedule: Schedule, next: Int64?)

    private static func entries(
        _ configuration: Configuration, _ workflows: Workflows, _ report: (String) -> Void
    ) -> [Entry] {
        var entries: [Entry] = []
        for (name, setting) in configuration.stateMachines.sorted(by: { $0.key < $1.key }) where workflows.has(name) {
            for written in setting.schedules {
                do throws(Schedule.Fault) {
                    entries.append((name, try written.schedule(), nil))
                } catch {
                    report("the state machine \(name) is not started by the clock: \(written.text): \(error.message)")
                }
            }
        }
        return entries
    }

    /// Goes on with the schedules of another configuration, whose machines are there. From any thread.
    func adopt(_ configuration: Configuration) {
        let new = Self.entries(configuration, workflows, report)
        loop.execute { [self] in
            entries = new
            guard !isOver else { return }
            begin()
        }
    }

    private func begin() {
        let seconds = Timestamp.now.seconds
        for place in entries.indices { entries[place].next = entries[place].schedule.next(after: seconds) }
        wait()
    }

    /// From any thread.
    func start() {
        loop.execute { [self] in
            isOver = false
            begin()
        }
    }

    /// Starts what is due where another time holds from now on. From any thread.
    func clockWasSet() {
        loop.execute { [self] in
            guard !isOver else { return }
            look()
            wait()
        }
    }

    /// From any thread.
    func stop() { loop.execute { [self] in isOver = true } }

    private func wait() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard !isOver, !entries.isEmpty else { return }
        let next = entries.compactMap(\.next).min().map { $0 * 1_000 - Timestamp.now.millisecondsSince1970 }
        let milliseconds = min(max(next ?? Self.lookMilliseconds, 1), Self.lookMilliseconds)
        timer = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: Int(milliseconds))) { [weak self] in
            self?.timer = nil
            self?.look()
            self?.wait()
        }
    }

    private func look() {
        guard !isOver else { return }
        let seconds = Timestamp.now.seconds
        for place in entries.indices {
            let entry = entries[place]
            if let next = entry.next, next <= seconds { begin(entry, at: next) }
            entries[place].next = entry.schedule.next(after: seconds)
        }
    }

    private func begin(_ entry: Entry, at seconds: Int64) {
        let machine = entry.machine
        let input = entry.schedule.event(
            named: machine, at: seconds, id: Workflows.makeID(), region: workflows.region,
            accountID: workflows.accountID)
        Task(executorPreference: loop) { [self] in
            do throws(WorkflowError) {
                _ = try await workflows.begin(machine, input: String(decoding: input, as: UTF8.self))
            } catch {
                report("the state machine \(machine) is not started by the clock: \(error.message)")
            }
        }
    }
}
