/// How often each value was seen, for a `terms` aggregate.
///
/// Counted here and not by `GROUP BY`: SQLite sorts all values for that, in one step that nothing can end.
struct TermCounts {
    private var counts: [StoredValue: Count] = [:]
    private var bytes = 0

    private struct Count {
        /// As it was seen first: 1 and 1.0 are one value.
        let shown: StoredValue
        var count: Int
    }

    mutating func add(_ value: StoredValue) throws(StoreError) {
        let key = Self.key(of: value)
        if let index = counts.index(forKey: key) {
            counts.values[index].count += 1
            return
        }
        bytes += value.byteCount + Self.bytesPerValue
        guard bytes <= StoreLimits.countedBytesMax else {
            throw StoreError(
                .tooLarge,
                "the different values that an aggregate counts have more than \(StoreLimits.countedBytesMax) bytes. "
                    + "Narrow the filter, or count another field")
        }
        counts[key] = Count(shown: value, count: 1)
    }

    /// What a value takes beside the bytes of its text.
    private static let bytesPerValue = 64

    private static func key(of value: StoredValue) -> StoredValue {
        if case .real(let real) = value, let integer = Int64(exactly: real) { return .integer(integer) }
        return value
    }

    /// The commonest values; of equally common ones those that come first in the order of the database.
    var buckets: [SearchAggregate.Bucket] {
        var best: [Count] = []
        for count in counts.values {
            let place = best.firstIndex { Self.isBefore(count, $0) } ?? best.count
            guard place < StoreLimits.bucketsMax else { continue }
            best.insert(count, at: place)
            if best.count > StoreLimits.bucketsMax { best.removeLast() }
        }
        return best.map { SearchAggregate.Bucket(key: SearchAggregate.key(of: $0.shown), count: $0.count) }
    }

    private static func isBefore(_ left: Count, _ right: Count) -> Bool {
        left.count != right.count ? left.count > right.count : isBefore(left.shown, right.shown)
    }

    /// Numbers by size, then texts by their bytes.
    private static func isBefore(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch (number(left), number(right)) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil):
            SearchAggregate.key(of: left).utf8.lexicographicallyPrecedes(SearchAggregate.key(of: right).utf8)
        }
    }

    private static func number(_ value: StoredValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .null, .text, .utf8, .blob: nil
        }
    }
}
