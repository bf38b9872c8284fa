import Access
import Network
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Deliveries")
struct DeliveryEngineTests {
    /// A source in memory: numbers that wait, and what each delivery meets.
    private final class Source: DeliverySource {
        struct Failure: Error {}

        struct Part: DeliveryPart { let number: Int64 }

        private struct State {
            var waiting: [Int64] = []
            var outcomes: [DeliveryOutcome] = []
            var delivered: [Int64] = []
            var settled: [Int64] = []
            var reports: [String] = []
            var failedReads = 0
            var failedWrites = 0
            var underWay = 0
            var mostUnderWay = 0
            var isHeld = false
            var held: [CheckedContinuation<Void, Never>] = []
        }

        let engine: DeliveryEngine
        private let state = Mutex(State())

        init(_ numbers: [Int64], atOnce: Int, on loop: EventLoop, _ clock: RungClock) {
            let missed = BackOff(firstMilliseconds: 100, longestMilliseconds: 300)
            engine = DeliveryEngine(
                DeliveryLimits(atOnce: atOnce, pauseMilliseconds: 1_000, missed: missed), on: loop, clock: clock)
            state.withLock { $0.waiting = numbers }
        }

        func add(_ number: Int64) {
            state.withLock { $0.waiting.append(number) }
            wake()
        }
        func will(_ outcomes: [DeliveryOutcome]) { state.withLock { $0.outcomes = outcomes } }
        func fail(reads: Int = 0, writes: Int = 0) {
            state.withLock { ($0.failedReads, $0.failedWrites) = (reads, writes) }
        }
        var delivered: [Int64] { state.withLock { $0.delivered } }
        var settled: [Int64] { state.withLock { $0.settled } }
        var reports: [String] { state.withLock { $0.reports } }
        var waiting: [Int64] { state.withLock { $0.waiting } }
        var underWay: Int { state.withLock { $0.underWay } }
        var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

        /// From here on a delivery waits, until the end of that.
        func hold() { state.withLock { $0.isHeld = true } }
        func letGo() {
            let held = state.withLock { state in
                state.isHeld = false
                defer { state.held = [] }
                return state.held
            }
            for continuation in held { continuation.resume() }
        }

        func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part> {
            try state.withLock { state in
                guard state.failedReads == 0 else {
                    state.failedReads -= 1
                    throw Failure()
                }
                let parts = state.waiting.filter { !besides.contains($0) }.prefix(max).map { Part(number: $0) }
                return DueParts(parts, next: parts.isEmpty ? nil : now)
            }
        }

        func deliver(_ part: Part) async -> DeliveryOutcome {
            state.withLock { state in
                state.delivered.append(part.number)
                state.underWay += 1
                state.mostUnderWay = max(state.mostUnderWay, state.underWay)
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isHeld = state.withLock { state in
                        if state.isHeld { state.held.append(continuation) }
                        return state.isHeld
                    }
                    if !isHeld { continuation.resume() }
                }
            } onCancel: {
                letGo()
            }
            return state.withLock { state in
                state.underWay -= 1
                if engine.isStopping { return .cancelled }
                return state.outcomes.isEmpty ? .taken : state.outcomes.removeFirst()
            }
        }

        func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws {
            try state.withLock { state in
                guard state.failedWrites == 0 else {
                    state.failedWrites -= 1
                    throw Failure()
                }
                if case .unreachable = outcome {
                    state.reports.append("\(engine.miss().isFirst)")
                } else if outcome == .taken {
                    state.waiting.removeAll { $0 == part.number }
                    state.settled.append(part.number)
                }
            }
        }

