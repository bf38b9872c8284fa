import CSQLite
import Postgres
import PostgresSupport
import TestSupport
import Testing

@testable import Store

/// The tables of all rooms in a file and on a server, with the same rows in both.
///
///     rows 1-3    each column has the first, the second or the third value of its type
///     row 4       those that may be null are
///     row 5       columns that need not differ have a value that is in no other table
///     row 6 …     any of the first three values, or null
final class TwinTables {
    struct Table {
        let name: String
        let columns: [Column]
        var rows: [[StoredValue]] = []
        /// The key that the engines give by themselves.
        var numbered: String? { columns.first { $0.isNumbered }?.name }
    }

    struct Column {
        let name: String
        let kind: ParameterKind
        let isNullable: Bool
        let isNumbered: Bool
        /// True if each row has another value.
        var isUnique: Bool
    }

    static let rowCount = 12

    let file: Connection
    let server: Connection
    private let schema: ServerSchema
    private let folder = TestFolder()
    private(set) var tables: [String: Table] = [:]
    private(set) var values = ParameterValues()

    /// Makes the tables by the definitions of all statements, and fills them.
    init(_ statements: [StatementSources.Statement], _ shapes: [StatementShape]) throws {
        schema = try ServerSchema()
        file = try Connection.open(path: folder.database, mode: .writer)
        server = try Connection(to: schema.place, .writer)
        for shape in shapes { for literal in shape.literals { values.add(literal.text, to: literal.column) } }
        try file.execute(SettingsTable.creation(in: .sqlite))
        try server.execute(SettingsTable.creation(in: .postgres))
        try define(statements.filter(\.isDefinition))
        var lastInOrder: [String: Set<String>] = [:]
        for shape in shapes {
            for table in shape.tables { lastInOrder[table, default: []].formUnion(shape.lastInOrder) }
        }
        try file.execute("BEGIN")
        try server.execute("BEGIN")
        for name in try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 1) = '_'") {
            var table = try table(name, lastInOrder[name] ?? [])
            try fill(&table)
            tables[name] = table
        }
        try file.execute("COMMIT")
        try server.execute("COMMIT")
    }

    /// Some definitions come before those that they count on: they are tried as long as one more is taken.
    private func define(_ definitions: [StatementSources.Statement]) throws {
        var rest = definitions
        var problems: [String] = []
        repeat {
            problems = []
            let before = rest.count
            rest = try rest.filter { statement in
                do {
                    try server.execute(statement.server ?? statement.text)
                } catch {
                    problems.append("\(statement.place): \(error)")
                    return true
                }
                try file.execute(statement.text)
                return false
            }
            guard rest.count < before else { break }
        } while !rest.isEmpty
        #expect(problems.isEmpty)
    }

    private func texts(_ text: String) throws -> [String] {
        var found: [String] = []
        try file.query(SQLText(text)) { row throws(StoreError) in
            found.append(row.text(0))
            return true
        }
        return found
    }

    private func table(_ name: String, _ lastInOrder: Set<String>) throws -> Table {
        let numbered = try texts(
            "SELECT name FROM sqlite_schema WHERE name = '\(name)' AND sql LIKE '% AUTOINCREMENT%'")
        var columns: [Column] = []
        try file.query(SQLText("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(name)')")) {
            row throws(StoreError) in
            let column = row.text(0)
            columns.append(
                Column(
                    name: column, kind: ParameterKind(column: row.text(1)),
                    isNullable: !row.boolean(2) && !row.boolean(3),
                    isNumbered: row.boolean(3) && !numbered.isEmpty, isUnique: lastInOrder.contains(column)))
            return true
        }
        for index in try texts("SELECT name FROM pragma_index_list('\(name)') WHERE \"unique\" = 1") {
            let keys = try texts("SELECT name FROM pragma_index_info('\(index)')")
            makeUnique(keys, in: &columns)
        }
        // A key that is the number of the row has no index.
        makeUnique(try texts("SELECT name FROM pragma_table_info('\(name)') WHERE pk > 0"), in: &columns)
        return Table(name: name, columns: columns)
    }

    /// Has one column of a key differ in each row.
    private func makeUnique(_ keys: [String], in columns: inout [Column]) {
        let places = columns.indices.filter { keys.contains(columns[$0].name) }
        guard let last = places.last, !places.contains(where: { columns[$0].isUnique }) else { return }
        columns[last].isUnique = true
    }

    private func fill(_ table: inout Table) throws {
        var random = SeededRandom(seed: UInt64(table.name.utf8.count))
        let names = table.columns.map(\.name).joined(separator: ", ")
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = SQLText("INSERT INTO \(table.name) (\(names)) VALUES (\(places))")
        // The last rows have values that no other table may have.
        let own = table.name.utf8.count % 3 * Self.rowCount
        for number in 0..<Self.rowCount {
            let row = table.columns.map { column -> StoredValue in
                if column.isNullable {
                    if number == 3 || number > 4 && Int.random(in: 0..<3, using: &random) == 0 { return .null }
                }
                let place =
                    switch number {
                    case 0..<3: number
                    case _ where column.isNumbered: number
                    case _ where column.isUnique: number < 6 ? number : number + own
                    case 3: 0
                    case 4: ParameterValues.count - 1
                    default: Int.random(in: 0..<3, using: &random)
                    }
                return values.value(place, of: column.kind, for: column.name)
            }
            try file.run(insertion, row)
            try server.run(insertion, row)
            table.rows.append(row)
        }
        try restartNumbers(of: table)
    }

    /// Numbers that a server has given are not taken back with the transaction, as a file takes them back.
    func restartNumbers(of table: Table) throws {
        guard let column = table.numbered else { return }
        let last = SQLText("SELECT setval(pg_get_serial_sequence('\(table.name)', '\(column)'), \(Self.rowCount))")
        #expect(try server.value(last) == .integer(Int64(Self.rowCount)))
    }

    /// The kinds of a statement's parameters, as PostgreSQL finds them out; nil where it does not take the statement.
    func parameterKinds(of statements: [StatementSources.Statement]) throws -> [[ParameterKind]?] {
        let connection = try schema.server.app()
        defer { connection.close() }
        _ = try connection.answer("SET search_path = \(schema.name)")
        return try statements.map { statement in
            do {
                _ = try connection.answer(
                    "PREPARE statement AS \(ServerText(statement.server ?? statement.text).string)")
            } catch {
                Issue.record("\(statement.place): \(error)")
                return nil
            }
            let types = try connection.answer(
                "SELECT unnest(parameter_types)::text FROM pg_prepared_statements WHERE name = 'statement'")
            let kinds = try (0..<types.rowCount).map { ParameterKind(type: try types[$0].text(0) ?? "") }
            _ = try connection.answer("DEALLOCATE statement")
            return kinds
        }
    }

    /// How many columns the rows of a statement have.
    func columnCount(of text: String) throws -> Int {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(try file.file(), text, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        try #require(code == SQLITE_OK, "\(text)")
        return Int(sqlite3_column_count(statement))
    }
}

