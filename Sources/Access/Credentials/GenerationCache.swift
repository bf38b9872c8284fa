import JSON

/// A cache of a bounded number of entries, each good until a time. Not for several threads.
///
/// Entries live in two generations: when the younger one is full, the older one is dropped as a whole. An entry that is
/// asked for is kept; no list is maintained, so a hit costs one hash, or two.
package struct GenerationCache<Value> {
    private let generationMax: Int
    private var young: [ByteText: Entry] = [:]
    private var old: [ByteText: Entry] = [:]

    private struct Entry {
        let value: Value
        let expires: Int64
    }

    package init(countMax: Int) {
        generationMax = max(countMax / 2, 1)
    }

    package var count: Int { young.count + old.count }

    /// The value of that key, while it is good.
    package mutating func value(of key: String, now: Int64) -> Value? {
        let key = ByteText(key)
        if let entry = young[key] { return now < entry.expires ? entry.value : nil }
        guard let entry = old[key], now < entry.expires else { return nil }
        insert(entry, key)
        return entry.value
    }

    package mutating func insert(_ value: Value, for key: String, expires: Int64) {
        insert(Entry(value: value, expires: expires), ByteText(key))
    }

    private mutating func insert(_ entry: Entry, _ key: ByteText) {
        if young.count >= generationMax, young[key] == nil {
            old = young
            young = [:]
        }
        old[key] = nil
        young[key] = entry
    }
}
