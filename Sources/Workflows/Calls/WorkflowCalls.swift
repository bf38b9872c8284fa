import Cloud
import JSON
import Store

/// The operations of Step Functions, by their names. State machines are the project's: they are told, not made.
package struct WorkflowCalls: Sendable {
    let workflows: Workflows
    /// False for calls that another node has passed on: there is one hop.
    private let passesOn: Bool

    package init(_ workflows: Workflows, passesOn: Bool = true) {
        (self.workflows, self.passesOn) = (workflows, passesOn)
    }

    /// Answers a call that needs the runner: here, or by the node that has it.
    func byRunner(
        _ operation: String, _ input: CallInput, _ answer: () async throws(WorkflowError) -> JSONObject
    ) async throws(WorkflowError) -> JSONObject {
        if passesOn, let answer = try await workflows.answerElsewhere(operation, input.members) { return answer }
        return try await answer()
    }

    static func time(_ milliseconds: Int64) -> JSONValue { .double(Double(milliseconds) / 1_000) }

    func arn(_ input: CallInput, _ name: String) throws(WorkflowError) -> String {
        let text = input.demanded(name)
        guard text.hasPrefix("arn:") else { throw .arn(text) }
        return text
    }

    // MARK: Executions

    func execution(_ input: CallInput) async throws(WorkflowError) -> StoredExecution {
        let arn = try arn(input, "executionArn")
        guard let (kind, names) = workflows.parts(of: arn) else {
            guard arn.parts(separatedBy: ":").count >= 8 else { throw .arn(arn) }
            throw .noExecution(arn)
        }
        // One of a machine of the type EXPRESS is known to its log alone, in the cloud as here.
        guard kind == "execution", names.count == 2 else {
            throw WorkflowError("InvalidArn", "Invalid Arn: 'Resource type not valid in this context: \(kind)'")
        }
        guard let execution = try await workflows.execution(names[0], names[1]) else { throw .noExecution(arn) }
        return execution
    }

    func described(_ execution: StoredExecution) -> JSONObject {
        var answer = summary(of: execution)
        answer.set("input", to: .string(execution.input))
        answer.set("inputDetails", to: ["included": true])
        if let output = execution.output {
            answer.set("output", to: .string(output))
            answer.set("outputDetails", to: ["included": true])
        }
        // The end of the time is a status, and no error.
        if execution.status != .timedOut, let error = execution.error { answer.set("error", to: .string(error)) }
        if let cause = execution.cause { answer.set("cause", to: .string(cause)) }
        return answer
    }

    private func summary(of execution: StoredExecution) -> JSONObject {
        var summary = JSONObject([
            (
                "executionArn",
                .string(workflows.executionARN(execution.machine, execution.name, isExpress: execution.isExpress))
            ),
            ("stateMachineArn", .string(workflows.machineARN(execution.machine))),
            ("name", .string(execution.givenName)), ("status", .string(execution.status.rawValue)),
            ("startDate", Self.time(execution.started)),
        ])
        if let stopped = execution.stopped { summary.set("stopDate", to: Self.time(stopped)) }
        if let run = execution.run {
            summary.set("mapRunArn", to: .string(workflows.mapRunARN(execution.machine, run)))
        }
        return summary
    }

    func startAndWait(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let machine = try workflows.demandedMachine(try arn(input, "stateMachineArn"))
        guard machine.isExpress else { throw .unsupportedType }
        let ended = try await workflows.run(
            machine.name, name: input.text("name"), input: input.text("input") ?? "{}",
            within: WorkflowLimits.expressMilliseconds + WorkflowLimits.readMilliseconds)
        var answer = described(ended.execution)
        // One that has failed has no output, and says so nonetheless.
        answer.set("outputDetails", to: ["included": true])
        answer.set(
            "billingDetails",
            to: ["billedMemoryUsedInMB": 64, "billedDurationInMilliseconds": .integer(ended.milliseconds)])
        return answer
    }

    func stop(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let execution = try await execution(input)
        guard execution.status == .running else {
            return JSONObject([("stopDate", Self.time(execution.stopped ?? workflows.now))])
        }
        let (error, cause) = (input.text("error"), input.text("cause"))
        let fault = error == nil && cause == nil ? nil : FlowFault(error ?? "", cause ?? "")
        guard let runner = workflows.running, await runner.happen(.stop(fault), to: execution.number) != nil else {
            throw .notRunning
        }
        return JSONObject([("stopDate", Self.time(workflows.now))])
    }

    func listExecutions(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        // Those of a machine, or of a distributed map's run.
        let (rows, key): (RoomStatement, String)
        if input.text("mapRunArn") != nil {
            (rows, key) = (WorkflowRows.ofRun, try await mapRun(input).id)
        } else {
            let machine = try workflows.demandedMachine(try arn(input, "stateMachineArn"))
            guard !machine.isExpress else { throw .unsupportedType }
            (rows, key) = (WorkflowRows.ofMachine, machine.name)
        }
        let status = input.text("statusFilter")
        let (count, before) = (input.page, try input.next() ?? .max)
        let found = try await workflows.read(
            { reader throws(StoreError) -> [StoredExecution] in
                var found: [StoredExecution] = []
                try reader.rows(
                    rows,
                    [
                        .text(key), .integer(before), status.map { .text($0) } ?? .null,
                        .integer(count + 1),
                    ]
                ) { row throws(StoreError) in
                    found.append(StoredExecution(row))
                    return true
                }
                return found
            }, ifNone: [])
        let page = found.prefix(Int(count))
        var answer = JSONObject([("executions", .array(page.map { .object(summary(of: $0)) }))])
        if found.count > page.count, let last = page.last {
            answer.set("nextToken", to: .string("\(last.number)"))
        }
        return answer
    }

    func history(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let number = try await execution(input).number
        let (count, next) = (input.page, try input.next())
        let isBackwards = input.flag("reverseOrder") ?? false
        let hasData = input.flag("includeExecutionData") ?? true
        let events = try await workflows.read(
            { reader throws(StoreError) -> [(number: Int64, event: JSONValue)] in
                var events: [(number: Int64, event: JSONValue)] = []
                try reader.rows(
                    isBackwards ? WorkflowRows.eventsBackwards : WorkflowRows.events,
                    [.integer(number), .integer(next ?? (isBackwards ? .max : 0)), .integer(count + 1)]
                ) { row throws(StoreError) in
                    var event = JSONObject([
                        ("id", .integer(row.integer(0))), ("previousEventId", .integer(row.integer(1))),
                        ("type", .string(row.text(2))), ("timestamp", WorkflowCalls.time(row.integer(3))),
                    ])
                    if !row.isNull(4), let details = Workflows.value(of: row.text(4)).object?.members.first {
                        event.set(details.key, to: hasData ? details.value : Self.withoutData(details.value))
                    }
                    events.append((row.integer(0), .object(event)))
                    return true
                }
                return events
            }, ifNone: [])
        let page = events.prefix(Int(count))
        var answer = JSONObject([("events", .array(page.map(\.event)))])
        if events.count > page.count, let last = page.last {
            answer.set("nextToken", to: .string("\(last.number)"))
        }
        return answer
    }

    private static func withoutData(_ details: JSONValue) -> JSONValue {
        guard var object = details.object else { return details }
        for name in ["input", "inputDetails", "output", "outputDetails", "parameters"] { object.remove(name) }
        return .object(object)
    }

    func report(_ report: FlowReport, _ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let token = try input.task()
        guard let runner = workflows.running,
            let isKnown = await runner.happen(
                .report(branch: token.branch, secret: token.secret, report), to: token.execution)
        else { throw .notRunning }
        guard isKnown else { throw .taskGone }
        return JSONObject()
    }

    // MARK: Machines

    func described(_ machine: WorkflowMachine, withDefinition: Bool) -> JSONObject {
        var answer = JSONObject([
            ("stateMachineArn", .string(workflows.machineARN(machine.name))), ("name", .string(machine.name)),
            ("type", machine.isExpress ? "EXPRESS" : "STANDARD"),
            ("creationDate", Self.time(machine.createdMilliseconds)),
        ])
        guard withDefinition else { return answer }
        answer.set("status", to: "ACTIVE")
        answer.set("definition", to: .string(machine.text))
        answer.set("roleArn", to: .string(workflows.roleARN))
        answer.set(
            "loggingConfiguration", to: ["level": "OFF", "includeExecutionData": false])
        if let references = FlowReferences.found(in: machine.text) { answer.set("variableReferences", to: references) }
        return answer
    }

    func listMachines(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let (count, next) = (Int(input.page), Int(clamping: try input.next() ?? 0))
        let all = workflows.allMachines.dropFirst(next)
        var answer = JSONObject([
            ("stateMachines", .array(all.prefix(count).map { .object(described($0, withDefinition: false)) }))
        ])
        if all.count > count { answer.set("nextToken", to: .string("\(next + count)")) }
        return answer
    }

    func validate(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        var found: [JSONValue] = []
        do throws(FlowRefusal) {
            _ = try FlowReader.definition(
                of: input.demanded("definition"), isExpress: input.text("type") == "EXPRESS")
        } catch {
            found.append([
                "severity": "ERROR", "code": "SCHEMA_VALIDATION_FAILED", "message": .string(error.message),
                "location": .string(error.place),
            ])
        }
        return JSONObject([
            ("result", found.isEmpty ? "OK" : "FAIL"), ("diagnostics", .array(found)), ("truncated", false),
        ])
    }
}

extension ExecutionEnd {
    fileprivate var milliseconds: Int64 { max(0, (execution.stopped ?? execution.started) - execution.started) }
}
