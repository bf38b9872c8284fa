import JSON

/// What each state does.
extension FlowExecution {
    /// Enters the state that a branch is at, or tries it again.
    mutating func step(_ branch: FlowBranch) {
        steps.beginState()
        var branch = branch
        guard let state = state(of: branch) else {
            return fail(branch, .runtime("There is no state \(branch.state)."))
        }
        if case .entering = branch.phase {
            guard eventCount < WorkflowLimits.eventsMax else {
                return end(
                    .failed,
                    .runtime(
                        "The execution reached the maximum number of history events (\(WorkflowLimits.eventsMax))."))
            }
            branch.enteredMilliseconds = now
            branch.tries = [Int64](repeating: 0, count: state.retriers.count)
            branch.lastEvent = noteEntry(branch, state)
            branch.enteredEvent = branch.lastEvent
            branch.phase = .ready
            put(branch)
        }
        do throws(FlowFault) {
            try run(branch, state)
        } catch {
            // Whatever the state was about to begin is not begun.
            fail(branches[branch.number] ?? branch, error)
        }
    }

    private mutating func run(_ branch: FlowBranch, _ state: FlowState) throws(FlowFault) {
        switch state.kind {
        case .pass(let result):
            let input = try effectiveInput(branch, state)
            try leave(branch, state, with: result ?? input)
        case .succeed: try leave(branch, state, with: try selected(branch, state))
        case .fail(let error, let cause):
            let data = try data(branch, state, input: branch.input)
            throw FlowFault(
                try error?.value(data, chance, field: "ErrorPath") ?? "",
                try cause?.value(data, chance, field: "CausePath") ?? "")
        case .choice(let rules, let otherwise):
            let input = try selected(branch, state)
            let data = try data(branch, state, input: input)
            for rule in rules where try rule.test.holds(data) {
                return try leave(branch, state, with: input, to: rule.next, rule.outcome ?? FlowOutcome.nothing)
            }
            guard let otherwise else {
                throw FlowFault(
                    "States.NoChoiceMatched", "No choice of the state '\(state.name)' is met, and it has no Default.")
            }
            try leave(branch, state, with: input, to: otherwise)
        case .wait(let wait):
            let until = try end(of: wait, branch, state)
            guard until > now else { return try leave(branch, state, with: try selected(branch, state)) }
            var branch = branch
            branch.phase = .waiting(until: until)
            put(branch)
        case .task(let task): try ask(branch, state, task)
        case .parallel(let inner):
            let input = try effectiveInput(branch, state)
            try beginChildren(of: branch, count: inner.count, "ParallelStateStarted", details: nil)
            for (place, definition) in inner.enumerated() {
                try addChild(of: branch.number, place, definition, input, item: nil)
            }
        case .map(let map):
            if case .path = map.concurrency {
                let data = try data(branch, state, input: try selected(branch, state))
                _ = try map.concurrency.value(data, field: "MaxConcurrencyPath", 0...Int64(Int32.max))
            }
            if let distribution = map.distribution { return try beginRun(branch, state, map, distribution) }
            var branch = branch
            branch.items = nil
            let items = try items(of: map, branch, state)
            guard !items.isEmpty else {
                branch.lastEvent = note(
                    "MapStateStarted", after: branch.lastEvent,
                    ("mapStateStartedEventDetails", [("length", .integer(0))]))
                note("MapStateSucceeded", after: branch.lastEvent)
                put(branch)
                return try leave(branch, state, with: [])
            }
            if state.query != nil { branch.items = items }
            try beginChildren(
                of: branch, count: items.count, "MapStateStarted",
                details: ("mapStateStartedEventDetails", [("length", .integer(Int64(items.count)))]))
            try beginItems(of: branch.number, items, map, state)
        }
    }

