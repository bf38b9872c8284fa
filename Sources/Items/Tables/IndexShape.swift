import JSON

/// What an index has of the items that are in it.
package enum IndexProjection: Sendable {
    case all
    case keysOnly
    /// The keys, and these.
    case include([String])

    package var name: String {
        switch self {
        case .all: "ALL"
        case .keysOnly: "KEYS_ONLY"
        case .include: "INCLUDE"
        }
    }
}

/// An index of a table: its items by another key.
package struct IndexShape: Sendable {
    package let name: String
    /// Names its rows; no other index of the table has had it.
    package let number: Int64
    package let key: KeySchema
    package let projection: IndexProjection
    /// Whether it is one of the partitions of the table.
    package let isLocal: Bool
    /// Whether the items that were there before it are in it.
    package var isFilled = true
    /// What was said of it; nil for a table that is paid by request.
    package var throughput: Throughput?

    package init(
        _ name: String, number: Int64, _ key: KeySchema, _ projection: IndexProjection = .all, isLocal: Bool = false
    ) {
        self.name = name
        self.number = number
        self.key = key
        self.projection = projection
        self.isLocal = isLocal
    }

    /// Whether it has all of an item.
    var hasAll: Bool { if case .all = projection { true } else { false } }

    /// The names of what is in it; nil: everything.
    func attributes(of table: KeySchema) -> [String]? {
        let keys = (key.attributes + table.attributes).map(\.name)
        switch projection {
        case .all: return nil
        case .keysOnly: return keys.eachOnce()
        case .include(let names): return (keys + names).eachOnce()
        }
    }

    /// What it has of an item.
    func projected(_ item: Item, of table: KeySchema) -> Item {
        guard let names = attributes(of: table) else { return item }
        return Item(names.compactMap { name in item[name].map { (name, $0) } })
    }
}

/// Units of capacity, which are told and not enforced.
package struct Throughput: Sendable, Equatable {
    package var reads: Int64
    package var writes: Int64

    package init(reads: Int64, writes: Int64) {
        self.reads = reads
        self.writes = writes
    }
}
