import JSON
import JSONata

/// Variables, and what expressions in JSONata see.
///
/// A variable belongs to the branch that assigns it. Branches of a state see those around it, and theirs end with them.
extension FlowExecution {
    /// All variables that a branch sees, those around it first.
    func variables(of branch: FlowBranch) -> JSONObject {
        guard let parent = branch.parent.flatMap({ branches[$0] }) else { return branch.variables }
        var all = variables(of: parent)
        for member in branch.variables.members { all.set(member.key, to: member.value) }
        return all
    }

    func queryData(
        _ branch: FlowBranch, result: JSONValue? = nil, error: JSONValue? = nil,
        item: (place: Int, value: JSONValue)? = nil
    ) throws(FlowFault) -> FlowQueryData {
        var states = JSONObject([("input", branch.input), ("context", context(of: branch, item: item))])
        if let result { states.set("result", to: result) }
        if let error { states.set("errorOutput", to: error) }
        var variables = JSONataVariables()
        for member in self.variables(of: branch).members {
            try steps.spend(on: member.value)
            variables.set(member.key, to: member.value)
        }
        try steps.spend(on: .object(states))
        variables.set("states", to: .object(states))
        return FlowQueryData(
            variables: variables,
            surroundings: JSONataSurroundings(
                milliseconds: Double(now), fraction: chance.fraction, makeID: chance.makeID), steps: steps)
    }

    /// What a state of that kind sees, in its language.
    func data(_ branch: FlowBranch, _ state: FlowState, input: JSONValue) throws(FlowFault) -> FlowData {
        guard state.query != nil else { return data(branch, input: input) }
        var data = FlowData(input: input, context: .null, steps: steps)
        data.query = try queryData(branch)
        return data
    }

    /// The variables that a state assigns: each sees the former values of all.
    func assigned(
        _ assignment: FlowOutcome.Assignment?, _ branch: FlowBranch, result: JSONValue, error: JSONValue? = nil
    ) throws(FlowFault) -> JSONObject {
        let value: JSONValue
        switch assignment {
        case nil: return JSONObject()
        case .path(let template): value = try template.value(data(branch, input: error ?? result), chance)
        case .query(let template):
            value = try template.value(try queryData(branch, result: error == nil ? result : nil, error: error))
        }
        let checked = try value.checked("The variables that the state '\(branch.state)' assigns")
        var all = branch.variables
        for member in checked.object?.members ?? [] { all.set(member.key, to: member.value) }
        guard FlowSize.bytes(of: .object(all), max: WorkflowLimits.variablesBytesMax) != nil else {
            throw FlowFault(
                FlowFault.dataName,
                "The variables of the execution have more than \(WorkflowLimits.variablesBytesMax) bytes.")
        }
        return checked.object ?? JSONObject()
    }

    /// A state in JSONata has its result.
    mutating func leaveQuery(
        _ branch: FlowBranch, _ state: FlowState, with result: JSONValue, to next: String?, _ outcome: FlowOutcome?
    ) throws(FlowFault) {
        let outcome = outcome ?? state.outcome
        var output = result
        var assigned = JSONObject()
        if let outcome {
            assigned = try self.assigned(outcome.assign, branch, result: result)
            if let template = outcome.output {
                output = try template.value(try queryData(branch, result: state.hasResult ? result : nil))
            }
        }
        output = try output.checked(of: state.name)
        go(branch, state, with: output, to: next ?? state.next, assigning: assigned)
    }
}
