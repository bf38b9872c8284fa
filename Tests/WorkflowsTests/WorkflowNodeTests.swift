import Blueprint
import GraphQL
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workflows

/// Executions of several nodes over one schema of a server: each node has a store of its own, as processes have.
@Suite("Executions of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct WorkflowNodeTests {
    /// Answers with its name, where it is let to.
    private final class Answers: WorkflowServices {
        let name: String
        private let state: Mutex<State>

        private struct State {
            var isOpen: Bool
            var asked = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        init(_ name: String, isOpen: Bool = true) {
            self.name = name
            state = Mutex(State(isOpen: isOpen))
        }

        var asked: Int { state.withLock { $0.asked } }

        func open() {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.isOpen = true
                return state.waiting
            }
            for one in waiting { one.resume() }
        }

        func answer(
            to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
        ) async -> Result<JSONValue, FlowFault> {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    state.asked += 1
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
            return .success(.string(name))
        }
    }

    private static let task = FlowRun.machine(
        #""a": {"Type": "Pass", "Next": "t"}, "t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "Next": "z"}, "z": {"Type": "Pass", "End": true}"#
    )

    private final class Node: Sendable {
        let workflows: Workflows
        let nodes: Nodes
        let answers: Answers
        private let loops: EventLoopGroup
        private let runner = Mutex<WorkflowRunner?>(nil)

        init(_ name: String, at location: Store.Location, isOpen: Bool = true) async throws {
            let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
            let store = try Store(location, for: try #require(reading.blueprint), nowMilliseconds: 0) {
                Issue.record("\($0)")
            }
            nodes = try await Nodes.join(store, address: "http://\(name)", version: "1") { _ in }
            let machine = try WorkflowMachine(
                "task", definition: WorkflowNodeTests.task, isExpress: false, createdMilliseconds: 0)
            workflows = Workflows(over: store, machines: [machine], region: "us-east-1", accountID: "123456789012")
            answers = Answers(name, isOpen: isOpen)
            loops = try EventLoopGroup(count: 1)
            nodes.onWake { [workflows] in workflows.hear($0) }
        }

        func run() {
            let made = WorkflowRunner(workflows, asking: answers, on: loops.loops[0]) { _ in }
            runner.withLock { $0 = made }
            made.start()
        }

        func stop() async { await runner.withLock { $0.take() }?.stop() }

        func end() async {
            await stop()
            await nodes.end()
            loops.stop()
        }

        func status(_ name: String) async throws -> FlowStatus? { try await workflows.execution("task", name)?.status }

        /// The types of the events of an execution, by their numbers.
        func history(_ number: Int64) async throws -> [(number: Int64, type: String)] {
            try await workflows.read(
                { reader throws(StoreError) in
                    var events: [(number: Int64, type: String)] = []
                    try reader.rows(WorkflowRows.events, [.integer(number), .integer(0), .integer(1_000)]) {
                        row throws(StoreError) in
                        events.append((row.integer(0), row.text(2)))
                        return true
                    }
                    return events
                }, ifNone: [])
        }
    }

    @Test("an execution that one node begins is run by the node that has the runner")
    func elsewhere() async throws {
        let location = try TestDatabase.server()
        let (first, second) = (try await Node("first", at: location), try await Node("second", at: location))
        first.run()
        _ = try await second.workflows.begin("task", name: "x")
        try await eventually("it has ended") { try await second.status("x") == .succeeded }
        #expect(try await second.workflows.execution("task", "x")?.output == #""first""#)
        #expect(second.answers.asked == 0)
        await first.end()
        await second.end()
    }

    @Test("a runner whose place another node has taken writes nothing any more")
    func replaced() async throws {
        let location = try TestDatabase.server()
        let first = try await Node("first", at: location, isOpen: false)
        let second = try await Node("second", at: location)
        first.run()
        _ = try await first.workflows.begin("task", name: "x")
        try await eventually("the first asks") { first.answers.asked == 1 }
        // The first hangs; the second takes its place, and asks again what was asked.
        second.run()
        try await eventually("the second has ended it") { try await second.status("x") == .succeeded }
        let number = try #require(try await second.workflows.execution("task", "x")).number
        let history = try await second.history(number).map(\.type)
        first.answers.open()
        // What the first does later comes to nothing: one more execution shows that it had its turn.
        await second.stop()
        _ = try await first.workflows.begin("task", name: "y")
        try await eventually("the first goes on, with a place of its own") { try await first.status("y") == .succeeded }
        #expect(try await first.workflows.execution("task", "x")?.output == #""second""#)
        #expect(try await first.history(number).map(\.type) == history)
        await first.end()
        await second.end()
    }

    @Test("of two runners at once, each state of an execution is entered by one")
    func both() async throws {
        let location = try TestDatabase.server()
        let nodes = [try await Node("first", at: location), try await Node("second", at: location)]
        for node in nodes { node.run() }
        for number in 0..<20 { _ = try await nodes[number % 2].workflows.begin("task", name: "x\(number)") }
        for number in 0..<20 {
            try await eventually("x\(number) has ended") { try await nodes[0].status("x\(number)") == .succeeded }
            let execution = try #require(try await nodes[0].workflows.execution("task", "x\(number)"))
            let history = try await nodes[0].history(execution.number)
            #expect(history.map(\.number) == history.indices.map { Int64($0) + 1 })
            #expect(history.count { $0.type == "TaskStateEntered" } == 1)
            #expect(history.count { $0.type == "PassStateEntered" } == 2)
        }
        for node in nodes { await node.end() }
    }

    @Test("calls that need the runner are passed on once by a node that has none, and refused where nobody has one")
    func passing() async throws {
        let location = try TestDatabase.server()
        let node = try await Node("first", at: location)
        let input: JSONValue = ["executionArn": .string(node.workflows.executionARN("task", "x", isExpress: false))]
        _ = try await node.workflows.begin("task", name: "x")
        let passed = Mutex<[String]>([])
        node.workflows.passCalls { operation, input throws(WorkflowError) in
            passed.withLock { $0.append("\(operation) \(input.count)") }
            throw .noRunner
        }
        await #expect(throws: WorkflowError.noRunner) {
            try await WorkflowCalls(node.workflows).table.answer("StopExecution", input)
        }
        #expect(passed.withLock { $0 } == ["StopExecution 1"])
        // One that has come from another node goes no further.
        await #expect(throws: WorkflowError.notRunning) {
            try await WorkflowCalls(node.workflows, passesOn: false).table.answer("StopExecution", input)
        }
        node.run()
        _ = try await WorkflowCalls(node.workflows).table.answer("StopExecution", input)
        #expect(passed.withLock { $0.count } == 1)
        await node.end()
    }
}