        func report(unread error: any Error) { state.withLock { $0.reports.append("unread") } }
        func report(unsettled part: Part, _ error: any Error) { state.withLock { $0.reports.append("unsettled") } }
    }

    private static let start: Int64 = 1_000_000

    private static func with<Value>(
        _ numbers: [Int64], atOnce: Int, _ body: (Source, RungClock) async throws -> Value
    ) async throws -> Value {
        let loop = try EventLoop(index: 0)
        try loop.start()
        defer {
            loop.stop()
            loop.join()
        }
        let clock = RungClock(at: start)
        let source = Source(numbers, atOnce: atOnce, on: loop, clock)
        return try await body(source, clock)
    }

    private static func emptied(_ source: Source, _ clock: RungClock) async throws {
        try await eventually("all is delivered", pausing: .milliseconds(1)) {
            _ = clock.ring()
            return source.waiting.isEmpty
        }
        await source.stop()
    }

    @Test("are made in their order where one is made at a time, and never more at once than may be", arguments: [1, 3])
    func bound(atOnce: Int) async throws {
        try await Self.with(Array(1...20), atOnce: atOnce) { source, clock in
            source.hold()
            source.start()
            try await eventually("as many begin as may") { source.underWay == atOnce }
            #expect(await !source.engine.isIdle)
            source.letGo()
            try await Self.emptied(source, clock)
            #expect(source.mostUnderWay == atOnce)
            #expect(source.delivered.sorted() == Array(1...20))
            if atOnce == 1 { #expect(source.settled == Array(1...20)) }
            #expect(await source.engine.isIdle)
        }
    }

    @Test(
        "wait where the database cannot be read, and are made again where an outcome cannot be written",
        arguments: [1, 2])
    func database(atOnce: Int) async throws {
        try await Self.with([7], atOnce: atOnce) { source, clock in
            source.fail(reads: 2, writes: 1)
            source.start()
            try await Self.emptied(source, clock)
            #expect(source.reports == ["unread", "unread", "unsettled"])
            #expect(source.delivered == [7, 7])
            #expect(clock.milliseconds == Self.start + 3_000)
        }
    }

    @Test("wait longer each time that nobody answers, and that is told once")
    func misses() async throws {
        try await Self.with([1, 2], atOnce: 1) { source, clock in
            let away = DeliveryOutcome.unreachable("nobody")
            source.will([away, away, away, away, .taken, away])
            source.start()
            try await Self.emptied(source, clock)
            #expect(source.reports == ["true", "false", "false", "false", "true"])
            #expect(clock.milliseconds == Self.start + 100 + 200 + 300 + 300 + 100)
            #expect(source.settled == [1, 2])
        }
    }

    @Test("are not begun by an engine that has a successor, which ends what it began")
    func retired() async throws {
        try await Self.with([1], atOnce: 2) { source, _ in
            source.hold()
            source.start()
            try await eventually("one begins") { source.underWay == 1 }
            await source.engine.retire()
            source.add(2)
            source.letGo()
            try await eventually("what was begun ends") { await source.engine.isIdle }
            await source.stop()
            #expect(source.delivered == [1] && source.settled == [1])
        }
    }

    @Test("are given up by a stop, and wait for the next start", arguments: [1, 2])
    func stopped(atOnce: Int) async throws {
        try await Self.with([1, 2, 3], atOnce: atOnce) { source, _ in
            source.hold()
            source.start()
            try await eventually("they begin") { source.underWay == atOnce }
            await source.stop()
            #expect(source.settled.isEmpty && source.waiting == [1, 2, 3])
            #expect(source.delivered.count == atOnce)
        }
    }

    @Test("go on at once where another time holds, whatever was waited for")
    func anew() async throws {
        try await Self.with([1], atOnce: 1) { source, clock in
            source.fail(reads: 1)
            source.start()
            try await eventually("the read fails") { !source.reports.isEmpty }
            source.wake()
            await source.loop.run {}
            #expect(source.delivered.isEmpty)
            source.engine.beginAnew()
            try await eventually("it is delivered") { source.settled == [1] }
            #expect(clock.milliseconds == Self.start)
            await source.stop()
        }
    }
}
