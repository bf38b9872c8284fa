import Glibc
import Testing

@testable import Network

struct EventLoopClockTests {
    /// Tells what the loop's clock said when a byte came in.
    private final class Reader: PollTarget, @unchecked Sendable {
        // Safe to share: touched on the loop's thread only.
        let loop: EventLoop
        let descriptor: FileDescriptor
        var registration: PollRegistration?
        let times: AsyncStream<MonotonicTime>.Continuation

        init(
            _ loop: EventLoop, _ descriptor: consuming FileDescriptor, _ times: AsyncStream<MonotonicTime>.Continuation
        ) {
            self.loop = loop
            self.descriptor = descriptor
            self.times = times
        }

        func pollTargetIsReady(_ events: PollEvents) {
            times.yield(loop.now)
            if let registration { loop.unregister(registration) }
            registration = nil
        }
    }

    @Test("an event is handled with the time at which it came, not that at which the loop began to wait")
    func clock() async throws {
        let loop = try EventLoop.started()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let writing = FileDescriptor(owning: ends[1])
        let (times, continuation) = AsyncStream<MonotonicTime>.makeStream()
        let reader = Reader(loop, FileDescriptor(owning: ends[0]), continuation)
        await loop.run {
            reader.registration = try? loop.register(reader.descriptor.raw, interest: .reading, target: reader)
        }
        let before = MonotonicTime.now
        #expect(write(writing.raw, [1], 1) == 1)
        var iterator = times.makeAsyncIterator()
        let seen = try #require(await iterator.next())
        #expect(seen >= before)
        loop.stop()
        loop.join()
    }
}

extension EventLoop {
    fileprivate static func started() throws -> EventLoop {
        let loop = try EventLoop(index: 0)
        try loop.start()
        return loop
    }
}
