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
        fileprivate var usedAt: UInt64 = 0

        /// Puts a statement back, ready for other values. If there is one already, that one goes.
        func put(_ statement: consuming Statement) {
            statement.reset()
            self.statement = .some(statement)
        }
    }

    private var places: [SQLText: Place] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        places.reserveCapacity(min(capacity, 64))
    }

    var count: Int { places.count }

    /// The place of the statement with that text. Hot path: it is looked up once a query.
    mutating func place(of sql: SQLText) -> Place {
        clock &+= 1
        if let place = places[sql] {
            place.usedAt = clock
            return place
        }
        if places.count >= capacity { evict() }
        let place = Place()
        place.usedAt = clock
        places[sql] = place
        return place
    }

    mutating func removeAll() {
        places.removeAll()
    }

    private mutating func evict() {
        let times = places.values.map(\.usedAt).sorted()
        let middle = times[times.count / 2]
        places = places.filter { $0.value.usedAt > middle }
    }
}