/// A type of columns and parameters.
enum ParameterKind {
    case integer, real, text, bytes

    /// By the type of a column in a file.
    init(column type: String) {
        self =
            switch type {
            case "TEXT": .text
            case "BLOB": .bytes
            case "REAL": .real
            default: .integer
            }
    }

    /// By PostgreSQL's name of a type.
    init(type: String) {
        self =
            switch type {
            case "text", "character varying": .text
            case "bytea": .bytes
            case "double precision": .real
            default: .integer
            }
    }
}

/// The values that rows and parameters have, type by type.
struct ParameterValues {
    /// Ordered by their bytes in both engines, which is not the order of any language.
    private static let texts =
        ["a", "B", "é", "z", "aa", "Z", "ü", "0", "~", "b c", "'", "_", "%", "\u{E000}", "😀", "e\u{301}"]
        + (0..<22).map { "text \($0)" }
    /// The values of each type.
    static var count: Int { texts.count }
    private var literals: [String: [String]] = [:]
    private var numbers: [String: [Int64]] = [:]

    /// Has a column hold what a statement compares it with.
    mutating func add(_ literal: String, to column: String) {
        if let number = Int64(literal) {
            if numbers[column]?.contains(number) != true { numbers[column, default: []].append(number) }
        } else if literals[column]?.contains(literal) != true {
            literals[column, default: []].append(literal)
        }
    }

    func value(_ number: Int, of kind: ParameterKind, for column: String) -> StoredValue {
        switch kind {
        // A row in three has the number that a statement compares with.
        case .integer: .integer(number == 2 ? numbers[column]?.first ?? 3 : Int64(number) + 1)
        case .real: .real(Double(number) / 4)
        case .text:
            .text(
                literals[column].map { number < $0.count ? $0[number] : Self.texts[number - $0.count] }
                    ?? Self.texts[number])
        case .bytes: .blob([0xFF, UInt8(truncatingIfNeeded: number &* 41), 0])
        }
    }

    /// A value that no row has.
    func fresh(_ number: Int, of kind: ParameterKind) -> StoredValue {
        switch kind {
        case .integer: .integer(1_000 + Int64(number))
        case .real: .real(1_000.5 + Double(number))
        case .text: .text("new \(number)")
        case .bytes: .blob([0x7F, UInt8(truncatingIfNeeded: number)])
        }
    }

    func lowest(of kind: ParameterKind) -> StoredValue {
        switch kind {
        case .integer: .integer(-1_000)
        case .real: .real(-1_000)
        case .text: .text("")
        case .bytes: .blob([])
        }
    }

    func highest(of kind: ParameterKind) -> StoredValue {
        switch kind {
        case .integer: .integer(.max >> 1)
        case .real: .real(1e300)
        case .text: .text("\u{10FFFF}")
        case .bytes: .blob([0xFF, 0xFF, 0xFF])
        }
    }

    func middle(of kind: ParameterKind, for column: String = "") -> StoredValue { value(5, of: kind, for: column) }
}

extension TwinTables.Table {
    /// The values of a row, by its columns; without nulls, which nothing is equal to.
    func values(ofRow number: Int) -> [String: StoredValue] {
        Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), rows[number])).filter { !$0.value.isNull }
    }
}
