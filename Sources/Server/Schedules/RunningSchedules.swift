import Access
import Cloud
import Crypto
import Events
import Functions
import JSON
import Network
import Queues
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
    private let queues: Queues
    private let makeClock: @Sendable () -> ScheduleClock
    private let log: Log
    private let state = Mutex(State())

    private struct State {
        var wanted: [Wanted] = []
        var calls: [ScheduledCall] = []
        /// One change after the other: the last one holds.
        var lastChange: Task<Void, Never>?
        /// Nil where nothing is called.
        var clock: ScheduleClock?
    }

    /// How long after its time a schedule of several nodes is acted on that none was the keeper for.
    private static let lateSecondsMax: Int64 = 60

    init(
        over store: Store, region: String, functions: Functions?, _ workflows: Workflows, _ events: Events,
        _ queues: Queues, on loop: EventLoop, _ log: Log
    ) {
        (self.loop, self.functions, self.workflows, self.events, self.log) = (loop, functions, workflows, events, log)
        book = ScheduleBook(store)
        self.queues = queues
        let call: @Sendable (ScheduledCall, Int64) -> Void = { call, seconds in
            func event() -> [UInt8] {
                call.schedule.event(
                    named: call.name, at: seconds, id: UUIDText.random(), region: region,
                    accountID: IAMPrincipal.exampleAccountID)
            }
            switch call.target {
            case .function(let name) where store.nodes != nil:
                // Another node may have been the keeper for the same time.
                let tick = Self.tick(of: call, at: seconds)
                Task(executorPreference: loop) {
                    do throws(Queues.EventRefusal) { try await queues.keep(event(), for: name, at: tick) } catch {
                        log.warning("a call by the clock is not kept: \(error)", ["function": .string(name)])
                    }
                }
            case .function(let name): functions?.begin(byClock: FunctionRequest(name, event()))
            case .rule(let name):
                let tick = store.nodes == nil ? nil : Self.tick(of: call, at: seconds)
                Task(executorPreference: loop) {
                    do throws(CloudError) {
                        try await events.passOn(call.schedule, of: name, at: seconds, once: tick)
                    } catch {
                        log.warning("the targets of the rule \(name) are not called by the clock: \(error.message)")
                    }
                }
            case .stateMachine(let name) where store.nodes != nil:
                let tick = Self.tick(of: call, at: seconds)
                Task(executorPreference: loop) {
                    do throws(Queues.EventRefusal) {
                        try await queues.keep(event(), for: WorkflowStarter.key(of: name), at: tick)
                    } catch {
                        log.warning("the state machine \(name) is not started by the clock: \(error)")
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
        makeClock = { ScheduleClock(on: loop, now: { Timestamp.now.millisecondsSince1970 }, begin: call) }
        self.call = call
    }

    private let call: @Sendable (ScheduledCall, Int64) -> Void

    private static func name(of call: ScheduledCall) -> String {
        "\(ScheduleBook.key(call.target, call.schedule).string) \(call.name)"
    }

    private static func tick(of call: ScheduledCall, at seconds: Int64) -> Queues.Tick {
        Queues.Tick(of: name(of: call), at: seconds)
    }

    /// Begins with the schedules of a configuration, also again behind `stop`. From any thread.
    func start(_ configuration: Configuration) {
        let clock = makeClock()
        state.withLock { $0.clock = clock }
        adopt(configuration)
        // A call that has changed a rule is answered when the clock goes by it.
        events.followSchedules { [weak self] in await self?.renewed().value }
        change { [self] in
            clock.start()
            if queues.store.nodes != nil { await callLate() }
        }
    }

    /// Calls what was due while no node was the keeper: each schedule that one of them knew before, once.
    private func callLate() async {
        do throws(QueueError) {
            let ticks = try await queues.lastTicks()
            let now = Timestamp.now.seconds
            for call in state.withLock({ $0.calls }) {
                guard let last = ticks[ByteText(Self.name(of: call))] else { continue }
                var late: Int64?
                var seconds = max(last, now - Self.lateSecondsMax)
                while let next = call.next(after: seconds), next <= now { (late, seconds) = (next, next) }
                if let late { self.call(call, late) }
            }
        } catch {
            log.warning("calls by the clock that are late cannot be looked for: \(error.message)")
        }
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
            let calls = wanted.map { call in
                ScheduledCall(
                    call.target, named: call.name, call.schedule,
                    createdAt: creations[ScheduleBook.key(call.target, call.schedule)] ?? now)
            }
            let clock = state.withLock { state in
                state.calls = calls
                return state.clock
            }
            clock?.adopt(calls)
            if clock != nil, queues.store.nodes != nil {
                do throws(QueueError) {
                    try await queues.beginTicks(of: calls.map { Self.name(of: $0) }, at: now)
                } catch {
                    log.warning("the first time of a schedule may be left out: \(error.message)")
                }
            }
        }
    }

    /// Calls what is due where another time holds from now on. From any thread.
    func clockWasSet() {
        let clock = state.withLock { $0.clock }
        loop.execute { clock?.clockWasSet() }
    }

    /// Calls nothing more. From any thread.
    func beginToStop() {
        let clock = state.withLock { $0.clock }
        loop.execute { clock?.stop() }
    }

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
