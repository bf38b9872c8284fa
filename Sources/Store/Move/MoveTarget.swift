import CSQLite
import JSON
import Postgres

/// The database to which another one is moved: rows come in batches, each with the mark of how far the move is.
final class MoveTarget {
    private let made: Connection
    var connection: Connection { _read { yield made } }
    private var table: MovedTable?
    private var rowCount = 0
    private var byteCount = 0
    /// For a file: the statement that puts a row in, and whether a transaction is open.
    private var insertion = SQLText("")
    private var isOpen = false
    /// For a server: the rows of the batch as COPY takes them, and its statement.
    private var rows: [UInt8] = []
    private var copying: PostgresStatement?
    private let batchRows: Int

    init(_ location: Store.Location, batchRows: Int) throws(StoreError) {
        self.batchRows = batchRows
        switch location {
        case .file(let path):
            made = try Connection.open(path: path, mode: .writer)
            try made.restTriggers()
            // An index of a whole table is sorted: in a file, since in memory it would take as much as the table has keys.
            try made.execute("PRAGMA temp_store = 1")
        case .server(let place):
            made = try Connection(to: place, .writer)
            made.server?.tripMilliseconds = StoreLimits.moveTripMilliseconds
        case .memory, .layered, .replayed:
            throw StoreError(
                .invalidArgument, "a database in memory is gone with its process: nothing can be moved to it")
        }
    }

    // MARK: Rows

    /// Begins with a table.
    func begin(_ table: MovedTable) {
        self.table = table
        (rowCount, byteCount, rows) = (0, 0, [])
        if made.dialect == .sqlite {
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            insertion = SQLText("INSERT INTO \(table.quotedName) (\(table.quotedColumns)) VALUES (\(places))")
        } else {
            copying = PostgresStatement("COPY \(table.quotedName) (\(table.quotedColumns)) FROM STDIN (FORMAT binary)")
        }
    }

    /// Takes a row. True if the batch is full.
    func add(_ values: [StoredValue]) throws(StoreError) -> Bool {
        rowCount += 1
        byteCount += values.reduce(0) { $0 + $1.movedBytes }
        if made.dialect == .sqlite {
            if !isOpen { try made.execute("BEGIN IMMEDIATE") }
            isOpen = true
            try made.run(insertion, values)
        } else {
            CopyRows.append(values, to: &rows)
        }
        return rowCount >= batchRows || byteCount >= StoreLimits.moveBatchBytes
    }

    /// Writes the rows that it has, with the mark, or neither.
    func commit(_ mark: MoveMark) throws(StoreError) {
        if !isOpen { try made.execute("BEGIN IMMEDIATE") }
        isOpen = true
        if rowCount > 0, let copying, let table, let server = made.server {
            CopyRows.end(&rows)
            let count = try server.copy(copying, rows)
            guard count == rowCount else {
                throw StoreError(
                    .unexpected, "database \(made.path): it took \(count) of \(rowCount) rows of \(table.name)")
            }
        }
        try mark.write(in: made)
        try made.execute("COMMIT")
        isOpen = false
        (rowCount, byteCount) = (0, 0)
        rows.removeAll(keepingCapacity: true)
        try copyLog(SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Makes changes in a transaction of their own, with the mark.
    func change(_ mark: MoveMark, _ body: (borrowing Connection) throws(StoreError) -> Void) throws(StoreError) {
        try made.inTransaction { connection throws(StoreError) in
            try body(connection)
            try mark.write(in: connection)
        }
        try copyLog(SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Copies the log of a file into it, whose connections never do so by themselves.
    private func copyLog(_ mode: Int32) throws(StoreError) {
        guard let handle = made.handle else { return }
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw StoreError(code: code, connection: handle, path: made.path)
        }
        if mode == SQLITE_CHECKPOINT_TRUNCATE, code == SQLITE_OK { try made.letLogGo() }
    }

    /// Leaves one file behind.
    func close() throws(StoreError) { try copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
}

/// Rows in the binary form of COPY.
enum CopyRows {
    /// The signature, no flags and nothing behind them.
    private static let head: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

    /// Hot path.
    static func append(_ values: [StoredValue], to rows: inout [UInt8]) {
        if rows.isEmpty { rows += head }
        withUnsafeBytes(of: Int16(clamping: values.count).bigEndian) { rows += $0 }
        for value in values {
            switch value {
            case .null: length(-1, &rows)
            case .integer(let integer):
                length(8, &rows)
                withUnsafeBytes(of: integer.bigEndian) { rows += $0 }
            case .real(let real):
                length(8, &rows)
                withUnsafeBytes(of: real.bitPattern.bigEndian) { rows += $0 }
            case .text(let text):
                length(text.utf8.count, &rows)
                rows += text.utf8
            case .utf8(let bytes), .blob(let bytes):
                length(bytes.count, &rows)
                rows += bytes
            }
        }
    }

    private static func length(_ count: Int, _ rows: inout [UInt8]) {
        withUnsafeBytes(of: Int32(clamping: count).bigEndian) { rows += $0 }
    }

    static func end(_ rows: inout [UInt8]) { withUnsafeBytes(of: Int16(-1).bigEndian) { rows += $0 } }
}

extension StoredValue {
    /// At most so many bytes it takes, about.
    fileprivate var movedBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .utf8(let bytes), .blob(let bytes): bytes.count
        case .null, .integer, .real: 8
        }
    }
}
