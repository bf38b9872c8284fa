import Access
import Cloud
import Crypto
import Events
import Functions
import JSON
import Network
import Schedules
import Store
import Synchronization
import Workflows

/// The calls by the clock of a server: functions, state machines and rules go by one `ScheduleClock`, and follow the project while it is
/// watched.
///
///     settings ─▶ ScheduleBook (since when) ─▶ ScheduleClock ─┬─▶ functions, kept until they have run
///     rules that calls have made ─▶                           ├─▶ a new execution of a state machine
///                                                             └─▶ the targets of a rule
final class RunningSchedules: Sendable {
    private let loop: EventLoop
    private let functions: Functions?
    private let workflows: Workflows
    private let events: Events
    private let book: ScheduleBook
    private let clock: ScheduleClock
    private let log: Log
    private let state = Mutex(State())

    private struct State {
        var wanted: [Wanted] = []
        /// One change after the other: the last one holds.
        var lastChange: Task<Void, Never>?
    }

    init(
        over store: Store, region: String, functions: Functions?, _ workflows: Workflows, _ events: Events,
        on loop: EventLoop, _ log: Log
    ) {
        (self.loop, self.functions, self.workflows, self.events, self.log) = (loop, functions, workflows, events, log)
        book = ScheduleBook(store)
        clock = ScheduleClock(on: loop, now: { Timestamp.now.millisecondsSince1970 }) { call, seconds in
            func event() -> [UInt8] {
                call.schedule.event(
                    named: call.name, at: seconds, id: UUIDText.random(), region: region,
                    accountID: IAMPrincipal.exampleAccountID)
            }
            switch call.target {
            case .function(let name): functions?.begin(byClock: FunctionRequest(name, event()))
            case .rule(let name):
                Task(executorPreference: loop) {
                    do throws(CloudError) { try await events.passOn(call.schedule, of: name, at: seconds) } catch {
                        log.warning("the targets of the rule \(name) are not called by the clock: \(error.message)")
                    }
                }
            case .stateMachine(let name):
                let input = String(decoding: event(), as: UTF8.self)
                Task(executorPreference: loop) {
                    do throws(WorkflowError) {
                        _ = try await workflows.begin(name, input: input)
                    } catch {
                        log.warning("the state machine \(name) is not started by the clock: \(error.message)")
                    }
                }
            }
        }
    }

    /// Begins with the schedules of a configuration. From any thread.
    func start(_ configuration: Configuration) {
        adopt(configuration)
        // A call that has changed a rule is answered when the clock goes by it.
        events.followSchedules { [weak self] in await self?.renewed().value }
        change { [clock] in clock.start() }
    }

    /// Goes on with the schedules of a configuration, whose functions and machines are there. From any thread.
    func adopt(_ configuration: Configuration) {
        let wanted = self.wanted(configuration)
        state.withLock { $0.wanted = wanted }
        beginAnew()
    }

    /// Goes on where other data hold from now on: the database says since when rates are counted. From any thread.
    func beginAnew() { renewed() }

    @discardableResult
    private func renewed() -> Task<Void, Never> {
        change { [self] in
            let wanted = state.withLock { $0.wanted } + events.schedules.map { (.rule($0.name), $0.name, $0.schedule) }
            let now = Timestamp.now.seconds
            let rates = wanted.filter(\.schedule.isCountedFromCreation).map { ScheduleBook.key($0.target, $0.schedule) }
            var creations: [ByteText: Int64] = [:]
            do {
                creations = try await book.creations(of: rates, now: now)
            } catch {
                log.warning("schedules cannot be kept, and count from this start on: \(error)")
            }
            clock.adopt(
                wanted.map { call in
                    ScheduledCall(
                        call.target, named: call.name, call.schedule,
                        createdAt: creations[ScheduleBook.key(call.target, call.schedule)] ?? now)
                })
        }
    }

    /// Calls what is due where another time holds from now on. From any thread.
    func clockWasSet() { loop.execute { [clock] in clock.clockWasSet() } }

    /// Calls nothing more. From any thread.
    func beginToStop() { loop.execute { [clock] in clock.stop() } }

    /// Waits for what uses the database.
    func stop() async {
        beginToStop()
        await state.withLock { $0.lastChange }?.value
    }

    /// How many schedules call a function. From any thread.
    func count(of function: String) -> Int {
        state.withLock { state in state.wanted.count { $0.target == .function(function) } }
    }

    @discardableResult
    private func change(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            let former = state.lastChange
            let next = Task(executorPreference: loop) {
                await former?.value
                await body()
            }
            state.lastChange = next
            return next
        }
    }

    // MARK: What there is

    private typealias Wanted = (target: ScheduledCall.Target, name: String, schedule: Schedule)

    private func wanted(_ configuration: Configuration) -> [Wanted] {
        var wanted: [Wanted] = []
        for (function, setting) in configuration.functions.sorted(by: { $0.key < $1.key })
        where !setting.schedules.isEmpty && functions?.has(function) == true {
            for (number, written) in setting.schedules.enumerated() {
                // A fault ends the start, or leaves the function out.
                guard let schedule = try? written.schedule() else { continue }
                wanted.append((.function(function), number == 0 ? function : "\(function)-\(number)", schedule))
            }
        }
        for (name, machine) in configuration.stateMachines.sorted(by: { $0.key < $1.key }) where workflows.has(name) {
            for setting in machine.schedules {
                do throws(Schedule.Fault) {
                    wanted.append((.stateMachine(name), name, try setting.schedule()))
                } catch {
                    log.warning("the state machine \(name) is not started by the clock: \(error.message)")
                }
            }
        }
        return wanted
    }
}
