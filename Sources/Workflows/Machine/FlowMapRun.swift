import JSON

/// A run of a distributed `Map`: what its state says, as the execution was when the state began.
package final class FlowMapRun: Sendable {
    /// In the run's ARN.
    let id: String
    /// The machine of its executions: `orders/rows`.
    let machine: String
    let arn: String
    let parent: Int64
    let distribution: FlowDistribution
    /// Nil: a bucket has them.
    let items: [JSONValue]?
    private let execution: FlowExecution
    private let branch: FlowBranch
    private let state: FlowState
    private let map: FlowMap

    init(
        _ run: FlowBranch.Run, _ execution: FlowExecution, _ branch: FlowBranch, _ state: FlowState, _ map: FlowMap,
        _ distribution: FlowDistribution, items: [JSONValue]?
    ) {
        id = run.id
        machine = "\(execution.identity.machineName)/\(run.label)"
        arn = execution.arn(of: run)
        parent = execution.identity.number
        self.execution = execution.withOwnSteps
        (self.branch, self.state, self.map) = (branch, state, map)
        (self.distribution, self.items) = (distribution, items)
    }

    var chance: FlowChance { execution.chance }

    /// The settings of the run by its state.
    func settings() throws(FlowFault) -> FlowRunSettings {
        execution.steps.beginState()
        let input = try execution.selected(branch, state)
        let data = try execution.data(branch, state, input: input)
        let parts: JSONValue
        switch distribution.parts {
        case .path(let template): parts = try template.value(data, execution.chance)
        case .query(let template):
            guard let query = data.query else { throw .runtime("The state has no data.") }
            parts = try template.value(query)
        }
        return try FlowRunSettings(
            parts,
            concurrency: try map.concurrency.value(data, field: "MaxConcurrencyPath", 0...Int64(Int32.max)),
            tolerance: distribution.tolerance)
    }

    /// The input of an execution for elements from a place on.
    func given(_ items: ArraySlice<JSONValue>) throws(FlowFault) -> [JSONValue] {
        execution.steps.beginState()
        let input = try execution.selected(branch, state)
        var all: [JSONValue] = []
        for place in items.indices {
            execution.steps.beginState()
            all.append(try execution.given(items[place], place, of: map, branch, state, input))
        }
        return all
    }
}

extension FlowExecution {
    /// The same with a count of its own: it is looked at beside the one that goes on.
    fileprivate var withOwnSteps: FlowExecution {
        var copy = FlowExecution(identity, definition, chance)
        copy.branches = branches
        copy.now = now
        return copy
    }

    func arn(of run: FlowBranch.Run) -> String {
        let start = identity.machineARN.parts(separatedBy: ":").prefix(5).joined(separator: ":")
        return "\(start):mapRun:\(identity.machineName)/\(run.label):\(run.id)"
    }

    /// Begins the run of a distributed `Map`.
    mutating func beginRun(
        _ branch: FlowBranch, _ state: FlowState, _ map: FlowMap, _ distribution: FlowDistribution
    ) throws(FlowFault) {
        var branch = branch
        branch.items = nil
        let items = distribution.source == nil ? try items(of: map, branch, state) : nil
        if state.query != nil { branch.items = items }
        branch.lastEvent = note(
            "MapStateStarted", after: branch.lastEvent,
            ("mapStateStartedEventDetails", [("length", .integer(Int64(items?.count ?? 0)))]))
        put(branch)
        let run = FlowBranch.Run(id: chance.makeID(), label: distribution.label ?? chance.makeID())
        try checkSettings(FlowMapRun(run, self, branch, state, map, distribution, items: items))
        branch.lastEvent = note(
            "MapRunStarted", after: branch.lastEvent,
            ("mapRunStartedEventDetails", [("mapRunArn", .string(arn(of: run)))]))
        let call = FlowBranch.Call(
            attempt: eventCount, secret: nil, deadline: nil, heartbeatMilliseconds: nil, heartbeatDeadline: nil,
            run: run)
        branch.phase = .calling(call)
        put(branch)
        changes.calls.append(
            self.call(
                branch, call, .mapRun, .null,
                run: FlowMapRun(run, self, branch, state, map, distribution, items: items)))
    }

    /// Throws where a setting of a run is a value that it cannot be. All else that is wrong with a run is an end of the run.
    private func checkSettings(_ run: FlowMapRun) throws(FlowFault) {
        do throws(FlowFault) { _ = try run.settings() } catch { if error.isUnplaced { throw error } }
    }

    /// Goes on with a run that an earlier process has begun.
    mutating func resumeRun(_ branch: FlowBranch, _ call: FlowBranch.Call, _ run: FlowBranch.Run) {
        guard let state = state(of: branch), case .map(let map) = state.kind, let distribution = map.distribution
        else { return }
        do throws(FlowFault) {
            let items = distribution.source == nil ? try items(of: map, branch, state) : nil
            changes.calls.append(
                self.call(
                    branch, call, .mapRun, .null,
                    run: FlowMapRun(run, self, branch, state, map, distribution, items: items)))
        } catch {
            fail(branch, error)
        }
    }

    /// A run has come to its end.
    mutating func endRun(_ branch: FlowBranch, _ state: FlowState, _ outcome: Result<JSONValue, FlowFault>) {
        var branch = branch
        let begun = branch.lastEvent
        branch.phase = .ready
        switch outcome {
        case .failure(let fault):
            branch.lastEvent = note(
                "MapRunFailed", after: begun,
                ("mapRunFailedEventDetails", [("error", .string(fault.error)), ("cause", .string(fault.cause))]))
            put(branch)
            fail(branch, fault)
        case .success(let value):
            branch.lastEvent = note("MapRunSucceeded", after: begun)
            note("MapStateSucceeded", after: branch.lastEvent)
            put(branch)
            do throws(FlowFault) {
                try leave(branch, state, with: try value.checked(of: state.name))
            } catch {
                fail(branch, error)
            }
        }
    }
}
