/// How many objects there are, and their bytes together.
package struct FileTotals: Sendable, Equatable {
    package let count: Int64
    package let bytes: Int64
}

/// The same as they were counted last.
struct KeptTotals: Sendable {
    let totals: FileTotals
    /// When, in milliseconds since 1970, and behind how many changes.
    let at: Int64
    let changes: UInt64

    /// Returns whether it is so still, or as good as that: many changes in a row are not counted one by one, and other processes
    /// change what nobody here hears of.
    func holds(at now: Int64, changes: UInt64) -> Bool {
        let seconds =
            self.changes == changes ? FileLimits.unchangedTotalsSeconds : FileLimits.totalsSeconds
        return (0..<seconds * 1_000).contains(now - at)
    }
}
