import JSON

/// An execution as a pure machine: something happens to it, it says what is to be done, and knows neither clock nor database.
///
///     begin, time, answers of tasks, reports, stop ──▶ branches step from state to state ──▶ what to write, whom to ask
struct FlowExecution: Sendable {
    let identity: FlowIdentity
    let definition: FlowDefinition
    let chance: FlowChance
    /// What its states' work on their data costs.
    let steps = FlowSteps()
    var branches: [Int: FlowBranch] = [:]
    /// What branches that have ended have come to, by the one that waits for them and their places.
    var results: [Int: [Int: JSONValue]] = [:]
    var nextBranch = 1
    var eventCount = 0
    var historyBytes: Int64 = 0
    private(set) var status = FlowStatus.running
    private(set) var output: JSONValue?
    private(set) var fault: FlowFault?
    private(set) var stoppedMilliseconds: Int64?
    var changes = FlowChanges()
    /// Branches that can go on.
    private var ready: [Int] = []
    /// What time it is.
    var now: Int64 = 0

    init(_ identity: FlowIdentity, _ definition: FlowDefinition, _ chance: FlowChance) {
        (self.identity, self.definition, self.chance) = (identity, definition, chance)
    }

    var isRunning: Bool { status == .running }

    /// Whether there is something to do at once.
    var isReady: Bool { isRunning && !ready.isEmpty }

    /// When it wants to be looked at; nil: not before something happens.
    var due: Int64? {
        guard isRunning else { return nil }
        if isReady { return .min }
        let times = branches.values.compactMap(\.due) + [deadline].compactMap(\.self)
        return times.min()
    }

    private var deadline: Int64? {
        let own = definition.timeoutSeconds.map { $0 * 1_000 }
        let most = identity.isExpress ? WorkflowLimits.expressMilliseconds : nil
        return [own, most].compactMap(\.self).min().map { identity.startedMilliseconds + $0 }
    }

    /// How many tasks are asked that have not answered.
    var callCount: Int { branches.values.count { $0.call.map { !$0.isSubmitted } ?? false } }

    // MARK: What happens to it

    mutating func begin(at time: Int64) {
        now = time
        note(
            "ExecutionStarted", after: 0,
            ("executionStartedEventDetails", [("input", identity.input), ("roleArn", .string(identity.roleARN))]),
            text: identity.inputText)
        add(
            FlowBranch(
                number: nextBranch, parent: nil, place: 0, item: nil, state: definition.startAt, input: identity.input,
                phase: .entering, lastEvent: 0))
    }

    /// It is read from the database: what was asked is asked again.
    mutating func resume(at time: Int64) {
        now = time
        for branch in branches.values.sorted(by: { $0.number < $1.number }) {
            switch branch.phase {
            case .entering, .ready: ready.append(branch.number)
            case .calling(let call) where !call.isSubmitted: ask(branch, call)
            default: break
            }
        }
    }

    /// Goes on until nothing can be done at once, or for so many states; for fewer where they do much, so that others have their turn.
    mutating func advance(states count: Int, at time: Int64) {
        now = time
        var left = count
        let before = changes.bytes
        steps.beginRound()
        while left > 0, isRunning, !ready.isEmpty, steps.ofRound < WorkflowLimits.stepsAtOnce,
            changes.bytes - before < WorkflowLimits.writtenAtOnceBytesMax
        {
            let number = ready.removeFirst()
            guard let branch = branches[number] else { continue }
            left -= 1
            step(branch)
        }
    }

    /// Time has passed.
    mutating func pass(to time: Int64) {
        now = time
        guard isRunning else { return }
        if let deadline, deadline <= time {
            return end(.timedOut, FlowFault(FlowFault.timeoutName, ""))
        }
        for number in branches.keys.sorted() {
            guard isRunning, let branch = branches[number], let due = branch.due, due <= time else { continue }
            switch branch.phase {
            case .retrying: goOn(branch, in: .ready)
            case .waiting: leaveWait(branch)
            case .calling(let call):
                let isHeartbeat =
                    call.heartbeatDeadline.map { $0 <= time } ?? false && call.deadline.map { $0 > time } ?? true
                let fault =
                    isHeartbeat
                    ? .heartbeat
                    : FlowFault(FlowFault.timeoutName, "")
                failTask(branch, fault, isTimeout: true)
            case .entering, .ready, .joining: continue
            }
        }
    }

