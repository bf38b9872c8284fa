import Testing

@testable import Network

struct LoopBoundTests {
    private final class Counter: LoopBound, @unchecked Sendable {
        let loop: EventLoop
        private var count = 0

        init(on loop: EventLoop) { self.loop = loop }

        func increase() -> Int {
            checkLoop()
            count += 1
            return count
        }
    }

    @Test("what belongs to a loop is used on the loop's thread")
    func onItsThread() async throws {
        let loop = try EventLoop(index: 0)
        try loop.start()
        let counter = Counter(on: loop)
        #expect(await loop.run { counter.increase() } == 1)
        #expect(await Task(executorPreference: loop) { counter.increase() }.value == 2)
        loop.stop()
    }

    @Test("a debug build stops where it is used on another thread")
    func elsewhere() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop(index: 0)
            try loop.start()
            _ = Counter(on: loop).increase()
        }
    }
}
