import Synchronization

@testable import Realtime

/// A time of day that stands still until a test moves it.
final class TestClock: Sendable {
    static let start: Int64 = 1_800_000_000_000

    private let now = Atomic(TestClock.start)

    var wallClock: WallClock { WallClock { self.now.load(ordering: .relaxed) } }

    /// Moves on to that many milliseconds after the start.
    func move(to milliseconds: Int64) { now.store(Self.start + milliseconds, ordering: .relaxed) }
}