    /// Who was asked has answered. What an earlier attempt gives means nothing any more.
    mutating func answer(
        branch number: Int, attempt: Int, _ outcome: Result<JSONValue, FlowFault>, at time: Int64
    ) {
        now = time
        guard isRunning, var branch = branches[number], var call = branch.call, call.attempt == attempt,
            !call.isSubmitted
        else { return }
        switch outcome {
        case .failure(let fault): failTask(branch, fault)
        case .success(let value):
            guard call.secret == nil || resource(of: branch)?.pattern != .token else {
                call.isSubmitted = true
                branch.phase = .calling(call)
                branch.lastEvent = noteSubmission(branch, value)
                return put(branch)
            }
            succeed(branch, value)
        }
    }

    /// The execution for whose end a task waits is begun. Asked again after a restart, the task begins the same one.
    mutating func submit(branch number: Int, attempt: Int, _ value: JSONValue, at time: Int64) {
        now = time
        guard isRunning, var branch = branches[number], var call = branch.call, call.attempt == attempt, !call.isBegun
        else { return }
        call.isBegun = true
        branch.phase = .calling(call)
        branch.lastEvent = noteSubmission(branch, value)
        put(branch)
    }

    /// Somebody who knows a token says how the task goes; false: there is no such task any more.
    mutating func report(branch number: Int, secret: String, _ report: FlowReport, at time: Int64) -> Bool {
        now = time
        guard isRunning, var branch = branches[number], var call = branch.call, let known = call.secret,
            known.utf8.elementsEqual(secret.utf8)
        else { return false }
        switch report {
        case .succeeded(let value): succeed(branch, value)
        case .failed(let fault): failTask(branch, fault)
        case .alive:
            call.heartbeatDeadline = call.heartbeatMilliseconds.map { now + $0 }
            branch.phase = .calling(call)
            put(branch)
        }
        return true
    }

    /// Somebody wants it to end.
    mutating func stop(_ fault: FlowFault?, at time: Int64) {
        now = time
        guard isRunning else { return }
        end(.aborted, fault)
    }

    // MARK: Branches

    /// The definition whose states a branch goes through.
    func scope(of branch: FlowBranch) -> FlowDefinition? {
        guard let number = branch.parent else { return definition }
        guard let parent = branches[number], let state = scope(of: parent)?.state(parent.state) else { return nil }
        switch state.kind {
        case .parallel(let inner): return inner.indices.contains(branch.place) ? inner[branch.place] : nil
        case .map(let map): return map.inner
        default: return nil
        }
    }

    func state(of branch: FlowBranch) -> FlowState? { scope(of: branch)?.state(branch.state) }

    mutating func add(_ branch: FlowBranch) {
        nextBranch = max(nextBranch, branch.number + 1)
        put(branch)
        ready.append(branch.number)
    }

    mutating func put(_ branch: FlowBranch) {
        branches[branch.number] = branch
        changes.branches.insert(branch.number)
    }

    mutating func goOn(_ branch: FlowBranch, in phase: FlowBranch.Phase) {
        var branch = branch
        branch.phase = phase
        put(branch)
        ready.append(branch.number)
    }

    /// Takes a branch away, with all that it waits for.
    mutating func remove(_ number: Int) {
        guard let branch = branches.removeValue(forKey: number) else { return }
        changes.branches.insert(number)
        if let call = branch.call { changes.cancelled.append((number, call.attempt)) }
        if case .joining = branch.phase { removeChildren(of: number) }
    }

    mutating func removeChildren(of number: Int) {
        for child in branches.values.filter({ $0.parent == number }) { remove(child.number) }
        if results.removeValue(forKey: number) != nil { changes.joined.insert(number) }
        changes.results.removeAll { $0.parent == number }
    }

    // MARK: The end

    mutating func end(_ status: FlowStatus, _ fault: FlowFault?, output: JSONValue? = nil, after event: Int = 0) {
        guard isRunning else { return }
        // The end of one that is stopped leads on from nothing.
        let previous = status == .aborted ? 0 : event == 0 ? eventCount : event
        for number in branches.keys where branches[number]?.parent == nil { remove(number) }
        (self.status, self.fault, self.output) = (status, fault, output)
        stoppedMilliseconds = now
        ready = []
        var details: [(String, JSONValue)] = []
        if let output { details.append(("output", output)) }
        if let fault {
            // A Fail without them says nothing.
            if !fault.error.isEmpty { details.append(("error", .string(fault.error))) }
            if !fault.cause.isEmpty { details.append(("cause", .string(fault.cause))) }
        }
        let (type, name) =
            switch status {
            case .succeeded: ("ExecutionSucceeded", "executionSucceededEventDetails")
            case .timedOut: ("ExecutionTimedOut", "executionTimedOutEventDetails")
            case .aborted: ("ExecutionAborted", "executionAbortedEventDetails")
            case .failed, .running: ("ExecutionFailed", "executionFailedEventDetails")
            }
        _ = note(type, after: previous, (name, details))
    }
}
