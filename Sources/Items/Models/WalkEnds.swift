import Access
import JSON
import Synchronization

/// Where pages have ended lately: the numbers of the rows that their last records have had. Clients that take out what they have
/// read go on behind records that are gone.
final class WalkEnds: Sendable {
    private let rows = Mutex(GenerationCache<Int64>(countMax: TableLimits.walkEndsMax))

    var count: Int { rows.withLock { $0.count } }

    func note(_ row: Int64, for key: Item, in index: Int) {
        let name = Self.name(key, index)
        rows.withLock { $0.insert(row, for: name, expires: .max) }
    }

    /// The number of the row of a record at which a page of that index has ended; nil: none is known.
    func row(of key: Item, in index: Int) -> Int64? {
        let name = Self.name(key, index)
        return rows.withLock { $0.value(of: name, now: 0) }
    }

    private static func name(_ key: Item, _ index: Int) -> String {
        var bytes: [UInt8] = []
        JSONWriter.writeInteger(Int64(index), to: &bytes)
        key.write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
