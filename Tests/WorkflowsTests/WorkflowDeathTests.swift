import Cloud
import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workflows

/// Executions whose runner dies behind what it has saved, and which another node goes on with.
@Suite(
    "Executions whose runner dies", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct WorkflowDeathTests {
    /// A state of each kind, with what may happen to it.
    private static let machine = FlowRun.machine(
        #"""
        "a": {"Type": "Pass", "Result": {"n": [1, 2]}, "Next": "p"},
        "p": {"Type": "Parallel", "ResultPath": "$.p", "Next": "q", "Branches": [
            {"StartAt": "p1", "States": {"p1": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}},
            {"StartAt": "p2", "States": {"p2": {"Type": "Wait", "Seconds": 0, "Next": "p3"}, "p3": {"Type": "Succeed"}}}]},
        "q": {"Type": "Parallel", "Next": "z", "Catch": [{"ErrorEquals": ["Bad"], "ResultPath": "$.q", "Next": "m"}], "Branches": [
            {"StartAt": "q1", "States": {"q1": {"Type": "Fail", "Error": "Bad", "Cause": "it is"}}}]},
        "m": {"Type": "Map", "ItemsPath": "$.n", "MaxConcurrency": 1, "ResultPath": "$.m", "Next": "c", "ItemProcessor": {
            "StartAt": "m1", "States": {"m1": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}}},
        "c": {"Type": "Choice", "Choices": [{"Variable": "$.n[0]", "NumericEquals": 1, "Next": "t"}], "Default": "z"},
        "t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:again", "ResultPath": "$.t", "Next": "k",
            "Parameters": {"count.$": "$$.State.RetryCount"},
            "Retry": [{"ErrorEquals": ["Again"], "IntervalSeconds": 1, "JitterStrategy": "FULL"}]},
        "k": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:wrong", "Next": "z",
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.k", "Next": "j"}]},
        "j": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken", "ResultPath": "$.j", "Next": "z",
            "Parameters": {"FunctionName": "f", "Payload": {"token.$": "$$.Task.Token"}}},
        "z": {"Type": "Succeed"}
        """#)

    /// Answers by what it is asked: `again` fails at first, `wrong` always, and a task with a token waits to be reported.
    private final class Services: WorkflowServices {
        let tokens = Mutex<Set<String>>([])

        func answer(
            to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
        ) async -> Result<JSONValue, FlowFault> {
            if call.resource.pattern == .token, let token = call.token { tokens.withLock { _ = $0.insert(token) } }
            guard case .function(let name) = call.resource.kind else { return .success(.null) }
            if name.hasSuffix("again"), call.input["count"] == 0 { return .failure(FlowFault("Again", "once more")) }
            if name.hasSuffix("wrong") { return .failure(FlowFault("Wrong", "always")) }
            return .success("done")
        }
    }

    /// A node that reaches the server by a line of its own, and dies when it is told to.
    private final class Mortal: Sendable {
        let node: WorkflowNodeTests.Node
        private let services: Services
        private let line: CutLine
        private let table: ServiceTable
        private let state = Mutex(State())

        private struct State {
            /// The groups of changes before it dies; nil: it does not.
            var left: Int?
            var isReporting = false
        }

        init(
            _ name: String, _ url: String, asking services: Services, statesAtOnce: Int?
        ) async throws {
            let server = try PostgresServer.shared.get()
            line = try CutLine(to: server.port)
            let far = url.replacing("127.0.0.1:\(server.port)", with: "127.0.0.1:\(line.port)")
            let place = try ServerPlace("\(far)&sslmode=disable").with(password: PostgresServer.password)
            var capacity = WorkflowCapacity()
            if let statesAtOnce { capacity.statesAtOnce = statesAtOnce }
            self.services = services
            node = try await WorkflowNodeTests.Node(
                name, at: .server(place), definition: WorkflowDeathTests.machine, asking: services,
                // Without waits between tries.
                chance: FlowChance(makeID: FlowChance.ordinary.makeID, fraction: { 0 }), capacity: capacity)
            table = WorkflowCalls(node.workflows).table
            node.store.writer.afterEachGroup { [weak self] in self?.count() }
        }

        /// On the writer's thread: no other change goes out before.
        private func count() {
            let isNow = state.withLock { state in
                state.left = state.left.map { $0 - 1 }
                return state.left == 0
            }
            if isNow { line.die() }
        }

        var isDead: Bool { state.withLock { $0.left.map { $0 <= 0 } ?? false } }

        /// Begins to run executions.
        ///
        /// - Parameter groups: the groups of changes behind which it dies; nil: it lives.
        func run(dyingBehind groups: Int?) {
            state.withLock { $0.left = groups }
            node.run()
        }

        /// Comes back as one that was only cut off, and runs nothing.
        func revive() async {
            line.open()
            await node.stop()
        }

        /// Says that tasks with tokens have succeeded, until that is on the disk. A node that dies meanwhile does not answer.
        func report() {
            guard !services.tokens.withLock({ $0.isEmpty }),
                state.withLock({ state in
                    defer { state.isReporting = true }
                    return !state.isReporting
                })
            else { return }
            Task {
                for token in services.tokens.withLock({ $0 }) {
                    let input: JSONValue = ["taskToken": .string(token), "output": "1"]
                    guard (try? await table.answer("SendTaskSuccess", input)) != nil else { continue }
                    services.tokens.withLock { _ = $0.remove(token) }
                }
                state.withLock { $0.isReporting = false }
            }
        }

        func end() async {
            await node.end()
            line.close()
        }
    }

    /// An execution that has ended.
    private struct Course: Equatable {
        let status: FlowStatus
        let output: String?
        let events: [String]
    }

    /// The nodes of a schema, and a third one that watches.
    private struct Nodes {
        let mortals: [Mortal]
        let watcher: WorkflowNodeTests.Node

        init(statesAtOnce: Int? = nil) async throws {
            let url = try PostgresServer.shared.get().url(ofNewSchema: "deaths\(UInt64.random(in: 0 ... .max))")
            let services = Services()
            let place = try ServerPlace(url).with(password: PostgresServer.password)
            watcher = try await WorkflowNodeTests.Node(
                "watcher", at: .server(place), definition: WorkflowDeathTests.machine)
            var mortals: [Mortal] = []
            for name in ["first", "second"] {
                mortals.append(try await Mortal(name, url, asking: services, statesAtOnce: statesAtOnce))
            }
            self.mortals = mortals
        }

        /// Waits until an execution has ended or its runner is dead, and says which.
        func hasEnded(_ name: String, by mortal: Mortal) async throws -> Bool {
            var hasEnded = false
            try await eventually("\(name) ends, or its runner dies") {
                if mortal.isDead { return true }
                mortal.report()
                hasEnded = try await watcher.status(name) != .running
                return hasEnded
            }
            return hasEnded
        }

        func course(_ name: String) async throws -> Course {
            let execution = try #require(try await watcher.workflows.execution("task", name))
            let history = try await watcher.history(execution.number)
            #expect(history.map(\.number) == history.indices.map { Int64($0) + 1 })
            return Course(
                status: execution.status, output: execution.output, events: WorkflowNodeTests.course(history))
        }

        func end() async {
            for mortal in mortals { await mortal.end() }
            await watcher.end()
        }
    }

    @Test("end with another node as without a death, behind each thing that was saved, and each state is entered once")
    func once() async throws {
        let nodes = try await Nodes()
        let (first, second) = (nodes.mortals[0], nodes.mortals[1])
        var expected: Course?
        // The first one ends by itself, and so does the last.
        for groups in 0... {
            first.run(dyingBehind: groups == 0 ? nil : groups)
            _ = try await nodes.watcher.workflows.begin("task", name: "x\(groups)")
            let hasEnded = try await nodes.hasEnded("x\(groups)", by: first)
            if !hasEnded {
                second.run(dyingBehind: nil)
                _ = try await nodes.hasEnded("x\(groups)", by: second)
            }
            await first.revive()
            await second.revive()
            let course = try await nodes.course("x\(groups)")
            #expect(course == expected ?? course, "a death behind \(groups)")
            expected = expected ?? course
            guard groups == 0 || !hasEnded else {
                #expect(groups > 5)
                break
            }
        }
        await nodes.end()
    }

    @Test("end where each state is saved by itself, and behind each the runner dies")
    func each() async throws {
        let nodes = try await Nodes(statesAtOnce: 1)
        nodes.mortals[0].run(dyingBehind: nil)
        _ = try await nodes.watcher.workflows.begin("task", name: "x")
        #expect(try await nodes.hasEnded("x", by: nodes.mortals[0]))
        await nodes.mortals[0].revive()
        let expected = try await nodes.course("x")
        #expect(expected.status == .succeeded)
        for kind in ["Pass", "Parallel", "Wait", "Succeed", "Fail", "Map", "Choice", "Task"] {
            #expect(expected.events.contains("\(kind)StateEntered"), "\(expected.events)")
        }
        _ = try await nodes.watcher.workflows.begin("task", name: "y")
        let number = try #require(try await nodes.watcher.workflows.execution("task", "y")).number
        // Its place as the runner is a change too.
        let least = 2
        var (deaths, groups, eventCount) = (0, least, 0)
        while true {
            let mortal = nodes.mortals[deaths % 2]
            mortal.run(dyingBehind: groups)
            let hasEnded = try await nodes.hasEnded("y", by: mortal)
            await mortal.revive()
            if hasEnded { break }
            deaths += 1
            // One that only asks again what was asked has not come further: the next one may.
            let count = try await nodes.watcher.history(number).count
            groups = count > eventCount ? least : groups + 1
            eventCount = count
            try #require(deaths < 500, "\(groups) groups do not lead behind event \(count)")
        }
        #expect(try await nodes.course("y") == expected)
        // Nothing that was saved enters two states, and behind the last one there is no death.
        #expect(deaths + 1 >= expected.events.count { $0.hasSuffix("StateEntered") })
        await nodes.end()
    }
}
