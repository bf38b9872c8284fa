import JSON
import Synchronization

/// The outcome of a table, by the number of its model.
struct TableCounts: Sendable, Equatable {
    /// Items that were read.
    var read = 0
    /// Records that were made.
    var made = 0
    /// Records that were there already.
    var present = 0
    /// Items that did not come.
    var misfits = 0
    /// Attributes without a field.
    var unknown = 0

    static func + (left: TableCounts, right: TableCounts) -> TableCounts {
        TableCounts(
            read: left.read + right.read, made: left.made + right.made, present: left.present + right.present,
            misfits: left.misfits + right.misfits, unknown: left.unknown + right.unknown)
    }
}

/// How far one source of records is. Counted by the thread that reads and, for what was made, by that of the writer.
final class SourceProgress: Sendable {
    struct Counts: Sendable {
        /// Lines that are read.
        var lines = 0
        var isDone = false
        var tables: [ByteText: TableCounts] = [:]
        /// Names of attributes without a field, with how often they came: `Post.old`.
        var unknown: [ByteText: Int] = [:]
        /// Required fields with how many records have no value of them.
        var lacking: [ByteText: Int] = [:]
    }

    private let counts: Mutex<Counts>

    init(_ stored: JSONObject?) {
        counts = Mutex(Counts(stored))
    }

    var now: Counts { counts.withLock { $0 } }

    func change(_ body: (inout Counts) -> Void) { counts.withLock { body(&$0) } }

    /// Counts what became of rows, and answers with all counts.
    func changed(_ body: (inout Counts) -> Void) -> JSONObject {
        counts.withLock { counts in
            body(&counts)
            return counts.json
        }
    }
}

extension SourceProgress.Counts {
    /// Different names that are counted; of a file with more the others are counted as one.
    private static let unknownMax = 1_000

    mutating func addUnknown(_ name: String) {
        let key = ByteText(unknown[name] == nil && unknown.count >= Self.unknownMax ? "…" : name)
        unknown[key, default: 0] += 1
    }

    init(_ stored: JSONObject?) {
        guard let stored else { return }
        func number(_ value: JSONValue?) -> Int { value?.integer.flatMap { Int(exactly: $0) } ?? 0 }
        lines = number(stored["lines"])
        isDone = stored["done"]?.bool ?? false
        for table in stored["tables"]?.object ?? JSONObject() {
            tables[table.key] = TableCounts(
                read: number(table.value[0]), made: number(table.value[1]), present: number(table.value[2]),
                misfits: number(table.value[3]), unknown: number(table.value[4]))
        }
        for name in stored["unknown"]?.object ?? JSONObject() { unknown[name.key] = number(name.value) }
        for name in stored["lacking"]?.object ?? JSONObject() { lacking[name.key] = number(name.value) }
    }

    var json: JSONObject {
        var all = JSONObject()
        for (name, counts) in tables.sorted(by: { $0.key < $1.key }) {
            all.set(
                name.string,
                to: .array(
                    [counts.read, counts.made, counts.present, counts.misfits, counts.unknown]
                        .map { .integer(Int64($0)) }))
        }
        func object(_ counts: [ByteText: Int]) -> JSONValue {
            var object = JSONObject()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                object.set(name.string, to: .integer(Int64(count)))
            }
            return .object(object)
        }
        return JSONObject([
            ("lines", .integer(Int64(lines))), ("done", .bool(isDone)), ("tables", .object(all)),
            ("unknown", object(unknown)), ("lacking", object(lacking)),
        ])
    }
}
