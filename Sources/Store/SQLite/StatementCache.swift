import CSQLite

/// The prepared statements of a connection, by their text.
///
/// A statement that is in use is not in its place: a query that runs inside of the same query (a model that refers to
/// itself) gets one of its own. When the cache is full, half of it goes, those unused for longest first.
struct StatementCache: ~Copyable {
    /// Where the statement of a text is when it is not in use. It stays what it is for whoever holds it, even when the
    /// cache has let it go.
    final class Place {
        var statement: Statement?
        fileprivate let sql: SQLText
        fileprivate var usedAt: UInt64 = 0

        fileprivate init(_ sql: SQLText) {
            self.sql = sql
        }

        /// Puts a statement back, ready for other values. If there is one already, that one goes.
        func put(_ statement: consuming Statement) {
            statement.reset()
            self.statement = .some(statement)
        }
    }

    private var places: [SQLText: Place] = [:]
    /// Places that were asked for lately, by the last bits of their texts' hashes. Hot path: they are found without hashing again.
    private var recent = [Place?](repeating: nil, count: Self.recentMax)
    private static let recentMax = 32
    private var clock: UInt64 = 0
    private let capacity: Int
    /// True if a statement is kept from its first use on; false: from its second.
    var keepsAtOnce = true
    private var usedOnce: Set<SQLText> = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        places.reserveCapacity(min(capacity, 64))
    }

    var count: Int { places.count }

    /// The place of the statement with that text. Hot path: it is looked up once a query.
    mutating func place(of sql: SQLText) -> Place {
        clock &+= 1
        let slot = sql.hash & (Self.recentMax - 1)
        if let place = recent[slot], place.sql == sql {
            place.usedAt = clock
            return place
        }
        guard keepsAtOnce || isRepeated(sql) else { return Place(sql) }
        let place = foundOrMade(sql)
        place.usedAt = clock
        recent[slot] = place
        return place
    }

    private mutating func isRepeated(_ sql: SQLText) -> Bool {
        if usedOnce.count >= capacity { usedOnce.removeAll() }
        return !usedOnce.insert(sql).inserted
    }

    private mutating func foundOrMade(_ sql: SQLText) -> Place {
        if let place = places[sql] { return place }
        if places.count >= capacity { evict() }
        let place = Place(sql)
        places[sql] = place
        return place
    }

    mutating func removeAll() {
        places.removeAll()
        forgetRecent()
    }

    private mutating func forgetRecent() {
        for slot in recent.indices { recent[slot] = nil }
    }

    private mutating func evict() {
        let times = places.values.map(\.usedAt).sorted()
        let middle = times[times.count / 2]
        places = places.filter { $0.value.usedAt > middle }
        forgetRecent()
    }
}
