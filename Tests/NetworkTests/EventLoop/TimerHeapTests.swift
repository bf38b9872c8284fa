import TestSupport
import Testing

@testable import Network

@Suite("Timers")
struct TimerHeapTests {
    private func time(_ nanoseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    @Test("fire in the order of their deadlines, and only when due")
    func fireInOrder() {
        var random = SeededRandom(test: "TimerHeapTests")
        var heap = TimerHeap()
        var fired: [UInt64] = []
        let deadlines = (0..<500).map { _ in UInt64.random(in: 0..<1000, using: &random) }
        for deadline in deadlines { _ = heap.schedule(at: time(deadline)) { fired.append(deadline) } }
        for now: UInt64 in stride(from: 0, through: 1000, by: 50) {
            while let action = heap.popDue(at: time(now)) { action() }
            #expect(fired == deadlines.filter { $0 <= now }.sorted())
        }
        #expect(heap.isEmpty)
    }

    @Test("a cancelled timer does not fire, and its place is given back")
    func cancelledDoNotFire() {
        var heap = TimerHeap()
        for round: UInt64 in 0..<10_000 {
            let token = heap.schedule(at: time(round + 1000)) { Issue.record("a cancelled timer fired") }
            heap.cancel(token)
        }
        #expect(heap.isEmpty)
        #expect(heap.places <= 64)
        #expect(heap.popDue(at: .never) == nil)
    }

    @Test("the next deadline is that of a live timer")
    func nextDeadlineIsLive() {
        var heap = TimerHeap()
        let first = heap.schedule(at: time(1)) {}
        _ = heap.schedule(at: time(2)) {}
        heap.cancel(first)
        #expect(heap.nextDeadline == time(2))
    }
}