    private func end(of wait: FlowWait, _ branch: FlowBranch, _ state: FlowState) throws(FlowFault) -> Int64 {
        let data = try data(branch, state, input: try selected(branch, state))
        switch wait {
        case .seconds(let number):
            return now + 1_000 * (try number.value(data, field: "SecondsPath", 0...WorkflowLimits.secondsMax))
        case .time(let text):
            let written = try text.value(data, chance, field: "TimestampPath")
            guard let time = Timestamp(written) else {
                let path = if case .expression(.path(let path)) = text { "\(path.text) == " } else { "" }
                guard state.query == nil else {
                    throw .query(
                        "The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: \(written)",
                        location: "Timestamp")
                }
                throw .runtime(
                    "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: \(path)\(written)"
                )
            }
            return time.millisecondsSince1970
        }
    }

    /// The time of a state that waits has come.
    mutating func leaveWait(_ branch: FlowBranch) {
        guard let state = state(of: branch) else { return }
        do throws(FlowFault) { try leave(branch, state, with: try selected(branch, state)) } catch {
            fail(branch, error)
        }
    }

    // MARK: Tasks

    private mutating func ask(_ branch: FlowBranch, _ state: FlowState, _ task: FlowTask) throws(FlowFault) {
        guard task.resource.isServed else { throw task.resource.refusal }
        let data = try data(branch, state, input: try selected(branch, state))
        let milliseconds = try task.timeout?.value(data, field: "TimeoutSeconds", 1...WorkflowLimits.secondsMax)
        let beat = try task.heartbeat?.value(data, field: "HeartbeatSeconds", 1...WorkflowLimits.secondsMax)
        var branch = branch
        let call = FlowBranch.Call(
            attempt: eventCount, secret: chance.makeID(), deadline: milliseconds.map { now + $0 * 1_000 },
            heartbeatMilliseconds: beat.map { $0 * 1_000 }, heartbeatDeadline: beat.map { now + $0 * 1_000 })
        branch.phase = .calling(call)
        let input = try effectiveInput(branch, state)
        branch.lastEvent = noteTask(branch, task, input, seconds: milliseconds, beat: beat)
        put(branch)
        changes.calls.append(self.call(branch, call, task.resource, input))
    }

    /// Asks again what an earlier process has asked.
    mutating func ask(_ branch: FlowBranch, _ call: FlowBranch.Call) {
        if let run = call.run { return resumeRun(branch, call, run) }
        guard let state = state(of: branch), case .task(let task) = state.kind else { return }
        do throws(FlowFault) {
            changes.calls.append(self.call(branch, call, task.resource, try effectiveInput(branch, state)))
        } catch {
            fail(branch, error)
        }
    }

    func call(
        _ branch: FlowBranch, _ call: FlowBranch.Call, _ resource: FlowResource, _ input: JSONValue,
        run: FlowMapRun? = nil
    ) -> FlowCall {
        FlowCall(
            execution: identity.number, executionARN: identity.arn, machineARN: identity.machineARN,
            branch: branch.number, attempt: call.attempt, resource: resource, input: input,
            token: token(of: branch), name: "\(identity.number)-\(branch.number)-\(call.secret ?? "")",
            timeoutMilliseconds: call.deadline.map { max($0 - now, 1) }, run: run)
    }

    func resource(of branch: FlowBranch) -> FlowResource? {
        if case .task(let task)? = state(of: branch)?.kind { task.resource } else { nil }
    }

    mutating func succeed(_ branch: FlowBranch, _ given: JSONValue) {
        guard let state = state(of: branch) else { return }
        if branch.call?.run != nil { return endRun(branch, state, .success(given)) }
        guard case .task(let task) = state.kind else { return }
        let value: JSONValue
        do throws(FlowFault) { value = try given.checked(of: task.resource.resultName) } catch {
            return failTask(branch, error)
        }
        var branch = branch
        do throws(FlowFault) {
            branch.lastEvent = noteTaskEnd(branch, task, .success(value))
            branch.phase = .ready
            put(branch)
            try leave(branch, state, with: value)
        } catch {
            fail(branch, error)
        }
    }

    mutating func failTask(_ branch: FlowBranch, _ fault: FlowFault, isTimeout: Bool = false) {
        if let state = state(of: branch), branch.call?.run != nil { return endRun(branch, state, .failure(fault)) }
        guard case .task(let task)? = state(of: branch)?.kind else { return fail(branch, fault) }
        var branch = branch
        if let call = branch.call { changes.cancelled.append((branch.number, call.attempt)) }
        branch.lastEvent = noteTaskEnd(branch, task, .failure(fault), isTimeout: isTimeout)
        branch.phase = .ready
        put(branch)
        fail(branch, fault)
    }

