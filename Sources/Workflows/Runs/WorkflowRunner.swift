import JSON
import Network
import Threads

/// Carries executions out, in rounds on one loop: takes those that are due or to which something has happened, lets them go on, writes what
/// has changed, and then asks what their tasks ask.
///
///     loop ── those that can go on ──▶ a thread beside it lets them ──▶ back on the loop ──▶ writer ──▶ tasks
///
/// An execution is in memory while tasks of it are asked; one that only waits is in the database alone, with the time it waits for.
package final class WorkflowRunner: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let loop: EventLoop
    let workflows: Workflows
    fileprivate let services: any WorkflowServices
    private let clock: any MailClock
    private let report: @Sendable (String) -> Void
    private let rounds: WorkRounds
    /// Where states work on their data: definitions are the project's, but data are anybody's.
    private let workers = WorkersAside(threadsMax: 1, waitingMax: .max)

    /// What has happened to an execution.
    enum Happening: Sendable {
        case begin
        case answer(branch: Int, attempt: Int, Result<JSONValue, FlowFault>)
        case submit(branch: Int, attempt: Int, JSONValue)
        case report(branch: Int, secret: String, FlowReport)
        case stop(FlowFault?)
    }

    private struct Arrival: Sendable {
        let happening: Happening
        /// Is told whether it has come to something, once that is on the disk; nil: it could not be written.
        let reply: (@Sendable (Bool?) -> Void)?
    }

    private struct Live {
        let stored: StoredExecution
        var execution: FlowExecution
        var tasks: [TaskKey: Task<Void, Never>] = [:]
    }

    private struct TaskKey: Hashable {
        let branch: Int
        let attempt: Int
    }

    /// One who waits, to be told from others who wait for the same.
    private final class Ticket: Sendable {}

    private struct Waiting {
        let ticket: Ticket
        /// True if it has one of the places for those who wait: a distributed map, which waits for its own executions, has none.
        let isCounted: Bool
        let tell: @Sendable (ExecutionEnd?) -> Void
    }

    private var live: [Int64: Live] = [:]
    private var arrivals: [Int64: [Arrival]] = [:]
    private var waiters: [Int64: [Waiting]] = [:]
    /// How many wait, or are about to.
    private var waiterCount = 0
    /// Tasks that are asked when others have answered.
    private var queue: [FlowCall] = []
    private var callsUnderWay = 0
    private var runsBytes = 0
    private var pausedUntil = Int64.min
    /// Whose data it is: a round that began with other data writes nothing.
    private var generation = 0

    /// - Parameters:
    ///   - services: whom tasks ask.
    ///   - report: is told for the log what has failed.
    package init(
        _ workflows: Workflows, asking services: any WorkflowServices, on loop: EventLoop,
        clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void
    ) {
        self.workflows = workflows
        self.services = services
        self.loop = loop
        self.clock = clock
        self.report = report
        rounds = WorkRounds(on: loop, clock: clock)
        workflows.begin(self)
    }

    /// Begins, with what an earlier process was at. From any thread.
    package func start() {
        if workflows.isAmongNodes { return begin(isAsleep: false) }
        guard workflows.hasPast else { return begin(isAsleep: true) }
        Task(executorPreference: loop) { [self] in
            do throws(WorkflowError) { try await workflows.wakeAll() } catch { report("workflows: \(error.message)") }
            begin(isAsleep: false)
        }
    }

    private func begin(isAsleep: Bool) {
        // Other nodes may begin executions without a word.
        let look = workflows.isAmongNodes ? WorkflowLimits.lookMilliseconds : nil
        rounds.start(isAsleep: isAsleep) { [self] in WorkRounds.Rest(until: await round(), atMost: look) }
    }

    /// Ends the rounds and the calls, and waits for that. What is on its way comes again by the next start.
    package func stop() async {
        await rounds.stop { [self] in live.values.flatMap(\.tasks.values) }
        await loop.run { [self] in
            workflows.end()
            workflows.loseLease()
            for arrival in arrivals.values.flatMap({ $0 }) { arrival.reply?(nil) }
            for waiting in waiters.values.flatMap({ $0 }) { waiting.tell(nil) }
            (arrivals, waiters, waiterCount) = ([:], [:], 0)
        }
    }

    /// Begins anew where another time or other data hold.
    package func beginAnew() {
        Task(executorPreference: loop) { [self] in
            forget()
            pausedUntil = .min
            workflows.forgetDefinitions()
            do throws(WorkflowError) { try await workflows.wakeAll() } catch { report("workflows: \(error.message)") }
            rounds.wake()
        }
    }

    /// Has nothing in memory of what is on the disk.
    private func forget() {
        for task in live.values.flatMap(\.tasks.values) { task.cancel() }
        (live, queue, callsUnderWay, runsBytes) = ([:], [], 0, 0)
        generation += 1
    }

    /// Works on data beside the loop, in turn with the rounds; nil: too much waits.
    func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        await workers.value(of: work)
    }

    /// Takes memory for a run of a distributed map; false: all runs together have as much as they may.
    func takeMemory(_ bytes: Int) async -> Bool {
        await loop.run { [self] in
            guard runsBytes + bytes <= WorkflowLimits.runsBytesMax else { return false }
            runsBytes += bytes
            return true
        }
    }

    /// Gives memory back. From any thread.
    func giveMemory(_ bytes: Int) { loop.execute { [self] in runsBytes = max(0, runsBytes - bytes) } }

    // MARK: From outside

    /// Says that there is an execution to begin. From any thread.
    func wake() { loop.execute { [self] in rounds.wake() } }

    /// Says what has happened, and waits until it is on the disk; nil: it could not be written.
    func happen(_ happening: Happening, to number: Int64) async -> Bool? {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                guard !rounds.isStopping else { return continuation.resume(returning: nil) }
                arrivals[number, default: []].append(
                    Arrival(happening: happening) { continuation.resume(returning: $0) })
                rounds.wake()
            }
        }
    }

    /// Takes a place among those who wait; false: there is none left.
    func takePlace() async -> Bool {
        await loop.run { [self] in
            guard waiterCount < workflows.capacity.waitersMax else { return false }
            waiterCount += 1
            return true
        }
    }

    /// Gives a place back to others. From any thread.
    func leavePlace() { loop.execute { [self] in waiterCount = max(0, waiterCount - 1) } }

    /// Waits for the end of an execution at a place that was taken, and leaves it; nil: the server is about to stop.
    ///
    /// - Parameters:
    ///   - milliseconds: how long; nil: as long as it takes.
    ///   - isCounted: whether a place was taken.
    ///   - begin: is called once its end cannot be missed.
    func end(
        of number: Int64, within milliseconds: Int64? = nil, isCounted: Bool = true,
        begin: @escaping @Sendable () -> Void
    ) async -> ExecutionEnd? {
        let ticket = Ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { [self] in
                    guard !rounds.isStopping else { return continuation.resume(returning: nil) }
                    waiters[number, default: []].append(
                        Waiting(ticket: ticket, isCounted: isCounted) { continuation.resume(returning: $0) })
                    if let milliseconds {
                        _ = clock.alarm(after: milliseconds, on: loop) { [weak self] in
                            self?.giveUp(ticket, of: number)
                        }
                    }
                    begin()
                    if Task.isCancelled { giveUp(ticket, of: number) }
                }
            }
        } onCancel: {
            loop.execute { [self] in giveUp(ticket, of: number) }
        }
    }

    private func giveUp(_ ticket: Ticket, of number: Int64) {
        guard let place = waiters[number]?.firstIndex(where: { $0.ticket === ticket }),
            let waiting = waiters[number]?.remove(at: place)
        else { return }
        if waiting.isCounted { waiterCount -= 1 }
        if waiters[number]?.isEmpty == true { waiters[number] = nil }
        waiting.tell(nil)
    }

    /// Tells those who wait for an execution that has ended before they came. On the loop.
    func tell(_ end: ExecutionEnd, of number: Int64) {
        loop.execute { [self] in finish(number, with: end) }
    }

    private func finish(_ number: Int64, with end: ExecutionEnd) {
        for waiting in waiters.removeValue(forKey: number) ?? [] {
            if waiting.isCounted { waiterCount -= 1 }
            waiting.tell(end)
        }
    }

    // MARK: Rounds

    /// Lets executions go on, and answers when there is more to do; nil: not before somebody says so.
    private func round() async -> Int64? {
        let now = clock.milliseconds
        guard now >= pausedUntil else { return pausedUntil }
        do throws(WorkflowError) {
            if workflows.isAmongNodes, !workflows.hasLease {
                guard try await workflows.hasExecutions() else { return nil }
                forget()
                try await workflows.takeLease()
            }
            let (due, next) = try await workflows.due(at: now)
            var numbers = Array(arrivals.keys.prefix(WorkflowLimits.executionsAtOnce))
            numbers += due.filter { !numbers.contains($0) }
            guard !numbers.isEmpty else { return next }
            var taken: [(number: Int64, arrivals: [Arrival])] = []
            for number in numbers {
                taken.append((number, arrivals.removeValue(forKey: number) ?? []))
            }
            try await go(taken, now)
            return clock.milliseconds
        } catch {
            if !rounds.isStopping { report("workflows cannot go on: \(error.message)") }
            // Another node was the keeper meanwhile. If this one still is, it begins with what that one has written.
            if error == .replaced { workflows.loseLease() }
            pausedUntil = clock.milliseconds + WorkflowLimits.pauseMilliseconds
            return pausedUntil
        }
    }

    private func go(_ taken: [(number: Int64, arrivals: [Arrival])], _ now: Int64) async throws(WorkflowError) {
        var replies: [(@Sendable (Bool?) -> Void, Bool)] = []
        var changed: [FlowExecution] = []
        let began = generation
        do throws(WorkflowError) {
            var moves: [Move] = []
            for (number, arrivals) in taken {
                let isLoaded = live[number] == nil
                guard let known = try await execution(number) else {
                    replies += arrivals.compactMap { arrival in arrival.reply.map { ($0, false) } }
                    continue
                }
                live[number] = known
                moves.append(Move(execution: known.execution, isLoaded: isLoaded, arrivals: arrivals))
            }
            let states = workflows.capacity.statesAtOnce
            let made = await workers.value { [moves] in moves.map { $0.made(at: now, states: states) } } ?? []
            guard began == generation, made.count == moves.count else { throw WorkflowError.notRunning }
            for move in made {
                live[move.execution.identity.number]?.execution = move.execution
                changed.append(move.execution)
                replies += zip(move.arrivals, move.areKnown).compactMap { arrival, isKnown in
                    arrival.reply.map { ($0, isKnown) }
                }
            }
            try await workflows.save(changed)
        } catch {
            // What is on the disk is what holds: they are read again.
            for (number, arrivals) in taken {
                for arrival in arrivals { arrival.reply?(nil) }
                for task in live.removeValue(forKey: number)?.tasks.values.map({ $0 }) ?? [] { task.cancel() }
            }
            queue.removeAll { call in live[call.execution] == nil }
            throw error
        }
        for execution in changed where began == generation { settle(execution) }
        for (reply, isKnown) in replies { reply(isKnown) }
        askNext()
    }

    /// An execution, and what has happened to it.
    private struct Move: Sendable {
        var execution: FlowExecution
        let isLoaded: Bool
        let arrivals: [Arrival]
        /// Of each, whether it has come to something.
        var areKnown: [Bool] = []

        /// Lets the execution go on.
        func made(at now: Int64, states: Int) -> Move {
            var move = self
            if execution.eventCount == 0 {
                move.execution.begin(at: now)
            } else if isLoaded {
                move.execution.resume(at: now)
            }
            for arrival in arrivals {
                move.areKnown.append(WorkflowRunner.happen(arrival.happening, to: &move.execution, now))
            }
            move.execution.pass(to: now)
            move.execution.advance(states: states, at: now)
            return move
        }
    }

    private func execution(_ number: Int64) async throws(WorkflowError) -> Live? {
        if let known = live[number] { return known }
        guard let loaded = try await workflows.load(number) else { return nil }
        return Live(stored: loaded.stored, execution: loaded.execution)
    }

    /// Whether it has come to something.
    private static func happen(_ happening: Happening, to execution: inout FlowExecution, _ now: Int64) -> Bool {
        switch happening {
        case .begin: return true
        case .answer(let branch, let attempt, let outcome):
            execution.answer(branch: branch, attempt: attempt, outcome, at: now)
            return true
        case .submit(let branch, let attempt, let value):
            execution.submit(branch: branch, attempt: attempt, value, at: now)
            return true
        case .report(let branch, let secret, let report):
            return execution.report(branch: branch, secret: secret, report, at: now)
        case .stop(let fault):
            guard execution.isRunning else { return false }
            execution.stop(fault, at: now)
            return true
        }
    }

    /// What has changed is on the disk: tasks are asked, and those who wait are told.
    private func settle(_ execution: FlowExecution) {
        let number = execution.identity.number
        for (branch, attempt) in execution.changes.cancelled {
            live[number]?.tasks.removeValue(forKey: TaskKey(branch: branch, attempt: attempt))?.cancel()
        }
        live[number]?.execution.changes = FlowChanges()
        guard execution.isRunning else {
            guard let known = live.removeValue(forKey: number) else { return }
            for task in known.tasks.values { task.cancel() }
            return finish(
                number,
                with: ExecutionEnd(
                    execution: StoredExecution(known.stored, ended: execution), arn: execution.identity.arn))
        }
        queue += execution.changes.calls
        if execution.callCount == 0, !execution.isReady { live[number] = nil }
    }

    // MARK: Tasks

    private func askNext() {
        var later: [FlowCall] = []
        for call in queue {
            // It may have ended before it was its turn.
            guard let branch = live[call.execution]?.execution.branches[call.branch],
                branch.call?.attempt == call.attempt
            else { continue }
            let isFree = !call.isCounted || callsUnderWay < workflows.capacity.callsAtOnce
            guard isFree else {
                later.append(call)
                continue
            }
            ask(call)
        }
        queue = later
    }

    private func ask(_ call: FlowCall) {
        let isCounted = call.isCounted
        if isCounted { callsUnderWay += 1 }
        live[call.execution]?.tasks[TaskKey(branch: call.branch, attempt: call.attempt)] = Task(
            executorPreference: loop
        ) {
            let outcome = await self.outcome(of: call)
            self.checkLoop()
            if isCounted { self.callsUnderWay = max(0, self.callsUnderWay - 1) }
            guard !Task.isCancelled, !self.rounds.isStopping else { return self.rounds.wake() }
            self.live[call.execution]?.tasks[TaskKey(branch: call.branch, attempt: call.attempt)] = nil
            self.arrivals[call.execution, default: []].append(
                Arrival(
                    happening: .answer(branch: call.branch, attempt: call.attempt, outcome), reply: nil))
            self.askNext()
            self.rounds.wake()
        }
    }
}

extension WorkflowRunner {
    fileprivate func outcome(of call: FlowCall) async -> Result<JSONValue, FlowFault> {
        guard let run = call.run else {
            return await services.answer(to: call) { [self] value in
                loop.execute { [self] in
                    guard !rounds.isStopping, live[call.execution] != nil else { return }
                    arrivals[call.execution, default: []].append(
                        Arrival(
                            happening: .submit(branch: call.branch, attempt: call.attempt, value), reply: nil))
                    rounds.wake()
                }
            }
        }
        return await MapRun(run: run, workflows: workflows, runner: self, buckets: services.buckets).outcome()
    }
}

extension FlowCall {
    /// True if it counts among the tasks that are asked at the same time: not where it waits for executions, which ask some themselves.
    var isCounted: Bool { !resource.waitsForEnd && run == nil }
}

extension FlowResource {
    /// True if it waits for another execution, as long as that takes.
    var waitsForEnd: Bool { pattern == .end || pattern == .parsedEnd }
}
