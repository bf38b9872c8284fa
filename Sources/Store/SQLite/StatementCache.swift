/// The prepared statements of a connection, by their text.
///
/// A statement that is in use is not in the cache: a query that runs inside of the same query (a model that refers to
/// itself) gets one of its own. When the cache is full, half of it goes, those unused for longest first.
struct StatementCache: ~Copyable {
    private struct Entry {
        let box: Box
        var usedAt: UInt64
    }

    /// Dictionaries cannot hold what cannot be copied.
    private final class Box {
        var statement: Statement?
        init(_ statement: consuming Statement) { self.statement = .some(statement) }
    }

    private var entries: [SQLText: Entry] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        entries.reserveCapacity(min(capacity, 64))
    }

    var count: Int { entries.count }

    /// Takes the statement of that text out.
    mutating func take(_ sql: SQLText) -> Statement? {
        guard let entry = entries.removeValue(forKey: sql) else { return nil }
        return entry.box.statement.take()
    }

    /// Puts a statement back, ready for other values. If there is one already, this one goes.
    mutating func put(_ statement: consuming Statement, for sql: SQLText) {
        statement.reset()
        clock &+= 1
        if entries.count >= capacity { evict() }
        entries[sql] = Entry(box: Box(statement), usedAt: clock)
    }

    mutating func removeAll() {
        entries.removeAll()
    }

    private mutating func evict() {
        let times = entries.values.map(\.usedAt).sorted()
        let middle = times[times.count / 2]
        entries = entries.filter { $0.value.usedAt > middle }
    }
}