    // MARK: Branches of a state

    private mutating func beginChildren(
        of branch: FlowBranch, count: Int, _ type: String, details: (String, [(String, JSONValue)])?
    ) throws(FlowFault) {
        var branch = branch
        branch.lastEvent = note(type, after: branch.lastEvent, details)
        branch.phase = .joining(FlowBranch.Join(count: count))
        put(branch)
    }

    private mutating func addChild(
        of number: Int, _ place: Int, _ definition: FlowDefinition, _ input: JSONValue, item: JSONValue?,
        after event: Int? = nil
    ) throws(FlowFault) {
        guard branches.count < WorkflowLimits.branchesMax else {
            throw .runtime("More than \(WorkflowLimits.branchesMax) branches are under way at the same time.")
        }
        guard var parent = branches[number], case .joining(var join) = parent.phase else { return }
        join.begun += 1
        parent.phase = .joining(join)
        put(parent)
        add(
            FlowBranch(
                number: nextBranch, parent: number, place: place, item: item, state: definition.startAt, input: input,
                phase: .entering, lastEvent: event ?? parent.lastEvent))
    }

    func items(of map: FlowMap, _ branch: FlowBranch, _ state: FlowState) throws(FlowFault) -> [JSONValue] {
        let input = try selected(branch, state)
        if let query = state.query {
            if let kept = branch.items { return kept }
            guard let template = query.items else {
                guard let items = input.array else {
                    throw .query(
                        "Map state input must be an array but was: \(JSONWriter.text(of: input))", location: "")
                }
                return items
            }
            let value = try template.value(try queryData(branch))
            guard let items = value.array else {
                throw template.expression?.unexpected(value, wanted: "array")
                    ?? .query(
                        "The field 'Items'" + FlowQueryText.unexpected(value, wanted: "array"), location: "Items")
            }
            return items
        }
        let found = try map.itemsPath?.demanded(in: data(branch, input: input), by: "ItemsPath") ?? .null
        guard let items = found.array else {
            throw .runtime("Reference path '\(map.itemsPath?.text ?? "null")' must point to array.")
        }
        return items
    }

    /// The input of the branch, or the execution, of an element.
    ///
    /// - Parameter input: the part of its input that the state looks at.
    func given(
        _ item: JSONValue, _ place: Int, of map: FlowMap, _ branch: FlowBranch, _ state: FlowState, _ input: JSONValue
    ) throws(FlowFault) -> JSONValue {
        if let selector = state.query?.selector {
            return try selector.value(try queryData(branch, item: (place, item)))
                .checked("What the state '\(state.name)' gives an element")
        }
        guard let selector = map.selector else { return item }
        let context = context(of: branch, item: (place, item))
        let data = FlowData(input: input, context: context, variables: variables(of: branch), steps: steps)
        return try selector.value(data, chance).checked("What the state '\(state.name)' gives an element")
    }

    /// Begins as many elements as may be under way.
    ///
    /// - Parameter event: the end of the element whose place they take; nil: the beginning of the state.
    private mutating func beginItems(
        of number: Int, _ items: [JSONValue], _ map: FlowMap, _ state: FlowState, after event: Int? = nil
    ) throws(FlowFault) {
        guard let branch = branches[number] else { return }
        let input = try selected(branch, state)
        let wanted = try map.concurrency.value(
            try data(branch, state, input: input), field: "MaxConcurrencyPath", 0...Int64(Int32.max))
        let most = wanted == 0 ? WorkflowLimits.mapConcurrencyMax : min(Int(wanted), WorkflowLimits.mapConcurrencyMax)
        while case .joining(let join)? = branches[number]?.phase, join.begun - join.ended < most,
            join.begun < min(items.count, join.count)
        {
            let place = join.begun
            let item = items[place]
            let given = try given(item, place, of: map, branch, state, input)
            let begun = note(
                "MapIterationStarted", after: event ?? branch.lastEvent,
                Self.iteration("MapIterationStarted", state.name, place))
            try addChild(of: number, place, map.inner, given, item: item, after: begun)
        }
    }

