import JSON
import Store

/// An execution as the database has it.
package struct StoredExecution: Sendable {
    let number: Int64
    let machine: String
    let name: String
    let isExpress: Bool
    let definition: Int64
    package let status: FlowStatus
    /// As JSON, in the words of whoever began it.
    let input: String
    package let output: String?
    let error: String?
    let cause: String?
    let started: Int64
    let stopped: Int64?
    let nextBranch: Int
    let events: Int
    let history: Int64
    /// The run of a distributed map that it belongs to; nil: none.
    let run: String?

    init(_ row: borrowing Row) {
        number = row.integer(0)
        machine = row.text(1)
        name = row.text(2)
        isExpress = row.integer(3) == 1
        definition = row.integer(4)
        status = FlowStatus(rawValue: row.text(5)) ?? .failed
        input = row.text(6)
        output = row.isNull(7) ? nil : row.text(7)
        error = row.isNull(8) ? nil : row.text(8)
        cause = row.isNull(9) ? nil : row.text(9)
        started = row.integer(10)
        stopped = row.isNull(11) ? nil : row.integer(11)
        nextBranch = Int(clamping: row.integer(12))
        events = Int(clamping: row.integer(13))
        history = row.integer(14)
        run = row.isNull(15) ? nil : row.text(15)
    }

    /// As one has ended, which may be no more in the database.
    init(_ stored: StoredExecution, ended execution: FlowExecution) {
        (number, machine, name, isExpress) = (stored.number, stored.machine, stored.name, stored.isExpress)
        (definition, input, started, run) = (stored.definition, stored.input, stored.started, stored.run)
        status = execution.status
        output = execution.output.map { JSONWriter.text(of: $0) }
        error = execution.fault?.error.textIfAny
        cause = execution.fault?.cause.textIfAny
        stopped = execution.stoppedMilliseconds
        (nextBranch, events, history) = (execution.nextBranch, execution.eventCount, execution.historyBytes)
    }

    /// The name that whoever began it has for it. One of a machine of the type EXPRESS is never the same twice.
    var givenName: String { isExpress ? name.parts(separatedBy: ":")[0] : name }
}

/// An execution with all that it goes on with.
struct LoadedExecution: Sendable {
    let stored: StoredExecution
    let execution: FlowExecution
}

extension String {
    /// Nil where there is nothing in it: a Fail without an error says nothing.
    var textIfAny: String? { isEmpty ? nil : self }
}

extension Workflows {
    /// Reads an execution that is under way; nil: there is none.
    func load(_ number: Int64) async throws(WorkflowError) -> LoadedExecution? {
        let found = try await read(
            { [self] reader throws(StoreError) -> Found? in try parts(of: number, reader) }, ifNone: nil)
        guard let found else { return nil }
        var definition = definition(found.stored.definition)
        if definition == nil {
            // It was good when it was kept; what a later version has made of the language is another matter.
            definition = try? FlowReader.definition(of: found.definition)
            if let definition { keep(definition, as: found.stored.definition) }
        }
        guard let definition else {
            throw WorkflowError("InternalFailure", "A definition cannot be read.", status: 500)
        }
        let input = Self.value(of: found.stored.input)
        var execution = FlowExecution(
            FlowIdentity(
                number: number,
                arn: executionARN(found.stored.machine, found.stored.name, isExpress: found.stored.isExpress),
                name: found.stored.givenName, machineARN: machineARN(found.stored.machine),
                machineName: found.stored.machine, roleARN: roleARN, input: input,
                startedMilliseconds: found.stored.started, isExpress: found.stored.isExpress,
                inputText: found.stored.input), definition, chance)
        execution.nextBranch = found.stored.nextBranch
        execution.eventCount = found.stored.events
        execution.historyBytes = found.stored.history
        for (number, text) in found.branches {
            execution.branches[number] = FlowBranch(number, stored: Self.value(of: text))
        }
        for (parent, place, output) in found.results {
            execution.results[parent, default: [:]][place] = Self.value(of: output)
        }
        return LoadedExecution(stored: found.stored, execution: execution)
    }

    private struct Found: Sendable {
        let stored: StoredExecution
        var definition = ""
        var branches: [(Int, String)] = []
        var results: [(Int, Int, String)] = []
    }

    private func parts(of number: Int64, _ reader: Reader) throws(StoreError) -> Found? {
        var stored: StoredExecution?
        try reader.rows(WorkflowRows.byNumber, [.integer(number)]) { row throws(StoreError) in
            stored = StoredExecution(row)
            return false
        }
        guard let stored, stored.status == .running else { return nil }
        var found = Found(stored: stored)
        if definition(stored.definition) == nil {
            try reader.rows(WorkflowRows.definition, [.integer(stored.definition)]) { row throws(StoreError) in
                found.definition = row.text(0)
                return false
            }
        }
        try reader.rows(WorkflowRows.branches, [.integer(number)]) { row throws(StoreError) in
            found.branches.append((Int(clamping: row.integer(0)), row.text(1)))
            return true
        }
        try reader.rows(WorkflowRows.results, [.integer(number)]) { row throws(StoreError) in
            found.results.append((Int(clamping: row.integer(0)), Int(clamping: row.integer(1)), row.text(2)))
            return true
        }
        return found
    }

    static func value(of text: String) -> JSONValue { (try? JSONReader.value(of: text)) ?? .null }

    /// The execution of a name.
    func execution(_ machine: String, _ name: String) async throws(WorkflowError) -> StoredExecution? {
        try await read(
            { reader throws(StoreError) in
                var stored: StoredExecution?
                try reader.rows(WorkflowRows.byName, [.text(machine), .text(name)]) { row throws(StoreError) in
                    stored = StoredExecution(row)
                    return false
                }
                return stored
            }, ifNone: nil)
    }
}
