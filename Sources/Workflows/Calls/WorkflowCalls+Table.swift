import Cloud
import JSON

/// The operations of Step Functions. State machines are the project's: they are listed, not made.
extension WorkflowCalls {
    private typealias Member = MemberShape.Member

    /// A text whose constraints have words of their own.
    private static let anyText = MemberShape.text(0...WorkflowLimits.bodyBytesMax)
    private static let arn = MemberShape.text(1...2_000)
    private static let machine = Member("stateMachineArn", arn, isRequired: true)
    private static let execution = Member("executionArn", arn, isRequired: true)
    private static let token = Member("taskToken", anyText, isRequired: true)
    private static let data = Member("includedData", .choice(["ALL_DATA", "METADATA_ONLY"]))
    private static let start = [
        machine, Member("name", anyText), Member("input", anyText), Member("traceHeader", .text(0...256)),
    ]
    private static let fault = [Member("error", .text(0...256)), Member("cause", .text(0...32_768))]
    private static let page = [
        Member("maxResults", .integer(0...WorkflowLimits.pageMax)), Member("nextToken", .text(1...3_096)),
    ]

    package var table: ServiceTable {
        ServiceTable(
            "Step Functions", service: WorkflowRights.service, sdk: "Sfn", target: "AWSStepFunctions", json: "1.0",
            // Definitions, data of executions and histories are long, and reading them needs no loop.
            isBesideLoop: true,
            JSONLimits(bytesMax: WorkflowLimits.bodyBytesMax, nestingMax: WorkflowLimits.bodyNestingMax),
            ServiceWords(
                missing: "Value null", space: "com.amazonaws.swf.service.v2.model#",
                hint: ": state machines are the project's"), executionRows + machineRows + taskRows)
    }

    private var executionRows: [CloudOperation] {
        let rights = WorkflowRights.named
        // In the order of the service's messages. No execution here waits for a redrive.
        let filter = MemberShape.choice(
            ["SUCCEEDED", "TIMED_OUT", "PENDING_REDRIVE", "ABORTED", "FAILED", "RUNNING"])
        return [
            CloudOperation("StartExecution", Self.start, rights: rights) { (call: CloudCall) async throws(CloudError) in
                let begun = try await workflows.begin(
                    call.input.demanded("stateMachineArn"), name: call.input.text("name"),
                    input: call.input.text("input") ?? "{}")
                return JSONObject([
                    ("executionArn", .string(begun.arn)), ("startDate", Self.time(begun.startedMilliseconds)),
                ])
            },
            // The execution goes on if its client has gone; only the waiting ends.
            CloudOperation("StartSyncExecution", Self.start + [Self.data], rights: rights, isWaiting: true) {
                (call: CloudCall) async throws(CloudError) in
                try await byRunner("StartSyncExecution", call.input) { () async throws(CloudError) in
                    try await startAndWait(call.input)
                }
            },
            CloudOperation("StopExecution", [Self.execution] + Self.fault, rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                try await byRunner("StopExecution", call.input) { () async throws(CloudError) in
                    try await stop(call.input)
                }
            },
            CloudOperation("DescribeExecution", [Self.execution, Self.data], rights: rights) {
                (call: CloudCall) async throws(CloudError) in described(try await execution(call.input))
            },
            CloudOperation(
                "ListExecutions",
                [
                    Member("stateMachineArn", Self.arn), Member("mapRunArn", Self.arn), Member("statusFilter", filter),
                    Member("redriveFilter", .choice(["REDRIVEN", "NOT_REDRIVEN"])),
                ] + Self.page, rights: rights, of: listExecutions),
            CloudOperation(
                "GetExecutionHistory",
                [Self.execution, Member("reverseOrder", .boolean), Member("includeExecutionData", .boolean)]
                    + Self.page, rights: rights, of: history),
            CloudOperation("ListMapRuns", [Self.execution] + Self.page, rights: rights, of: listMapRuns),
            CloudOperation(
                "DescribeMapRun", [Member("mapRunArn", Self.arn, isRequired: true)], rights: rights,
                of: describeMapRun),
        ]
    }

    private var machineRows: [CloudOperation] {
        let rights = WorkflowRights.named
        return [
            CloudOperation("DescribeStateMachine", [Self.machine, Self.data], rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                described(
                    try workflows.demandedMachine(try arn(call.input, "stateMachineArn")), withDefinition: true)
            },
            CloudOperation("DescribeStateMachineForExecution", [Self.execution, Self.data], rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                let execution = try await execution(call.input)
                guard let machine = workflows.machine(execution.machine) else {
                    throw .noMachine(workflows.machineARN(execution.machine))
                }
                var answer = described(machine, withDefinition: true)
                // It was made for the execution at that time, and has no name of its kind.
                answer.set("updateDate", to: Self.time(machine.createdMilliseconds))
                return answer
            },
            CloudOperation("ListStateMachines", Self.page, of: listMachines),
            CloudOperation(
                "ValidateStateMachineDefinition",
                [
                    Member("definition", Self.anyText, isRequired: true),
                    Member("type", .choice(["STANDARD", "EXPRESS"])),
                    Member("severity", .choice(["ERROR", "WARNING"])), Member("maxResults", .integer(0...100)),
                ], of: validate),
        ]
    }

    private var taskRows: [CloudOperation] {
        [
            CloudOperation("SendTaskSuccess", [Self.token, Member("output", Self.anyText, isRequired: true)]) {
                (call: CloudCall) async throws(CloudError) in
                _ = try call.input.task()
                let limits = JSONLimits(
                    bytesMax: WorkflowLimits.dataBytesMax, nestingMax: WorkflowLimits.dataNestingMax)
                let output = Array(call.input.demanded("output").utf8)
                guard let value = try? JSONReader.value(of: output, limits: limits) else {
                    throw .output("it is no JSON of at most \(WorkflowLimits.dataBytesMax) bytes")
                }
                return try await byRunner("SendTaskSuccess", call.input) { () async throws(CloudError) in
                    try await report(.succeeded(value), call.input)
                }
            },
            CloudOperation("SendTaskFailure", [Self.token] + Self.fault) { (call: CloudCall) async throws(CloudError) in
                let fault = FlowFault(call.input.demanded("error"), call.input.demanded("cause"))
                return try await byRunner("SendTaskFailure", call.input) { () async throws(CloudError) in
                    try await report(.failed(fault), call.input)
                }
            },
            CloudOperation("SendTaskHeartbeat", [Self.token]) { (call: CloudCall) async throws(CloudError) in
                try await byRunner("SendTaskHeartbeat", call.input) { () async throws(CloudError) in
                    try await report(.alive, call.input)
                }
            },
        ]
    }
}
