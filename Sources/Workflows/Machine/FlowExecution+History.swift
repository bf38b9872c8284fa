import JSON

/// The events of an execution's history.
extension FlowExecution {
    /// Writes an event down, and gives its number.
    ///
    /// - Parameter input: the words of its input; nil: those that it has here.
    @discardableResult
    mutating func note(
        _ type: String, after previous: Int, _ details: (String, [(String, JSONValue)])? = nil,
        text input: String? = nil
    ) -> Int {
        eventCount += 1
        guard !identity.isExpress else { return eventCount }
        var kept: (name: String, value: JSONObject)?
        if let (name, members) = details {
            var object = JSONObject()
            for (name, value) in members {
                // What states are told and give stands there as a text.
                let isData = name == "input" || name == "output" || name == "parameters"
                guard isData else {
                    object.set(name, to: value)
                    continue
                }
                let text = input ?? JSONWriter.text(of: value)
                changes.bytes += Int64(text.utf8.count)
                let isKept = historyBytes + Int64(text.utf8.count) <= WorkflowLimits.historyBytesMax
                if isKept {
                    historyBytes += Int64(text.utf8.count)
                    object.set(name, to: .string(text))
                }
                if name != "parameters" { object.set("\(name)Details", to: ["truncated": .bool(!isKept)]) }
            }
            kept = (name, object)
        }
        changes.events.append(
            FlowEvent(number: eventCount, previous: previous, type: type, milliseconds: now, details: kept))
        return eventCount
    }

    mutating func noteEntry(_ branch: FlowBranch, _ state: FlowState) -> Int {
        note(
            "\(state.typeName)StateEntered", after: branch.lastEvent,
            ("stateEnteredEventDetails", [("name", .string(state.name)), ("input", branch.input)]))
    }

    mutating func noteExit(
        _ branch: FlowBranch, _ state: FlowState, _ output: JSONValue, _ assigned: JSONObject
    ) -> Int {
        var details: [(String, JSONValue)] = [("name", .string(state.name)), ("output", output)]
        if !assigned.isEmpty {
            let texts: [(String, JSONValue)] = assigned.members.map {
                ($0.key, .string(JSONWriter.text(of: $0.value)))
            }
            let bytes = texts.reduce(Int64(0)) { $0 + Int64($1.1.string?.utf8.count ?? 0) }
            let isKept = historyBytes + bytes <= WorkflowLimits.historyBytesMax
            if isKept {
                historyBytes += bytes
                changes.bytes += bytes
                details.append(("assignedVariables", .object(JSONObject(texts))))
            }
            details.append(("assignedVariablesDetails", ["truncated": .bool(!isKept)]))
        }
        return note(
            "\(state.typeName)StateExited", after: branch.lastEvent, ("stateExitedEventDetails", details))
    }

    /// An expression of the state has failed.
    mutating func noteEvaluation(_ branch: FlowBranch, _ fault: FlowFault) -> Int {
        var details: [(String, JSONValue)] = [
            ("error", .string(fault.error)), ("cause", .string(fault.cause)), ("state", .string(branch.state)),
        ]
        // The input of a state has no name.
        if let location = fault.location, !location.isEmpty { details.append(("location", .string(location))) }
        return note("EvaluationFailed", after: branch.lastEvent, ("evaluationFailedEventDetails", details))
    }

    mutating func noteIteration(_ type: String, of number: Int, _ place: Int) {
        guard var parent = branches[number] else { return }
        parent.lastEvent = note(type, after: parent.lastEvent, Self.iteration(type, parent.state, place))
        put(parent)
    }

    static func iteration(_ type: String, _ state: String, _ place: Int) -> (String, [(String, JSONValue)]) {
        let member = "\(type.prefix(1).lowercased())\(type.dropFirst())EventDetails"
        return (member, [("name", .string(state)), ("index", .integer(Int64(place)))])
    }

    // MARK: Tasks

    private static func kind(of resource: FlowResource) -> [(String, JSONValue)] {
        switch resource.kind {
        case .function, .mapRun: return [("resource", .string(resource.text))]
        case .service(let service, let operation):
            let ending = resource.pattern == .answer ? "" : ".\(resource.pattern.rawValue)"
            return [("resourceType", .string(service)), ("resource", .string(operation + ending))]
        }
    }

    /// A function that is named by its ARN has events of its own.
    private static func name(_ what: String, _ resource: FlowResource) -> String {
        if case .function = resource.kind { "LambdaFunction\(what)" } else { "Task\(what)" }
    }

    private mutating func note(
        _ what: String, _ resource: FlowResource, after event: Int, _ details: [(String, JSONValue)]
    ) -> Int {
        let type = Self.name(what, resource)
        return note(type, after: event, ("\(type.prefix(1).lowercased())\(type.dropFirst())EventDetails", details))
    }

    /// - Parameters:
    ///   - seconds: how long the task may take; nil: as long as it takes.
    ///   - beat: how often it has to say that it is alive.
    mutating func noteTask(
        _ branch: FlowBranch, _ task: FlowTask, _ input: JSONValue, seconds: Int64?, beat: Int64?
    ) -> Int {
        var details = Self.kind(of: task.resource)
        if let seconds { details.append(("timeoutInSeconds", .integer(seconds))) }
        if case .function = task.resource.kind {
            details.append(("input", input))
            let scheduled = note("Scheduled", task.resource, after: branch.lastEvent, details)
            return note(Self.name("Started", task.resource), after: scheduled)
        }
        if let beat { details.append(("heartbeatInSeconds", .integer(beat))) }
        let parts = identity.machineARN.parts(separatedBy: ":")
        details += [("region", .string(parts.count > 3 ? parts[3] : "")), ("parameters", input)]
        let scheduled = note("Scheduled", task.resource, after: branch.lastEvent, details)
        return note("Started", task.resource, after: scheduled, Self.kind(of: task.resource))
    }

    mutating func noteSubmission(_ branch: FlowBranch, _ value: JSONValue) -> Int {
        guard let resource = resource(of: branch) else { return branch.lastEvent }
        return note("Submitted", resource, after: branch.lastEvent, Self.kind(of: resource) + [("output", value)])
    }

    mutating func noteTaskEnd(
        _ branch: FlowBranch, _ task: FlowTask, _ outcome: Result<JSONValue, FlowFault>, isTimeout: Bool = false
    ) -> Int {
        var details: [(String, JSONValue)] = []
        if case .service = task.resource.kind { details = Self.kind(of: task.resource) }
        switch outcome {
        case .success(let value):
            return note("Succeeded", task.resource, after: branch.lastEvent, details + [("output", value)])
        case .failure(let fault):
            if !fault.error.isEmpty { details.append(("error", .string(fault.error))) }
            if !fault.cause.isEmpty { details.append(("cause", .string(fault.cause))) }
            return note(isTimeout ? "TimedOut" : "Failed", task.resource, after: branch.lastEvent, details)
        }
    }
}
