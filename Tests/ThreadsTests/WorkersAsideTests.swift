import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Threads

@Suite("Workers beside the loops")
struct WorkersAsideTests {
    /// Work that ends when it is told to.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        private let begun = Atomic(0)

        func pass() {
            begun.add(1, ordering: .releasing)
            opened.wait()
            opened.signal()
        }
        func open() { opened.signal() }
        var count: Int { begun.load(ordering: .acquiring) }
    }

    /// A number that several threads count with.
    private final class Counter: Sendable {
        private let state = Mutex((now: 0, most: 0))

        func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
        func leave() { state.withLock { $0.now -= 1 } }
        var now: Int { state.withLock { $0.now } }
        var most: Int { state.withLock { $0.most } }
    }

    @Test("do all that they are given, a few pieces at a time", arguments: [1, 2])
    func doAll(threads: Int) async {
        let workers = WorkersAside(threadsMax: threads, waitingMax: 1_000)
        let running = Counter()
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...200 {
                group.addTask {
                    await workers.value {
                        running.enter()
                        running.leave()
                        return number
                    } ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 200 * 201 / 2)
        #expect((1...threads).contains(running.most))
    }

    @Test("take no more than may wait")
    func refuse() async throws {
        let workers = WorkersAside(threadsMax: 1, waitingMax: 2)
        let gate = Gate()
        let first = Task.detached { await workers.value { gate.pass() } }
        try await eventually("the first piece is begun") { gate.count > 0 }
        let refused = Counter()
        let done = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    if await workers.value(of: { true }) == nil { refused.enter() } else { done.enter() }
                }
            }
            // Those that are not taken are told at once; the two others wait for the first.
            try await eventually("three are refused") { refused.now >= 3 }
            #expect(done.now == 0)
            gate.open()
        }
        #expect((refused.now, done.now) == (3, 2))
        #expect(await first.value != nil)
    }

    @Test("let go of what is given to them, also when they take nothing", arguments: [0, 10])
    func release(waitingMax: Int) async {
        final class Held: Sendable {
            let isGone: @Sendable () -> Void
            init(_ isGone: @escaping @Sendable () -> Void) { self.isGone = isGone }
            deinit { isGone() }
        }
        let workers = WorkersAside(threadsMax: 1, waitingMax: waitingMax)
        await withCheckedContinuation { continuation in workers.release(Held { continuation.resume() }) }
    }

    @Test("make once what several wait for, and anew what is asked for later")
    func together() async throws {
        let together = WorkTogether<Int, Int>(WorkersAside())
        let gate = Gate()
        let made = Counter()
        let loop = OneThread()
        let asked = (0..<4).map { number in
            Task(executorPreference: loop) {
                await together.value(for: number % 2) {
                    made.enter()
                    gate.pass()
                    return number % 2
                }
            }
        }
        try await eventually("two pieces are begun") { gate.count >= 2 }
        // All of them have asked when this one has its turn.
        await Task(executorPreference: loop) {}.value
        gate.open()
        var values: [Int?] = []
        for task in asked { values.append(await task.value) }
        #expect(values == [0, 1, 0, 1])
        #expect(made.now == 2)
        #expect(await Task(executorPreference: loop) { await together.value(for: 0) { 7 } }.value == 7)
    }

    /// Runs its tasks one after the other, as a loop does.
    private final class OneThread: TaskExecutor {
        private let queue = DispatchQueue(label: "one thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
