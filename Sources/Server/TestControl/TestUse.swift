import Network
import Synchronization

/// When a server was last used, so that a world that nobody needs any more ends.
final class TestUse: Sendable {
    private let lastNanoseconds = Atomic<UInt64>(MonotonicTime.now.nanoseconds)
    private let openSockets = Atomic<Int>(0)
    /// Called once, at the next use; nil where nothing waits for one.
    private let waiter = Mutex<(@Sendable () -> Void)?>(nil)
    private let isAwaited = Atomic<Bool>(false)

    var last: MonotonicTime { MonotonicTime(nanoseconds: lastNanoseconds.load(ordering: .relaxed)) }

    /// Notes a request.
    func note() {
        lastNanoseconds.store(MonotonicTime.now.nanoseconds, ordering: .sequentiallyConsistent)
        tell()
    }

    /// Notes a WebSocket that is open from now on.
    func opened() {
        openSockets.wrappingAdd(1, ordering: .sequentiallyConsistent)
        tell()
    }

    private func tell() {
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        waiter.withLock { waiter in
            isAwaited.store(false, ordering: .relaxed)
            defer { waiter = nil }
            return waiter
        }?()
    }

    /// Has something called once, at the next use.
    ///
    /// - Returns: false where there was one since a time, or a WebSocket is open. Nothing is called then.
    func callAtNext(since last: MonotonicTime, _ call: @escaping @Sendable () -> Void) -> Bool {
        waiter.withLock { $0 = call }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        // A use that has not seen the mark is seen here.
        guard lastNanoseconds.load(ordering: .sequentiallyConsistent) == last.nanoseconds,
            openSockets.load(ordering: .sequentiallyConsistent) <= 0
        else {
            isAwaited.store(false, ordering: .relaxed)
            waiter.withLock { $0 = nil }
            return false
        }
        return true
    }

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
