import Foundation
import TestSupport
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

    /// In a process of its own, which runs this test alone. Swift Testing's own way to expect the end of a process has a thread that spins
    /// from then on, for as long as a process of another test has ended and was not waited for: a twentieth of the time of all tests.
    @Test("a debug build stops where it is used on another thread")
    func elsewhere() throws {
        let mark = "HOMEPORT_TEST_USED_ELSEWHERE"
        guard ProcessInfo.processInfo.environment[mark] == nil else {
            let loop = try EventLoop(index: 0)
            try loop.start()
            _ = Counter(on: loop).increase()
            return
        }
        let words = ["/proc/self/exe", "--testing-library", "swift-testing", "--filter", "LoopBoundTests"]
        let own = [mark: "1", "SWIFT_BACKTRACE": "enable=no"]
        let environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        let run = try ChildProcess.said(words, environment: environment, isWithErrors: true)
        #expect(run.ending != .code(0))
        #expect(run.text.contains("Counter is used outside of its loop's thread"), "\(run.text)")
    }
}
