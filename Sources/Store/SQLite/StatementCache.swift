/// The prepared statements of a connection, by their text.
///
/// A statement that is in use is not here: a query that runs inside of the same query (a model that refers to
/// itself) gets one of its own. When the cache is full, half of it goes, those unused for longest first.
struct StatementCache: ~Copyable {
    /// Dictionaries cannot hold what cannot be copied. A statement that is in use leaves its place empty.
    private final class Place {
        var statement: Statement?
        var usedAt: UInt64 = 0
    }

    private var places: [SQLText: Place] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        places.reserveCapacity(min(capacity, 64))
    }

    var count: Int { places.count }

    /// Takes the statement of that text out.
    mutating func take(_ sql: SQLText) -> Statement? {
        places[sql]?.statement.take()
    }

    /// Puts a statement back, ready for other values. If there is one already, that one goes.
    mutating func put(_ statement: consuming Statement, for sql: SQLText) {
        statement.reset()
        clock &+= 1
        let place: Place
        if let found = places[sql] {
            place = found
        } else {
            if places.count >= capacity { evict() }
            place = Place()
            places[sql] = place
        }
        place.statement = .some(statement)
        place.usedAt = clock
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
