import Cloud
import Crypto
import JSON
import Store
import Synchronization

/// Workflows: state machines of the app and their executions, as Step Functions runs them. This is the room's front page.
///
///     definition ─▶ FlowReader ─▶ FlowDefinition ┐
///     call ─▶ WorkflowCalls ─▶ row of an execution ┴▶ WorkflowRunner ─▶ FlowExecution ─▶ what has changed, in one transaction
///                                                       ▲                                   │ then
///                                                       └── answers, time, reports ◀── tasks asked
///
/// - `Calls/` is what clients call.
/// - `Data/` is executions in the database, in tables of this room alone.
/// - `Language/` is definitions in the Amazon States Language, and how they are read.
/// - `Machine/` is an execution as a pure machine: what happens goes in, what is to be done comes out.
/// - `Runs/` carries that out: it writes, asks tasks, begins the executions of distributed maps, and waits without a thread for anybody.
/// - `Values/` is paths, functions and comparisons: what states do with data.
///
/// What must stay true: a task is asked only when it is on the disk that it is; what a process was asking when it ended is asked again,
/// so a task may be asked twice and is never forgotten. No definition and no data make a step long: paths, functions and texts are bounded
/// where they are worked out, and others have their turn behind a number of states.
package final class Workflows: Sendable {
    let store: Store
    package let region: String
    package let accountID: String
    let chance: FlowChance
    let capacity: WorkflowCapacity
    private let machines: Mutex<[ByteText: WorkflowMachine]>
    /// Definitions that executions were begun with, by their numbers.
    private let definitions = Mutex<[Int64: FlowDefinition]>([:])
    private let clock: @Sendable () -> Int64
    private let runner = Mutex<WorkflowRunner?>(nil)
    private let elsewhere = Mutex<Elsewhere?>(nil)
    /// The number of the last runner that this process was, among several nodes; nil: it is none, or another node has taken its place.
    private let lease = Mutex<Int64?>(nil)

    /// The node that runs the executions, for a call that needs it.
    private struct Elsewhere: Sendable {
        let call: @Sendable (_ operation: String, _ input: JSONObject) async throws(WorkflowError) -> JSONObject
    }

    private static let definitionsMax = 200

    /// - Parameters:
    ///   - machines: those of the project.
    ///   - clock: milliseconds since 1970.
    package init(
        over store: Store, machines: [WorkflowMachine], region: String, accountID: String,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 },
        chance: FlowChance = .ordinary, capacity: WorkflowCapacity = WorkflowCapacity()
    ) {
        self.capacity = capacity
        self.store = store
        self.region = region
        self.accountID = accountID
        self.clock = clock
        self.chance = chance
        self.machines = Mutex(Self.byName(machines))
    }

    private static func byName(_ machines: [WorkflowMachine]) -> [ByteText: WorkflowMachine] {
        Dictionary(texts: machines.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Goes on with other machines. Executions that are under way end by the definitions with which they have begun.
    package func adopt(_ new: [WorkflowMachine]) {
        machines.withLock { known in
            var next = Self.byName(new)
            for (name, former) in known {
                // The same machine is as old as it was.
                next[name]?.createdMilliseconds = former.createdMilliseconds
            }
            known = next
        }
    }

    /// Whether earlier runs have left anything of executions.
    package var hasPast: Bool { store.knows(WorkflowTables.all) }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    /// Who runs the executions, once there is somebody.
    var running: WorkflowRunner? { runner.withLock { $0 } }

    func begin(_ new: WorkflowRunner) { runner.withLock { $0 = new } }

    func end() { runner.withLock { $0 = nil } }

    // MARK: Several nodes

    /// The nodes that this process is one of; nil where it is the only one.
    package var nodes: Nodes? { store.nodes }

    /// True if this process is one of several nodes, of which one runs the executions.
    var isAmongNodes: Bool { store.nodes != nil }

    /// Has calls that need the runner passed on where this node has none.
    package func passCalls(
        _ body: @escaping @Sendable (_ operation: String, _ input: JSONObject) async throws(WorkflowError) -> JSONObject
    ) {
        elsewhere.withLock { $0 = Elsewhere(call: body) }
    }

    /// Answers a call that needs the runner, by the node that has one; nil: this one is to answer.
    func answerElsewhere(
        _ operation: String, _ input: JSONObject
    ) async throws(WorkflowError) -> JSONObject? {
        guard running == nil, let elsewhere = elsewhere.withLock({ $0 }) else { return nil }
        return try await elsewhere.call(operation, input)
    }

    /// Looks for executions that other nodes have begun. From any thread.
    package func hear(_ wakes: Set<NodeWake>) {
        if wakes.contains(.executions) || wakes.contains(.everything) { running?.wake() }
    }

    /// Returns whether there is anything that a runner could do.
    func hasExecutions() async throws(WorkflowError) -> Bool {
        if !allMachines.isEmpty { return true }
        return try await read({ _ throws(StoreError) in true }, ifNone: false)
    }

    var hasLease: Bool { lease.withLock { $0 != nil } }

    /// Becomes the runner of all nodes: what the one before has not written is not written any more, and what it was at goes on.
    func takeLease() async throws(WorkflowError) {
        let number = try await write { transaction in
            try transaction.session.bring(WorkflowTables.runners)
            try transaction.session.change(WorkflowRows.nextRunner)
            try transaction.session.change(WorkflowRows.waking)
            return try transaction.integer(WorkflowRows.runner)
        }
        lease.withLock { $0 = number }
    }

    func loseLease() { lease.withLock { $0 = nil } }

    /// Changes something as the runner does. Among nodes, one whose place another has taken changes nothing.
    func writeAsRunner<Value: Sendable>(
        _ change: @escaping @Sendable (WorkflowTransaction) throws -> Value
    ) async throws(WorkflowError) -> Value {
        guard isAmongNodes else { return try await write(change) }
        let number = lease.withLock { $0 }
        return try await write { transaction in
            try transaction.session.bring(WorkflowTables.runners)
            guard let number, try transaction.integer(WorkflowRows.runner) == number else {
                throw WorkflowError.replaced
            }
            return try change(transaction)
        }
    }

    // MARK: Machines

    func machine(_ name: String) -> WorkflowMachine? { machines.withLock { $0[name] } }

    /// All of them, in the order of their names.
    var allMachines: [WorkflowMachine] { machines.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    package func has(_ name: String) -> Bool { machine(name) != nil }

    private func arn(_ resource: String) -> String {
        ARN(WorkflowRights.service, region: region, account: accountID, resource).description
    }

    /// The name of a function of this server's, by what a task calls it: a name, or an ARN of its own.
    package func functionARN(_ text: String) -> String {
        let parts = text.parts(separatedBy: ":")
        let name = parts.lastIndex { $0 == "function" }.flatMap { parts.dropFirst($0 + 1).first } ?? parts[0]
        return ARN("lambda", region: region, account: accountID, "function:\(name)").description
    }

    package func machineARN(_ name: String) -> String { arn("stateMachine:\(name)") }

    func executionARN(_ machine: String, _ name: String, isExpress: Bool) -> String {
        arn("\(isExpress ? "express" : "execution"):\(machine):\(name)")
    }

    /// - Parameter machine: that of the run's executions: `orders/rows`.
    func mapRunARN(_ machine: String, _ id: String) -> String {
        arn("mapRun:\(machine):\(id)")
    }

    var roleARN: String { ARN("iam", region: "", account: accountID, "role/homeport-states").description }

    /// What an ARN of this server's names: `stateMachine:NAME` gives that kind and the name.
    func parts(of text: String) -> (kind: String, names: [String])? {
        guard let arn = ARN(text, of: WorkflowRights.service), arn.account == accountID else { return nil }
        let parts = arn.parts
        return parts.count > 1 ? (parts[0], Array(parts[1...])) : nil
    }

    // MARK: Definitions

    func definition(_ number: Int64) -> FlowDefinition? { definitions.withLock { $0[number] } }

    func keep(_ definition: FlowDefinition, as number: Int64) {
        definitions.withLock { known in
            if known.count >= Self.definitionsMax { known = [:] }
            known[number] = definition
        }
    }

    /// Definitions have other numbers in other data.
    func forgetDefinitions() { definitions.withLock { $0 = [:] } }

    // MARK: The database

    /// Reads beside whatever loop this is.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value, ifNone none: Value
    ) async throws(WorkflowError) -> Value {
        try await store.readAside(
            WorkflowTables.all, milliseconds: WorkflowLimits.readMilliseconds, ifNone: none,
            failing: WorkflowError.init, body)
    }

    /// Changes something. Once this has returned, it is on the disk.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (WorkflowTransaction) throws -> Value
    ) async throws(WorkflowError) -> Value {
        try await store.writer.write(turn: .workflows, failing: WorkflowError.init) { [self] session in
            try session.bring(WorkflowTables.all)
            return try change(WorkflowTransaction(session, now: now))
        }
    }
}

/// A state machine of the project.
package struct WorkflowMachine: Sendable {
    package let name: String
    /// As the project has it.
    let text: String
    let definition: FlowDefinition
    let isExpress: Bool
    var createdMilliseconds: Int64

    package init(
        _ name: String, definition text: String, isExpress: Bool, createdMilliseconds: Int64
    ) throws(FlowRefusal) {
        guard WorkflowName.isName(name) else { throw FlowRefusal("\(name) is no name of a state machine", at: "") }
        definition = try FlowReader.definition(of: text, isExpress: isExpress)
        (self.name, self.text, self.isExpress) = (name, text, isExpress)
        self.createdMilliseconds = createdMilliseconds
    }
}

extension WorkflowMachine {
    /// That of a distributed map's executions.
    init(_ run: FlowMapRun, definition: FlowDefinition) {
        (name, text, isExpress) = (run.machine, run.distribution.text, run.distribution.isExpress)
        self.definition = definition
        createdMilliseconds = 0
    }
}

extension FlowChance {
    /// Names and numbers that nobody foresees.
    package static let ordinary = FlowChance(makeID: { UUIDText.random() }, fraction: { Double.random(in: 0..<1) })
}
