import JSON

/// What becomes of errors: a state is tried again, an error leads to another state, or it is that of the whole.
extension FlowExecution {
    mutating func fail(_ branch: FlowBranch, _ fault: FlowFault) {
        guard isRunning else { return }
        if case .joining = branch.phase { removeChildren(of: branch.number) }
        var branch = branch
        var fault = fault
        let isOfMachine = fault.isUnplaced
        guard let state = state(of: branch) else { return failWhole(branch, fault) }
        if fault.location != nil {
            fault = fault.at(state.name, enteredAt: branch.enteredEvent)
            branch.lastEvent = noteEvaluation(branch, fault)
            fault.location = nil
        } else if fault.isUnplaced {
            fault = fault.at(state.name, enteredAt: branch.enteredEvent)
        }
        if let place = state.retriers.firstIndex(where: { fault.isMet(by: $0.errors) }) {
            let retrier = state.retriers[place]
            while branch.tries.count <= place { branch.tries.append(0) }
            if branch.tries[place] < retrier.attemptsMax {
                branch.tries[place] += 1
                branch.phase = .retrying(
                    until: now + retrier.delayMilliseconds(before: branch.tries[place], chance))
                return put(branch)
            }
        }
        // A state that is tried again has not failed, and what the machine itself cannot do ends the execution.
        switch state.kind {
        case _ where isOfMachine: break
        case .parallel: branch.lastEvent = note("ParallelStateFailed", after: branch.lastEvent)
        case .map: branch.lastEvent = note("MapStateFailed", after: branch.lastEvent)
        default: break
        }
        guard let catcher = state.catchers.first(where: { fault.isMet(by: $0.errors) }) else {
            return failWhole(branch, fault)
        }
        do throws(FlowFault) {
            try caught(branch, state, fault, catcher)
        } catch {
            let isPlaced = error.location == nil && !error.isUnplaced
            failWhole(branch, isPlaced ? error : error.at(state.name, enteredAt: branch.enteredEvent))
        }
    }

    private mutating func caught(
        _ branch: FlowBranch, _ state: FlowState, _ fault: FlowFault, _ catcher: FlowCatcher
    ) throws(FlowFault) {
        let assigned = try assigned(
            catcher.outcome?.assign, branch, result: fault.output, error: fault.output)
        if state.query != nil {
            var output = fault.output
            if let template = catcher.outcome?.output {
                output = try template.value(try queryData(branch, error: fault.output)).checked(of: state.name)
            }
            return go(branch, state, with: output, to: catcher.next, assigning: assigned)
        }
        var output = branch.input
        if let path = catcher.resultPath {
            guard let merged = path.putting(fault.output, in: branch.input), FlowSize.bytes(of: merged) != nil else {
                throw FlowFault(
                    "States.ResultPathMatchFailure",
                    "Unable to put an error at the ResultPath '\(path.text)' of the state '\(state.name)'.")
            }
            output = merged
        }
        go(branch, state, with: output, to: catcher.next, assigning: assigned)
    }

    /// A branch fails, and with it the state that has it; at last the execution.
    private mutating func failWhole(_ branch: FlowBranch, _ fault: FlowFault) {
        guard let number = branch.parent, var parent = branches[number] else {
            return end(.failed, fault, after: branch.lastEvent)
        }
        parent.lastEvent = branch.lastEvent
        if case .map? = state(of: parent)?.kind {
            note(
                "MapIterationFailed", after: branch.lastEvent,
                Self.iteration("MapIterationFailed", parent.state, branch.place))
        }
        fail(parent, fault)
    }
}