    /// A branch of a state has ended.
    private mutating func endChild(_ branch: FlowBranch, of number: Int, with output: JSONValue) {
        branches[branch.number] = nil
        changes.branches.insert(branch.number)
        guard var parent = branches[number], case .joining(var join) = parent.phase, let state = state(of: parent)
        else {
            return
        }
        join.ended += 1
        join.bytes += FlowSize.bytes(of: output) ?? WorkflowLimits.dataBytesMax
        parent.phase = .joining(join)
        parent.lastEvent = branch.lastEvent
        put(parent)
        results[number, default: [:]][branch.place] = output
        changes.results.append((number, branch.place, output))
        do throws(FlowFault) {
            guard join.bytes <= WorkflowLimits.dataBytesMax else {
                throw .tooLarge(of: state.name)
            }
            if case .map(let map) = state.kind {
                noteIteration("MapIterationSucceeded", of: number, branch.place)
                if join.ended < join.count {
                    return try beginItems(
                        of: number, try items(of: map, parent, state), map, state, after: branch.lastEvent)
                }
            }
            guard join.ended == join.count else { return }
            let all = results[number] ?? [:]
            let list = (0..<join.count).map { all[$0] ?? .null }
            removeChildren(of: number)
            guard var ended = branches[number] else { return }
            // The end of the state leads on from its last branch, as its success does.
            note(
                state.typeName == "Map" ? "MapStateSucceeded" : "ParallelStateSucceeded", after: ended.lastEvent)
            ended.phase = .ready
            put(ended)
            try leave(ended, state, with: .array(list))
        } catch {
            fail(branches[number] ?? parent, error)
        }
    }

    // MARK: Leaving

    /// A state has its result: what comes of it goes to the next one.
    ///
    /// - Parameter outcome: that of a rule that is met; nil: that of the state.
    mutating func leave(
        _ branch: FlowBranch, _ state: FlowState, with result: JSONValue, to next: String? = nil,
        _ outcome: FlowOutcome? = nil
    ) throws(FlowFault) {
        // What comes here may be an answer, long after the state was entered.
        steps.beginState()
        try steps.spend(on: result)
        if state.query != nil { return try leaveQuery(branch, state, with: result, to: next, outcome) }
        var result = result
        if let selector = state.selector { result = try selector.value(data(branch, input: result), chance) }
        var merged = result
        switch state.kind {
        case .task, .parallel, .map, .pass:
            guard let path = state.resultPath else {
                merged = branch.input
                break
            }
            guard let put = path.putting(result, in: branch.input) else {
                throw FlowFault(
                    "States.ResultPathMatchFailure",
                    "Unable to apply the ResultPath '\(path.text)' of the state '\(state.name)' to its input.")
            }
            merged = put
        default: break
        }
        var output = JSONValue.object(JSONObject())
        if let path = state.outputPath {
            output = try path.demanded(in: data(branch, input: merged), by: "OutputPath")
        }
        output = try output.checked(of: state.name)
        let assigned = try assigned((outcome ?? state.outcome)?.assign, branch, result: result)
        go(branch, state, with: output, to: next ?? state.next, assigning: assigned)
    }

    /// Goes to the next state, or to the end of the branch.
    mutating func go(
        _ branch: FlowBranch, _ state: FlowState, with output: JSONValue, to next: String?,
        assigning variables: JSONObject = JSONObject()
    ) {
        var branch = branch
        branch.lastEvent = noteExit(branch, state, output, variables)
        branch.items = nil
        for member in variables.members { branch.variables.set(member.key, to: member.value) }
        if let next {
            branch.state = next
            branch.input = output
            return goOn(branch, in: .entering)
        }
        guard let parent = branch.parent else {
            return end(.succeeded, nil, output: output, after: branch.lastEvent)
        }
        endChild(branch, of: parent, with: output)
    }
}
