import JSON
import Network
import TestSupport
import Testing
import Threads

@testable import Schedules

@Suite("The clock of schedules")
struct ScheduleClockTests {
    private static func seconds(_ text: String) -> Int64 { Timestamp(text)?.seconds ?? 0 }

    /// A clock that a test sets.
    private final class TestTime: @unchecked Sendable {
        // Safe to share: read and written on the test's loop alone.
        var value: Int64
        init(_ text: String) { value = ScheduleClockTests.seconds(text) * 1_000 }

        func pass(_ minutes: Int, _ look: () -> Void) {
            for _ in 0..<minutes {
                value += 60_000
                look()
            }
        }
    }

    private static func call(
        _ name: String, _ text: String, machine: Bool = false, created: String = "2026-11-22T10:01:00Z"
    ) throws -> ScheduledCall {
        ScheduledCall(
            machine ? .stateMachine(name) : .function(name), named: name, try Schedule(text),
            createdAt: seconds(created))
    }

    private static func said(
        at start: String, _ body: @escaping @Sendable (ScheduleClock, TestTime) -> Void
    ) async throws -> [String] {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let said = await loop.run {
            let time = TestTime(start)
            var said: [String] = []
            let clock = ScheduleClock(on: loop, now: { time.value }) { call, seconds in
                said.append("\(call.name) \(Timestamp(seconds: seconds).text.dropFirst(11).prefix(5))")
            }
            body(clock, time)
            clock.stop()
            return said
        }
        BlockingThread.detach { group.stop() }
        return said
    }

    @Test("functions and state machines are called when it is time, over midnight")
    func calls() async throws {
        let calls = [
            try Self.call("tick", "every 5m"), try Self.call("day", "every day"),
            try Self.call("machine", "rate(90 minutes)", machine: true, created: "2026-11-22T22:32:00Z"),
        ]
        let said = try await Self.said(at: "2026-11-22T23:58:00Z") { clock, time in
            clock.adopt(calls)
            clock.start()
            time.pass(7, clock.look)
        }
        #expect(said == ["tick 00:00", "day 00:00", "machine 00:02", "tick 00:05"])
    }

    @Test("a clock that was set calls what is due once, and goes on evenly, forwards and backwards")
    func setClock() async throws {
        let calls = [
            try Self.call("function", "rate(90 minutes)"), try Self.call("machine", "rate(90 minutes)", machine: true),
        ]
        let said = try await Self.said(at: "2026-11-22T10:01:00Z") { clock, time in
            clock.adopt(calls)
            clock.start()
            for moment in ["2026-11-22T11:30:59Z", "2026-11-22T11:31:00Z", "2026-11-23T10:02:00Z"] {
                time.value = Self.seconds(moment) * 1_000
                clock.clockWasSet()
            }
            // Back: the next one is that of this time, not of the one before.
            time.value = Self.seconds("2026-11-22T11:00:00Z") * 1_000
            clock.clockWasSet()
            time.pass(31, clock.look)
        }
        #expect(
            said == [
                "function 11:31", "machine 11:31", "function 13:01", "machine 13:01", "function 11:31",
                "machine 11:31",
            ])
    }

    @Test("calls that come later are made when it is time, those that stay keep theirs, and those that go are not made")
    func adopts() async throws {
        let (first, second) = (try Self.call("first", "every 10m"), try Self.call("second", "rate(5 minutes)"))
        let said = try await Self.said(at: "2026-11-22T10:01:00Z") { clock, time in
            clock.start()
            clock.adopt([first])
            time.pass(8, clock.look)
            clock.adopt([first, second])
            time.pass(2, clock.look)
            clock.adopt([second])
            time.pass(10, clock.look)
            clock.stop()
            clock.adopt([first])
            time.pass(20, clock.look)
        }
        #expect(said == ["first 10:10", "second 10:11", "second 10:16", "second 10:21"])
    }
}
