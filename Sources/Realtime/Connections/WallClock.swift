import Threads

/// The time of day, by which proofs end: that of the machine, or one that a test moves.
package struct WallClock: Sendable {
    /// Milliseconds since 1970.
    let milliseconds: @Sendable () -> Int64

    package init(milliseconds: @escaping @Sendable () -> Int64) {
        self.milliseconds = milliseconds
    }

    package static let system = WallClock { SystemClock.wall.milliseconds }
}
