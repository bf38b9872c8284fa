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

/// Executions in a database, run by a runner whose clock is set.
@Suite("Executions in the database")
struct WorkflowStoreTests {
    /// Answers what it is told, or nothing at all.
    private final class Answers: WorkflowServices {
        let isSilent: Bool
        let asked = Mutex(0)

        init(isSilent: Bool = false) { self.isSilent = isSilent }

        func answer(
            to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
        ) async -> Result<JSONValue, FlowFault> {
            asked.withLock { $0 += 1 }
            if isSilent { try? await pause(.seconds(3_600), because: "it never answers; the runner cancels it") }
            return .success(call.input)
        }
    }

    private final class TestClock: MailClock {
        let time = Mutex<Int64>(1_000_000)
        var milliseconds: Int64 { time.withLock { $0 } }

        func alarm(
            after milliseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
        ) -> () -> Void {
            // Looks again soon: the test sets the time.
            let token = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: 5), action)
            return { loop.cancel(token) }
        }
    }

    private static let wait =
        #"{"StartAt": "w", "States": {"w": {"Type": "Wait", "Seconds": 3600, "Next": "t"}, "t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}}"#

    private static func store() throws -> Store {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        return try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
    }

    private static func machine(_ name: String, _ text: String) throws -> WorkflowMachine {
        try WorkflowMachine(name, definition: text, isExpress: false, createdMilliseconds: 0)
    }

    private static func workflows(
        _ store: Store, _ clock: TestClock, _ machines: [WorkflowMachine] = [],
        _ change: (inout WorkflowCapacity) -> Void = { _ in }
    ) throws -> Workflows {
        var capacity = WorkflowCapacity()
        change(&capacity)
        return Workflows(
            over: store, machines: [try machine("wait", wait)] + machines, region: "us-east-1",
            accountID: "123456789012", clock: { clock.milliseconds }, capacity: capacity)
    }

    private static func status(_ workflows: Workflows, _ name: String, _ wanted: FlowStatus) async throws -> Bool {
        try await eventually("the execution \(name) is \(wanted)") {
            try await workflows.execution("wait", name)?.status == wanted
        }
        return true
    }

    /// Whether an execution has come to its first state: only then it waits by the time that the test sets later.
    private static func hasEntered(_ workflows: Workflows, _ name: String) async throws -> Bool {
        try await eventually("the execution \(name) is in its first state") {
            try await workflows.execution("wait", name)?.events ?? 0 > 1
        }
        return true
    }

    @Test("another process goes on with what waits and asks again what was asked")
    func restarts() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let first = try Self.workflows(store, clock)
        _ = try await first.begin("wait", name: "x", input: #"{"n":1}"#)
        let silent = Answers(isSilent: true)
        var runner = WorkflowRunner(first, asking: silent, on: loops.loops[0], clock: clock) { Issue.record("\($0)") }
        runner.start()
        #expect(try await Self.hasEntered(first, "x"))
        #expect(silent.asked.withLock { $0 } == 0)
        clock.time.withLock { $0 += 3_600_000 }
        try await eventually("the service is asked") { silent.asked.withLock { $0 } > 0 }
        #expect(silent.asked.withLock { $0 } == 1)
        await runner.stop()
        let second = try Self.workflows(store, clock)
        let answers = Answers()
        runner = WorkflowRunner(second, asking: answers, on: loops.loops[0], clock: clock) { Issue.record("\($0)") }
        runner.start()
        #expect(try await Self.status(second, "x", .succeeded))
        #expect(answers.asked.withLock { $0 } == 1)
        await runner.stop()
    }

    @Test("executions in tables of an earlier version go on")
    func earlier() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let definition = FlowRun.machine(#""a": {"Type": "Pass", "End": true}"#)
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.bring(RoomTables(of: "workflows", turn: .all, versions: [WorkflowTables.version1]))
            try session.change(WorkflowRows.keepingDefinition, [.text("x"), .text(definition)])
            try session.change(
                RoomStatement(
                    """
                    INSERT INTO _homeport_workflow_executions
                        (machine, name, express, definition, status, input, started, due, bytes)
                    VALUES ('wait', 'x', 0, 1, 'RUNNING', '{}', 0, 0, 2)
                    """))
        }
        let workflows = try Self.workflows(store, clock)
        let runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        #expect(try await Self.status(workflows, "x", .succeeded))
        await runner.stop()
    }

    @Test("an execution that is begun again is the same where its input means the same")
    func again() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let workflows = try Self.workflows(store, clock)
        let first = try await workflows.begin("wait", name: "x", input: #"{"a": 1, "b": [1, 2]}"#)
        for input in [#"{"a": 1, "b": [1, 2]}"#, #"{"b":[1,2],"a":1}"#] {
            #expect(try await workflows.begin("wait", name: "x", input: input).number == first.number)
        }
        for input in [#"{"b":[2,1],"a":1}"#, #"{"a":1}"#, "{}"] {
            do throws(WorkflowError) {
                _ = try await workflows.begin("wait", name: "x", input: input)
                Issue.record("\(input) is taken for the same")
            } catch { #expect(error.type == "ExecutionAlreadyExists") }
        }
    }

    @Test("a bounded number of executions is under way, and of those that have ended the last are kept")
    func limits() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock) {
            $0.runningMax = 3
            $0.endedMax = 2
        }
        let runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        for name in ["a", "b", "c"] { _ = try await workflows.begin("wait", name: name) }
        do throws(WorkflowError) {
            _ = try await workflows.begin("wait", name: "d")
            Issue.record("a fourth is begun")
        } catch {
            #expect(error.type == "ExecutionLimitExceeded")
        }
        for name in ["a", "b", "c"] { #expect(try await Self.hasEntered(workflows, name)) }
        clock.time.withLock { $0 += 3_600_000 }
        for name in ["a", "b", "c"] { #expect(try await Self.status(workflows, name, .succeeded)) }
        _ = try await workflows.begin("wait", name: "d")
        #expect(try await Self.hasEntered(workflows, "d"))
        try await workflows.sweep()
        var kept = 0
        for name in ["a", "b", "c"] { if try await workflows.execution("wait", name) != nil { kept += 1 } }
        // All three ended at the same time.
        #expect(kept >= 2)
        clock.time.withLock { $0 += WorkflowLimits.endedMilliseconds }
        try await workflows.sweep()
        #expect(try await workflows.execution("wait", "a") == nil)
        #expect(try await Self.status(workflows, "d", .succeeded))
        await runner.stop()
    }

    @Test("of two who wait for the same execution one may go away, and the other is told its end")
    func waiters() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock)
        let runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        let waiting = (0..<2).map { _ in
            Task { try await workflows.runForTask("wait", name: "x", input: "{}", begun: { _ in }).execution.status }
        }
        #expect(try await Self.hasEntered(workflows, "x"))
        waiting[0].cancel()
        await #expect(throws: WorkflowError.self) { try await waiting[0].value }
        clock.time.withLock { $0 += 3_600_000 }
        #expect(try await waiting[1].value == .succeeded)
        await runner.stop()
    }

    @Test("what all executions together keep is bounded, and what is kept already goes on")
    func bytes() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let workflows = try Self.workflows(store, clock) { $0.bytesMax = 100 }
        _ = try await workflows.begin("wait", name: "a", input: #"{"n":1}"#)
        let long = #"{"n":"\#(String(repeating: "x", count: 100))"}"#
        _ = try await workflows.begin("wait", name: "b", input: long)
        do throws(WorkflowError) {
            _ = try await workflows.begin("wait", name: "c")
            Issue.record("a third is begun")
        } catch {
            #expect(error.type == "ExecutionLimitExceeded" && error.isOfRoom)
            #expect(error.message.contains("100 bytes"), "\(error.message)")
        }
        // The same again is the same, and takes no room.
        #expect(try await workflows.begin("wait", name: "b", input: long).isKnown)
    }

    private static let three =
        #"{"StartAt": "m", "States": {"m": {"Type": "Map", "ItemProcessor": {"StartAt": "t", "States": {"t": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}}}, "End": true}}}"#

    /// Answers only when it is told to.
    private final class HeldAnswers: WorkflowServices {
        let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        func answer(
            to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
        ) async -> Result<JSONValue, FlowFault> {
            await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
            return .success(call.input)
        }

        var count: Int { waiting.withLock { $0.count } }

        func answer(_ number: Int) {
            let first = waiting.withLock { all in
                let first = Array(all.prefix(number))
                all.removeFirst(first.count)
                return first
            }
            for continuation in first { continuation.resume() }
        }
    }

    @Test("tasks beyond those that are asked at the same time wait for the answers of others")
    func callsAtOnce() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock, [try Self.machine("three", Self.three)]) {
            $0.callsAtOnce = 2
        }
        let answers = HeldAnswers()
        let runner = WorkflowRunner(workflows, asking: answers, on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        _ = try await workflows.begin("three", name: "x", input: "[1,2,3,4,5]")
        for (round, expected) in [2, 2, 1].enumerated() {
            try await eventually("\(expected) tasks are asked") { answers.count >= expected }
            // None comes behind them: the runner has been round once more when a later execution is under way.
            _ = try await workflows.begin("wait", name: "behind-\(round)")
            #expect(try await Self.hasEntered(workflows, "behind-\(round)"))
            #expect(answers.count == expected)
            answers.answer(expected)
        }
        try await eventually("the execution has ended") {
            try await workflows.execution("three", "x")?.status != .running
        }
        #expect(try await workflows.execution("three", "x")?.output == "[1,2,3,4,5]")
        await runner.stop()
    }

    @Test("one who waits beyond the limit is told so, and nothing is begun for them")
    func waitersMax() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock) { $0.waitersMax = 2 }
        let runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        let waiting = ["a", "b"].map { name in
            Task { try await workflows.runForTask("wait", name: name, input: "{}", begun: { _ in }).execution.status }
        }
        for name in ["a", "b"] { #expect(try await Self.hasEntered(workflows, name)) }
        do throws(WorkflowError) {
            _ = try await workflows.runForTask("wait", name: "c", input: "{}", begun: { _ in })
            Issue.record("a third waits")
        } catch {
            #expect(error.type == "ExecutionLimitExceeded" && error.message.hasPrefix("2 wait"), "\(error)")
        }
        #expect(try await workflows.execution("wait", "c") == nil)
        // A place that was left is there for the next, also where nothing could be begun.
        waiting[0].cancel()
        await #expect(throws: WorkflowError.self) { try await waiting[0].value }
        for _ in 0..<3 {
            await #expect(throws: WorkflowError.self) {
                try await workflows.runForTask("wait", name: "no name", input: "{}", begun: { _ in })
            }
        }
        let third = Task {
            try await workflows.runForTask("wait", name: "c", input: "{}", begun: { _ in }).execution.status
        }
        #expect(try await Self.hasEntered(workflows, "c"))
        clock.time.withLock { $0 += 3_600_000 }
        #expect(try await waiting[1].value == .succeeded)
        #expect(try await third.value == .succeeded)
        await runner.stop()
    }

    @Test("executions under way end by the definitions with which they have begun, and new ones have the new")
    func newDefinitions() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock)
        var runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        _ = try await workflows.begin("wait", name: "old", input: #"{"n":1}"#)
        #expect(try await Self.hasEntered(workflows, "old"))
        let new = #"{"StartAt": "p", "States": {"p": {"Type": "Pass", "Result": "new", "End": true}}}"#
        workflows.adopt([try WorkflowMachine("wait", definition: new, isExpress: false, createdMilliseconds: 9)])
        _ = try await workflows.begin("wait", name: "new")
        #expect(try await Self.status(workflows, "new", .succeeded))
        #expect(try await workflows.execution("wait", "new")?.output == #""new""#)
        #expect(workflows.machine("wait")?.createdMilliseconds == 0)
        // Also those of a machine that is gone, and in another process.
        workflows.adopt([])
        await runner.stop()
        runner = WorkflowRunner(workflows, asking: Answers(), on: loops.loops[0], clock: clock) {
            Issue.record("\($0)")
        }
        runner.start()
        clock.time.withLock { $0 += 3_600_000 }
        #expect(try await Self.status(workflows, "old", .succeeded))
        #expect(try await workflows.execution("wait", "old")?.output == #"{"n":1}"#)
        await #expect(throws: WorkflowError.self) { try await workflows.begin("wait", name: "other") }
        await runner.stop()
    }
}
