import Cloud
import JSON
import Store

/// Runs of distributed maps, as clients see them.
extension WorkflowCalls {
    func listMapRuns(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let execution = try await execution(input)
        let (count, before) = (input.page, try input.next() ?? .max)
        let found = try await workflows.read(
            { reader throws(StoreError) -> [StoredMapRun] in
                var found: [StoredMapRun] = []
                try reader.rows(
                    WorkflowRows.runs, [.integer(execution.number), .integer(before), .integer(count + 1)]
                ) { row throws(StoreError) in
                    found.append(StoredMapRun(row))
                    return true
                }
                return found
            }, ifNone: [])
        let page = found.prefix(Int(count))
        let arn = workflows.executionARN(execution.machine, execution.name, isExpress: false)
        var answer = JSONObject([("mapRuns", .array(page.map { .object(summary(of: $0, arn)) }))])
        if found.count > page.count, let last = page.last { answer.set("nextToken", to: .string("\(last.number)")) }
        return answer
    }

    private func summary(of run: StoredMapRun, _ executionARN: String) -> JSONObject {
        var summary = JSONObject([
            ("executionArn", .string(executionARN)), ("mapRunArn", .string(workflows.mapRunARN(run.machine, run.id))),
            ("stateMachineArn", .string(workflows.machineARN(run.machine))), ("startDate", Self.time(run.started)),
        ])
        if let stopped = run.stopped { summary.set("stopDate", to: Self.time(stopped)) }
        return summary
    }

    /// The run that a call names.
    func mapRun(_ input: CallInput) async throws(WorkflowError) -> StoredMapRun {
        let arn = input.demanded("mapRunArn")
        guard let (kind, names) = workflows.parts(of: arn), kind == "mapRun", names.count == 2 else {
            throw .arn(arn)
        }
        let found = try await workflows.read(
            { reader throws(StoreError) -> StoredMapRun? in
                var found: StoredMapRun?
                try reader.rows(WorkflowRows.run, [.text(names[1])]) { row throws(StoreError) in
                    found = StoredMapRun(row)
                    return false
                }
                return found
            }, ifNone: nil)
        guard let found, ByteText(found.machine) == ByteText(names[0]) else {
            throw WorkflowError("ResourceNotFound", "Resource not found: '\(arn)'")
        }
        return found
    }

    func describeMapRun(_ input: CallInput) async throws(WorkflowError) -> JSONObject {
        let run = try await mapRun(input)
        let (parent, running) = try await workflows.read(
            { reader throws(StoreError) -> (StoredExecution?, [FlowStatus: (executions: Int64, items: Int64)]) in
                var counts: [FlowStatus: (executions: Int64, items: Int64)] = [:]
                try reader.rows(WorkflowRows.countsOfRun, [.text(run.id)]) { row throws(StoreError) in
                    counts[FlowStatus(rawValue: row.text(0)) ?? .failed] = (row.integer(1), row.integer(2))
                    return true
                }
                var parent: StoredExecution?
                try reader.rows(WorkflowRows.byNumber, [.integer(run.execution)]) { row throws(StoreError) in
                    parent = StoredExecution(row)
                    return false
                }
                return (parent, counts)
            }, ifNone: (nil, [:]))
        let counts = run.ended ?? running
        // A run that was stopped with its execution does not end by itself.
        let isStopped = run.status == .running && parent.map { $0.status != .running } ?? true
        func told(_ total: Int64, _ count: (FlowStatus) -> Int64) -> JSONValue {
            let known = FlowStatus.allCases.reduce(Int64(0)) { $0 + count($1) }
            return [
                "pending": .integer(max(0, total - known)), "running": .integer(count(.running)),
                "succeeded": .integer(count(.succeeded)), "failed": .integer(count(.failed)),
                "timedOut": .integer(count(.timedOut)), "aborted": .integer(count(.aborted)),
                "total": .integer(total), "resultsWritten": .integer(run.status == .succeeded ? total : 0),
            ]
        }
        var answer = run.settings
        answer.set("mapRunArn", to: .string(workflows.mapRunARN(run.machine, run.id)))
        if let parent {
            answer.set(
                "executionArn",
                to: .string(workflows.executionARN(parent.machine, parent.name, isExpress: parent.isExpress)))
        }
        answer.set("status", to: .string(isStopped ? FlowStatus.aborted.rawValue : run.status.rawValue))
        answer.set("startDate", to: Self.time(run.started))
        if let stopped = run.stopped ?? (isStopped ? parent?.stopped : nil) {
            answer.set("stopDate", to: Self.time(stopped))
        }
        answer.set("executionCounts", to: told(run.executions) { counts[$0]?.executions ?? 0 })
        answer.set("itemCounts", to: told(run.items) { counts[$0]?.items ?? 0 })
        return answer
    }
}
