import JSON

/// What states see.
extension FlowExecution {
    func data(_ branch: FlowBranch, input: JSONValue) -> FlowData {
        FlowData(
            input: input, context: context(of: branch, item: nil), variables: variables(of: branch), steps: steps)
    }

    /// The part of its input that a state looks at.
    func selected(_ branch: FlowBranch, _ state: FlowState) throws(FlowFault) -> JSONValue {
        guard let path = state.inputPath else { return .object(JSONObject()) }
        return try path.demanded(in: data(branch, input: branch.input), by: "InputPath")
    }

    /// The same, as its parameters make it.
    func effectiveInput(_ branch: FlowBranch, _ state: FlowState) throws(FlowFault) -> JSONValue {
        if let query = state.query {
            guard let arguments = query.arguments else { return branch.input }
            return try arguments.value(try queryData(branch)).checked("The input of the state '\(state.name)'")
        }
        let input = try selected(branch, state)
        guard let parameters = state.parameters else { return input }
        return try parameters.value(data(branch, input: input), chance).checked(
            "The input of the state '\(state.name)'")
    }

    /// What is known of the execution: `$$`.
    ///
    /// - Parameter item: the element of a `Map` that is about to be begun.
    func context(of branch: FlowBranch, item: (place: Int, value: JSONValue)?) -> JSONValue {
        let execution: JSONValue = [
            "Id": .string(identity.arn), "Input": identity.input, "Name": .string(identity.name),
            "RoleArn": .string(identity.roleARN), "StartTime": .string(Self.time(identity.startedMilliseconds)),
        ]
        let machine: JSONValue = ["Id": .string(identity.machineARN), "Name": .string(identity.machineName)]
        var state = JSONObject([
            ("EnteredTime", .string(Self.time(branch.enteredMilliseconds))), ("Name", .string(branch.state)),
        ])
        if self.state(of: branch)?.hasResult ?? true {
            state.set("RetryCount", to: .integer(branch.tries.reduce(0) { $0 &+ $1 }))
        }
        var context = JSONObject([("Execution", execution), ("StateMachine", machine), ("State", .object(state))])
        if branch.call != nil, let pattern = resource(of: branch)?.pattern, pattern != .answer {
            context.set("Task", to: ["Token": .string(token(of: branch) ?? "")])
        }
        if let item = item ?? self.item(of: branch) {
            context.set(
                "Map", to: ["Item": ["Index": .integer(Int64(item.place)), "Value": item.value]])
        }
        return .object(context)
    }

    /// The element that a branch, or the nearest one around it, is for.
    private func item(of branch: FlowBranch) -> (place: Int, value: JSONValue)? {
        var branch = branch
        while true {
            if let item = branch.item { return (branch.place, item) }
            guard let parent = branch.parent.flatMap({ branches[$0] }) else { return nil }
            branch = parent
        }
    }

    /// By what somebody else ends a task: whose it is, and what only they can know who were told.
    func token(of branch: FlowBranch) -> String? {
        branch.call?.secret.map { FlowToken(execution: identity.number, branch: branch.number, secret: $0).text }
    }

    static func time(_ milliseconds: Int64) -> String { Timestamp(millisecondsSince1970: milliseconds).text }
}

/// The token of a task.
struct FlowToken: Sendable {
    let execution: Int64
    let branch: Int
    let secret: String

    init(execution: Int64, branch: Int, secret: String) {
        (self.execution, self.branch, self.secret) = (execution, branch, secret)
    }

    var text: String { "\(execution).\(branch).\(secret)" }

    init?(_ text: String) {
        let parts = text.parts(separatedBy: ".")
        guard parts.count == 3, let execution = Int64(parts[0]), let branch = Int(parts[1]), !parts[2].isEmpty else {
            return nil
        }
        self.init(execution: execution, branch: branch, secret: parts[2])
    }
}
