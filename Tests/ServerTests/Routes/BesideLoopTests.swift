import Network
import TestSupport
import Testing

@testable import Server

@Suite("Work beside the loop")
struct BesideLoopTests {
    /// So long that a stop of the machine within it is short beside it.
    private static func work() -> Int {
        var sum = 0
        for number in 0..<4_000_000 { sum &+= number }
        return sum
    }

    @Test("holds it for nothing")
    func besides() async {
        let loop = HeldLoop()
        let onLoop = await loop.longestPiece { _ = Self.work() }
        let beside = await loop.longestPiece { _ = await BesideLoop.always { Self.work() } }
        #expect(beside < onLoop / 2)
    }

    @Test("ends with whoever waits for it")
    func cancelled() async {
        let task = Task {
            await BesideLoop.always { () -> Bool in
                let (stream, end) = AsyncStream.makeStream(of: Void.self)
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    end.finish()
                }
                return Task.isCancelled
            }
        }
        task.cancel()
        #expect(await task.value)
    }
}
