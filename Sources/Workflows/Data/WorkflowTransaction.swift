import Crypto
import JSON
import Store

/// What is done with executions in one transaction, on the writer's thread.
struct WorkflowTransaction {
    let session: WriteSession
    let now: Int64

    init(_ session: WriteSession, now: Int64) { (self.session, self.now) = (session, now) }

    func integer(_ statement: RoomStatement, _ values: [StoredValue] = []) throws -> Int64? {
        var number: Int64?
        try session.rows(statement, values) { row throws(StoreError) in
            number = row.isNull(0) ? nil : row.integer(0)
            return false
        }
        return number
    }

    /// The execution of a name.
    func execution(_ machine: String, _ name: String) throws -> StoredExecution? {
        var stored: StoredExecution?
        try session.rows(WorkflowRows.byName, [.text(machine), .text(name)]) { row throws(StoreError) in
            stored = StoredExecution(row)
            return false
        }
        return stored
    }

    /// Begins an execution.
    ///
    /// - Parameter isHeld: whether it waits for somebody who is about to wait for it.
    func begin(
        _ machine: WorkflowMachine, _ name: String, input: String, isHeld: Bool, _ capacity: WorkflowCapacity,
        of child: Workflows.ChildOf? = nil
    ) throws -> StoredExecution {
        var totals: (running: Int64, bytes: Int64) = (0, 0)
        try session.rows(WorkflowRows.totals, []) { row throws(StoreError) in
            totals = (row.integer(0), row.integer(1))
            return false
        }
        guard totals.running < Int64(capacity.runningMax) else { throw WorkflowError.tooMany(capacity) }
        guard totals.bytes < capacity.bytesMax else { throw WorkflowError.tooMuch(capacity) }
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(machine.text.utf8)))
        var definition = try integer(WorkflowRows.definitionNumber, [.text(digest)])
        if definition == nil {
            try session.change(WorkflowRows.keepingDefinition, [.text(digest), .text(machine.text)])
            definition = try session.lastRowNumber
        }
        try session.change(
            WorkflowRows.making,
            [
                .text(machine.name), .text(name), .integer(machine.isExpress ? 1 : 0), .integer(definition ?? 0),
                .text(input), .integer(now), isHeld ? .null : .integer(now), .integer(Int64(input.utf8.count)),
                child.map { .text($0.run) } ?? .null, .integer(Int64(child?.items ?? 0)),
            ])
        guard let stored = try execution(machine.name, name) else { throw WorkflowError.notRunning }
        session.wake(.executions)
        return stored
    }

    /// Writes what has become of an execution.
    func save(_ execution: FlowExecution) throws {
        let number = execution.identity.number
        let key = StoredValue.integer(number)
        let changes = execution.changes
        for event in changes.events {
            let details = event.details.map { details in
                StoredValue.text(JSONWriter.text(of: .object(JSONObject([(details.name, .object(details.value))]))))
            }
            try session.change(
                WorkflowRows.keepingEvent,
                [
                    key, .integer(Int64(event.number)), .integer(Int64(event.previous)), .text(event.type),
                    .integer(event.milliseconds), details ?? .null,
                ])
        }
        guard execution.isRunning else {
            try session.change(WorkflowRows.endingBranches, [key])
            try session.change(WorkflowRows.endingResults, [key])
            // What it has come to is told to whoever waits; nobody can ask for it later.
            if execution.identity.isExpress { return _ = try session.change(WorkflowRows.removal, [key]) }
            return try change(execution)
        }
        for parent in changes.joined {
            try session.change(WorkflowRows.joining, [key, .integer(Int64(parent))])
        }
        for result in changes.results where execution.results[result.parent]?[result.place] != nil {
            try session.change(
                WorkflowRows.keepingResult,
                [
                    key, .integer(Int64(result.parent)), .integer(Int64(result.place)),
                    .text(JSONWriter.text(of: result.output)),
                ])
        }
        for place in changes.branches {
            if let branch = execution.branches[place] {
                try session.change(
                    WorkflowRows.keepingBranch,
                    [key, .integer(Int64(place)), .text(JSONWriter.text(of: branch.stored))])
            } else {
                try session.change(WorkflowRows.endingBranch, [key, .integer(Int64(place))])
            }
        }
        try change(execution)
    }

    private func change(_ execution: FlowExecution) throws {
        func text(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }
        try session.change(
            WorkflowRows.change,
            [
                .integer(execution.identity.number), .text(execution.status.rawValue),
                text(execution.output.map { JSONWriter.text(of: $0) }), text(execution.fault?.error.textIfAny),
                text(execution.fault?.cause.textIfAny), execution.stoppedMilliseconds.map { .integer($0) } ?? .null,
                execution.due.map { .integer(max($0, 0)) } ?? .null, .integer(Int64(execution.callCount)),
                .integer(Int64(execution.nextBranch)), .integer(Int64(execution.eventCount)),
                .integer(execution.historyBytes),
            ])
    }

    /// Takes away executions that have ended long ago, or are too many; false: none is left.
    func sweep(endedMax: Int) throws -> Bool {
        var numbers: [Int64] = []
        try session.rows(
            WorkflowRows.old,
            [
                .integer(now - WorkflowLimits.endedMilliseconds), .integer(Int64(endedMax) - 1),
                .integer(WorkflowLimits.sweepAtOnce),
            ]
        ) { row throws(StoreError) in
            numbers.append(row.integer(0))
            return true
        }
        for number in numbers {
            try session.change(WorkflowRows.endingEvents, [.integer(number)])
            try session.change(WorkflowRows.endingRuns, [.integer(number)])
            try session.change(WorkflowRows.removal, [.integer(number)])
        }
        if numbers.isEmpty { try session.change(WorkflowRows.forgettingDefinitions) }
        return numbers.count == Int(WorkflowLimits.sweepAtOnce)
    }
}
