import Blueprint
import GraphQL
import JSON
import Network
import Store
import Synchronization
import Testing

@testable import Workflows

/// Executions in a database, run by a runner whose clock is set.
@Suite("Executions in the database", .serialized)
struct WorkflowStoreTests {
    /// Answers what it is told, or nothing at all.
    private final class Answers: WorkflowServices {
        let isSilent: Bool
        let asked = Mutex(0)

        init(isSilent: Bool = false) { self.isSilent = isSilent }

        func answer(to call: FlowCall) async -> Result<JSONValue, FlowFault> {
            asked.withLock { $0 += 1 }
            while isSilent, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
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
        return try Store(.memory, for: try #require(reading.blueprint), nowMilliseconds: 0) { Issue.record("\($0)") }
    }

    private static func workflows(_ store: Store, _ clock: TestClock, runningMax: Int = 100, endedMax: Int = 100) throws
        -> Workflows
    {
        Workflows(
            over: store,
            machines: [try WorkflowMachine("wait", definition: wait, isExpress: false, createdMilliseconds: 0)],
            region: "us-east-1", accountID: "123456789012", clock: { clock.milliseconds }, runningMax: runningMax,
            endedMax: endedMax)
    }

    private static func status(_ workflows: Workflows, _ name: String, _ wanted: FlowStatus) async throws -> Bool {
        for _ in 0..<1_000 {
            if try await workflows.execution("wait", name)?.status == wanted { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    /// Whether an execution has come to its first state: only then it waits by the time that the test sets later.
    private static func hasEntered(_ workflows: Workflows, _ name: String) async throws -> Bool {
        for _ in 0..<1_000 {
            if try await workflows.execution("wait", name)?.events ?? 0 > 1 { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
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
        for _ in 0..<1_000 where silent.asked.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
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

    @Test("a bounded number of executions is under way, and of those that have ended the last are kept")
    func limits() async throws {
        let (store, clock) = (try Self.store(), TestClock())
        defer { try? store.close() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.stop() }
        let workflows = try Self.workflows(store, clock, runningMax: 3, endedMax: 2)
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
            Task { try await workflows.runForTask("wait", name: "x", input: "{}").execution.status }
        }
        #expect(try await Self.hasEntered(workflows, "x"))
        waiting[0].cancel()
        await #expect(throws: WorkflowError.self) { try await waiting[0].value }
        clock.time.withLock { $0 += 3_600_000 }
        #expect(try await waiting[1].value == .succeeded)
        await runner.stop()
    }
}
