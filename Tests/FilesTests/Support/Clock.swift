import Synchronization

/// A time that stands still unless a test moves it.
final class Clock: Sendable {
    private let milliseconds = Mutex<Int64>(TestFiles.now * 1_000)

    var now: Int64 { milliseconds.withLock { $0 } }

    func set(milliseconds now: Int64) { milliseconds.withLock { $0 = now } }

    func pass(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1_000 } }
}
