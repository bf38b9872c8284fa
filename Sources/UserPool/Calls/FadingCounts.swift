/// Counts by key that fade: what was counted is forgotten, one after the other. Of so many keys; those that count least go first.
struct FadingCounts<Key: Hashable & Sendable>: Sendable {
    private struct Count {
        /// What counts at that moment.
        var count: Double
        var moment: Int64
        /// In how many milliseconds one is forgotten.
        let fading: Double
    }

    private var counts: [Key: Count] = [:]
    let keysMax: Int

    init(keysMax: Int) { self.keysMax = keysMax }

    /// How many keys are kept.
    var keys: Int { counts.count }

    /// Counts one. False while the key has as many as are free.
    ///
    /// - Parameter fading: in how many milliseconds one is forgotten.
    mutating func take(_ key: Key, free: Int, fading: Double, now: Int64) -> Bool {
        let count = Self.left(of: counts[key], now: now)
        guard count < Double(free) else { return false }
        if counts[key] == nil, counts.count >= keysMax { makeRoom(now: now) }
        counts[key] = Count(count: count + 1, moment: now, fading: fading)
        return true
    }

    /// Takes one back.
    mutating func giveBack(_ key: Key, now: Int64) {
        guard let kept = counts[key] else { return }
        let count = Self.left(of: kept, now: now) - 1
        counts[key] = count > 0 ? Count(count: count, moment: now, fading: kept.fading) : nil
    }

    mutating func removeAll() { counts = [:] }

    private static func left(of count: Count?, now: Int64) -> Double {
        guard let count else { return 0 }
        return max(0, count.count - Double(max(0, now - count.moment)) / count.fading)
    }

    /// Forgets those of which nothing is left, else those that count least.
    private mutating func makeRoom(now: Int64) {
        counts = counts.filter { Self.left(of: $0.value, now: now) > 0 }
        guard counts.count >= keysMax else { return }
        let left = counts.mapValues { Self.left(of: $0, now: now) }
        let limit = left.values.sorted()[counts.count / 4]
        counts = counts.filter { (left[$0.key] ?? 0) > limit }
    }
}
