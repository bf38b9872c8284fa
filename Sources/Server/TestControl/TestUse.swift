import Network
import Synchronization

/// When a server was last used, so that a world that nobody needs any more ends.
final class TestUse: Sendable {
    private let lastNanoseconds = Atomic<UInt64>(MonotonicTime.now.nanoseconds)
    private let openSockets = Atomic<Int>(0)

    var last: MonotonicTime { MonotonicTime(nanoseconds: lastNanoseconds.load(ordering: .relaxed)) }

    /// Notes a request.
    func note() { lastNanoseconds.store(MonotonicTime.now.nanoseconds, ordering: .relaxed) }

    /// Notes a WebSocket that is open from now on.
    func opened() { openSockets.wrappingAdd(1, ordering: .relaxed) }

    func closed() {
        openSockets.wrappingSubtract(1, ordering: .relaxed)
        note()
    }

    /// Returns whether nobody has used it for so long.
    func isIdle(forMilliseconds milliseconds: Int64, at now: MonotonicTime) -> Bool {
        guard openSockets.load(ordering: .relaxed) <= 0 else { return false }
        let last = last
        return now > last && Int64(clamping: now.nanoseconds(since: last) / 1_000_000) >= milliseconds
    }
}
