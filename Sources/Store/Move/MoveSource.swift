import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The database that is moved, or the one that it was moved to while both are compared: its rows in the order of their keys, as of one
/// moment.
final class MoveSource {
    /// The ways to treat U+0000 in a text, which a server does not keep.
    enum Zeros {
        case keep, refuse, replace
    }

    private let reader: Reader
    var connection: Connection { _read { yield reader.connection } }
    private let zeros: Zeros
    private let pageRows: Int
    /// The values in which U+0000 was replaced.
    private(set) var replacedCount: Int64 = 0

    init(_ location: Store.Location, zeros: Zeros, pageRows: Int) throws(StoreError) {
        switch location {
        case .file(let path): reader = try Reader(path: path)
        case .server(let place): reader = try Reader(of: .server(place))
        case .memory, .layered, .replayed:
            throw StoreError(.invalidArgument, "a database in memory is gone with its process: nothing can be moved")
        }
        self.zeros = zeros
        self.pageRows = min(pageRows, StoreLimits.movePageRows)
        // It waits while the other side writes.
        try reader.connection.set("idle_in_transaction_session_timeout", to: "0")
        reader.connection.server?.tripMilliseconds = StoreLimits.moveTripMilliseconds
        try reader.beginTurn()
    }

    func close() { try? reader.endTurn() }

    var path: String { reader.connection.path }

    /// Tells the states of a database apart, without reading its rows.
    func state() throws(StoreError) -> String {
        guard reader.connection.dialect == .sqlite else {
            var marks = ""
            try reader.connection.query(Self.marks) { row throws(StoreError) in
                marks += "\(row.integer(0)) "
                return true
            }
            return marks
        }
        // The log has what is not in the file yet.
        return ["", "-wal"].map { suffix in
            var status = stat()
            guard stat(path + suffix, &status) == 0, status.st_size > 0 else { return "-" }
            return "\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }.joined(separator: " ")
    }

    private static let marks = SQLText("SELECT mark FROM \(ServerTurns.name) ORDER BY room")

    func count(of table: MovedTable) throws(StoreError) -> Int64 {
        guard
            case .integer(let count)? = try reader.connection.value(SQLText("SELECT count(*) FROM \(table.quotedName)"))
        else { return 0 }
        return count
    }

    /// Hands the rows of a table behind a key to the closure, in the order of the keys.
    func rows(
        of table: MovedTable, behind key: [StoredValue] = [], _ body: ([StoredValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard reader.connection.dialect == .postgres else {
            return try walk(table, selection(of: table, isBehind: !key.isEmpty), key, body)
        }
        var last = key
        while true {
            var count = 0
            var next = last
            try walk(table, page(of: table, isBehind: !last.isEmpty), last) { values throws(StoreError) in
                count += 1
                next = table.key(of: values)
                try body(values)
            }
            guard count > 0 else { return }
            last = next
        }
    }

    private func walk(
        _ table: MovedTable, _ sql: SQLText, _ key: [StoredValue],
        _ body: ([StoredValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try reader.connection.query(sql, key) { row throws(StoreError) in
            var values: [StoredValue] = []
            values.reserveCapacity(table.columns.count)
            for (place, column) in table.columns.enumerated() { values.append(Self.value(of: row, place, column.kind)) }
            if zeros != .keep { try look(at: &values, of: table) }
            try body(values)
            return true
        }
    }

    /// Hot path: no text becomes a `String`.
    private static func value(of row: borrowing Row, _ place: Int, _ kind: MovedTable.Kind) -> StoredValue {
        guard !row.isNull(place) else { return .null }
        return switch kind {
        case .integer: .integer(row.integer(place))
        case .real: .real(row.real(place))
        case .text: .utf8(row.withText(place) { Array($0) })
        case .blob: .blob(row.blob(place))
        }
    }

    private func selection(of table: MovedTable, isBehind: Bool) -> SQLText {
        SQLText(
            "SELECT \(table.quotedColumns) FROM \(table.quotedName)\(Self.condition(on: table, isBehind: isBehind)) "
                + "ORDER BY \(table.quotedKey)")
    }

    private static func condition(on table: MovedTable, isBehind: Bool) -> String {
        isBehind ? " WHERE (\(table.quotedKey)) > (\(table.key.map { _ in "?" }.joined(separator: ", ")))" : ""
    }

    /// A page of a server's rows: as many as are not too many bytes, and one in any case.
    private func page(of table: MovedTable, isBehind: Bool) -> SQLText {
        let lengths = table.columns.filter { $0.kind == .text || $0.kind == .blob }
            .map { "CAST(coalesce(octet_length(\(SQLName.quoted($0.name))), 0) AS INTEGER)" }
        let length = lengths.isEmpty ? "0" : lengths.joined(separator: " + ")
        return SQLText(
            "SELECT \(table.quotedColumns) FROM (SELECT \(table.quotedColumns), SUM(\(length)) OVER (ORDER BY \(table.quotedKey) "
                + "ROWS UNBOUNDED PRECEDING) - (\(length)) AS \"bytes before\" FROM \(table.quotedName)"
                + "\(Self.condition(on: table, isBehind: isBehind)) ORDER BY \(table.quotedKey) "
                + "LIMIT \(pageRows)) AS page WHERE \"bytes before\" < \(StoreLimits.movePageBytes) "
                + "ORDER BY \(table.quotedKey)")
    }

    // MARK: U+0000

    private func look(at values: inout [StoredValue], of table: MovedTable) throws(StoreError) {
        for place in values.indices {
            guard case .utf8(let bytes) = values[place], bytes.contains(0) else { continue }
            guard zeros == .replace else {
                let key = table.key(of: values).map(Self.shown).joined(separator: ", ")
                throw StoreError(
                    .invalidArgument,
                    "database \(path): the column \(table.columns[place].name) of \(table.name), key \(key), has U+0000, which "
                        + "PostgreSQL does not keep. Correct it, or move with --replace-nul, which puts U+FFFD in its place"
                )
            }
            var replaced: [UInt8] = []
            for byte in bytes { replaced += byte == 0 ? [0xEF, 0xBF, 0xBD] : [byte] }
            values[place] = .utf8(replaced)
            replacedCount += 1
        }
    }

    private static let shownBytesMax = 80

    private static func shown(_ value: StoredValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): JSONWriter.text(of: .string(text))
        case .utf8(let bytes):
            JSONWriter.text(of: .string(String(decoding: bytes.prefix(shownBytesMax), as: UTF8.self)))
        case .blob(let bytes): "of \(bytes.count) bytes"
        }
    }
}
