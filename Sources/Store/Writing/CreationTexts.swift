import JSON
import Postgres

/// The statements that create records and read them, by what is assigned and what is wanted: clients send the same few
/// fields again and again.
struct CreationTexts {
    struct Texts {
        let insertion: SQLText
        let selection: SQLText
        /// On a server.
        var foreseen: ForeseenCreation?
    }

    /// A key that few texts share: the names that they are made of are compared, not hashed.
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let assigned: Int
        let wanted: Int
    }

    private final class Known {
        /// Held, so that no other table has its identity.
        let table: TableLayout
        let assigned: [String]
        let wanted: [String]
        let texts: Texts

        init(_ change: RecordChange, _ texts: Texts) {
            table = change.table
            assigned = change.assignments.map(\.field)
            wanted = change.fields
            self.texts = texts
        }

        /// Hot path: in place, because a list that is made of the names costs more than comparing them.
        func isMeant(by change: RecordChange) -> Bool {
            for place in 0..<assigned.count
            where ByteText(assigned[place]) != ByteText(change.assignments[place].field) {
                return false
            }
            // Nearly always the list of the same plan.
            let isSame = wanted.withUnsafeBufferPointer { known in
                change.fields.withUnsafeBufferPointer { known.baseAddress == $0.baseAddress }
            }
            return isSame || wanted == change.fields
        }
    }

    private var known: [Key: [Known]] = [:]
    private var count = 0
    /// The one that was used last. Hot path: it is mostly the next one too.
    private var last: Known?

    /// The statements of a change without a condition.
    mutating func texts(for change: RecordChange) throws(StoreError) -> Texts {
        if let last, last.table === change.table, last.assigned.count == change.assignments.count,
            last.isMeant(by: change)
        {
            return last.texts
        }
        let key = Key(
            table: ObjectIdentifier(change.table), assigned: change.assignments.count, wanted: change.fields.count)
        if let known = known[key]?.first(where: { $0.isMeant(by: change) }) {
            last = known
            return known.texts
        }
        if count >= StoreLimits.creationTextsMax { (known, count) = ([:], 0) }
        var made = try Texts(insertion: SQLText(change.insertion), selection: SQLText(change.selection))
        if change.table.dialect == .postgres { made.foreseen = try ForeseenCreation(change) }
        known[key, default: []].append(Known(change, made))
        count += 1
        return made
    }
}

extension RecordChange {
    /// The names of the assigned columns, with that of the explicit nulls first.
    private var assignedColumns: [String] {
        get throws(StoreError) {
            var names = [SQLName.quoted(SQLName.nulls)]
            for assignment in assignments { names.append(try quotedColumn(of: assignment)) }
            return names
        }
    }

    fileprivate var insertion: String {
        get throws(StoreError) {
            "\(try bareInsertion) ON CONFLICT DO NOTHING" + (table.dialect == .postgres ? " \(returning)" : "")
        }
    }

    /// The insertion that fails where there is such a record.
    fileprivate var bareInsertion: String {
        get throws(StoreError) {
            let names = (table.dialect == .postgres ? [SQLName.quoted(SQLName.row)] : []) + (try assignedColumns)
            return "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) "
                + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        }
    }

    fileprivate var selection: String {
        "SELECT \(fields.isEmpty ? "1" : fields.map(table.quotedColumn).joined(separator: ", ")) "
            + "FROM \(table.quotedName) WHERE \(SQLName.quoted(SQLName.row)) = ?"
    }

    /// The first value of an insertion: the names of the fields that are explicitly null.
    var explicitNullNames: [StoredValue] {
        var nulls = ""
        for place in 0..<assignments.count where assignments[place].value.isNull {
            nulls += "\(nulls.isEmpty ? "," : "")\(assignments[place].field),"
        }
        return nulls.isEmpty ? Self.noNames : [.text(nulls)]
    }

    private static let noNames: [StoredValue] = [.null]

    /// The values of the key that a creation assigns; nil where it leaves one out.
    var createdKey: [StoredValue]? {
        guard let key = table.primaryKey else { return nil }
        var values: [StoredValue] = []
        for field in [key.partition] + key.sort {
            guard let assigned = assignments.first(where: { ByteText($0.field) == ByteText(field) }),
                !assigned.value.isNull
            else { return nil }
            values.append(assigned.value)
        }
        return values
    }

    /// The values of an insertion.
    var creationValues: [StoredValue] { explicitNullNames + assignments.map(\.value) }
}

/// A creation on a server whose record is known before it is made: it has the values that are assigned, and no others.
struct ForeseenCreation {
    /// It fails where there is such a record.
    let insertion: SQLText
    private let columns: PostgresColumns
    /// Where the values of the wanted fields are among those assigned; nil for a field without one.
    private let places: [Int?]
    private let kinds: [ColumnKind]

    init(_ change: RecordChange) throws(StoreError) {
        insertion = SQLText(try change.bareInsertion)
        places = change.fields.map { field in
            change.table.column(of: field) == nil
                ? nil : change.assignments.firstIndex { ByteText($0.field) == ByteText(field) }
        }
        kinds = change.fields.map { change.table.column(of: $0)?.kind ?? .text }
        columns = PostgresColumns(types: change.fields.isEmpty ? [.int8] : kinds.map(\.serverType))
    }

    /// The answer that a server will give; nil where a value has not the type of its column.
    func answer(to change: RecordChange) -> PostgresAnswer? {
        guard !places.isEmpty else { return PostgresAnswer(columns, [.int8(1)]) }
        var values: [PostgresValue] = []
        values.reserveCapacity(places.count)
        for (place, kind) in zip(places, kinds) {
            guard let place else {
                values.append(.null)
                continue
            }
            switch (change.assignments[place].value, kind.serverType) {
            case (.null, _): values.append(.null)
            case (.integer(let integer), .int8): values.append(.int8(integer))
            case (.real(let real), .float8): values.append(.float8(real == 0 ? 0 : real))
            case (.text(let text), .text): values.append(.text(text))
            case (.utf8(let bytes), .text): values.append(.text(String(decoding: bytes, as: UTF8.self)))
            default: return nil
            }
        }
        return PostgresAnswer(columns, values)
    }
}

extension ColumnKind {
    /// The type of its columns on a server.
    fileprivate var serverType: PostgresType {
        switch self {
        case .text, .list, .json, .object: .text
        case .integer, .boolean: .int8
        case .real: .float8
        }
    }
}
