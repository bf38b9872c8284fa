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
    final class Answers: WorkflowServices {
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

    static let task = FlowRun.machine(
        #""a": {"Type": "Pass", "Next": "t"}, "t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "Next": "z"}, "z": {"Type": "Pass", "End": true}"#
    )

    final class Node: Sendable {
        let store: Store
        let workflows: Workflows
        let nodes: Nodes
        let answers: Answers
        private let services: any WorkflowServices
        private let loops: EventLoopGroup
        private let runner = Mutex<WorkflowRunner?>(nil)

        init(
            _ name: String, at location: Store.Location, isOpen: Bool = true,
            definition: String = WorkflowNodeTests.task, asking services: (any WorkflowServices)? = nil,
            chance: FlowChance = .ordinary, capacity: WorkflowCapacity = WorkflowCapacity()
        ) async throws {
            let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
            store = try Store(location, for: try #require(reading.blueprint), nowMilliseconds: 0) {
                Issue.record("\($0)")
            }
            nodes = try await Nodes.join(store, address: "http://\(name)", version: "1") { _ in }
            let machine = try WorkflowMachine(
                "task", definition: definition, isExpress: false, createdMilliseconds: 0)
            workflows = Workflows(
                over: store, machines: [machine], region: "us-east-1", accountID: "123456789012", chance: chance,
                capacity: capacity)
            answers = Answers(name, isOpen: isOpen)
            self.services = services ?? answers
            loops = try EventLoopGroup(count: 1)
            nodes.onWake { [workflows] in workflows.hear($0) }
        }

        func run() {
            let made = WorkflowRunner(workflows, asking: services, on: loops.loops[0]) { _ in }
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

    /// A state of each kind.
    private static let allKinds = FlowRun.machine(
        #"""
        "a": {"Type": "Pass", "Result": {"n": [1, 2, 3]}, "Next": "p"},
        "p": {"Type": "Parallel", "ResultPath": null, "Next": "m", "Branches": [
            {"StartAt": "p1", "States": {"p1": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}},
            {"StartAt": "p2", "States": {"p2": {"Type": "Pass", "Next": "p3"}, "p3": {"Type": "Wait", "Seconds": 0, "End": true}}}]},
        "m": {"Type": "Map", "ItemsPath": "$.n", "MaxConcurrency": 2, "ResultPath": null, "Next": "w", "ItemProcessor": {
            "StartAt": "m1", "States": {"m1": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}}},
        "w": {"Type": "Wait", "Seconds": 0, "Next": "c"},
        "c": {"Type": "Choice", "Choices": [{"Variable": "$.n[0]", "NumericEquals": 1, "Next": "t"}], "Default": "z"},
        "t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "ResultPath": null, "Next": "z"},
        "z": {"Type": "Succeed"}
        """#)

    /// What happened in an execution but for the asking of its tasks, which are asked again where an answer was lost.
    static func course(_ history: [(number: Int64, type: String)]) -> [String] {
        history.map(\.type).filter { $0.hasSuffix("Entered") || $0.hasSuffix("Exited") || $0.hasPrefix("Execution") }
            .sorted()
    }

    @Test("an execution goes on with another node behind any message that was the last of its runner, each state once")
    func deaths() async throws {
        let server = try PostgresServer.shared.get()
        var random = SeededRandom(test: "WorkflowNodeTests.deaths")
        var (messages, expected) = (Int.max, [String]())
        // The first one ends by itself, and says how many messages that takes.
        for round in 0...Fuzz.rounds(ordinarily: 12) {
            let line = try CutLine(to: server.port)
            defer { line.close() }
            let schema = "flows\(UInt64.random(in: 0 ... .max))"
            let near = try server.url(ofNewSchema: schema)
            let far = near.replacing("127.0.0.1:\(server.port)", with: "127.0.0.1:\(line.port)")
            func node(_ name: String, _ url: String) async throws -> Node {
                let place = try ServerPlace("\(url)&sslmode=disable").with(password: PostgresServer.password)
                return try await Node(name, at: .server(place), definition: Self.allKinds)
            }
            let (first, second) = (try await node("first", far), try await node("second", near))
            first.run()
            let before = line.messageCount
            if round > 0 { line.arm(.death, behind: Int.random(in: 1..<messages, using: &random)) }
            _ = try await second.workflows.begin("task", name: "x")
            if round == 0 {
                try await eventually("it ends") { try await second.status("x") == .succeeded }
                messages = line.messageCount - before
            } else {
                try await eventually("the runner dies") { line.faultCount == 1 }
                second.run()
                try await eventually("it ends all the same") { try await second.status("x") == .succeeded }
            }
            // One that was only cut off, and comes back, adds nothing.
            line.open()
            let number = try #require(try await second.workflows.execution("task", "x")).number
            await first.end()
            let history = try await second.history(number)
            #expect(history.map(\.number) == history.indices.map { Int64($0) + 1 })
            if round == 0 { expected = Self.course(history) }
            #expect(Self.course(history) == expected)
            await second.end()
        }
        #expect(expected.contains("MapStateExited") && expected.contains("ExecutionSucceeded"))
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
