import PostgresSupport
import TestSupport
import Testing

@testable import Store

/// Statements are run on tables with the same rows in a file and on a server, each in a transaction that is undone.
@Suite("Statements of rooms on both engines", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence))
struct StatementRunTests {
    private static let numbers = "A file gives a number in place of a null to a row whose key is its number."

    /// Parameters that are never null, since the engines differ there: how the statement begins, and why they do.
    private static let neverNull: [(text: String, parameter: Int, reason: String)] = [
        ("INSERT INTO _homeport_file_joins", 1, numbers), ("INSERT INTO _homeport_file_leftovers", 1, numbers),
        ("INSERT INTO _homeport_file_runs (run, began) VALUES", 1, numbers),
        ("INSERT INTO _homeport_file_owners", 1, numbers), ("INSERT INTO _homeport_authenticators", 1, numbers),
        ("INSERT INTO _homeport_item_entries", 7, "A server puts the number of the last row in its place."),
    ]

    @Test("have the same rows, changes and refusals")
    func equal() throws {
        let statements = StatementSources.all
        let shapes = statements.map { StatementShape($0.text) }
        let tables = try TwinTables(statements, shapes)
        let run = statements.indices.filter { !statements[$0].isDefinition }
        let kinds = try tables.parameterKinds(of: run.map { statements[$0] })
        var random = SeededRandom(test: "StatementRunTests")
        var differing: Set<Int> = []
        for (place, kinds) in zip(run, kinds) {
            guard let kinds else { continue }
            let (statement, shape) = (statements[place], shapes[place])
            #expect(kinds.count == shape.roles.count, "\(statement.place)")
            let twin = try TwinStatement(statement, shape, kinds, tables)
            for values in twin.valueLists(using: &random) {
                let difference = try twin.difference(values)
                #expect(difference == nil, "\(statement.place) with \(values)")
            }
            // What meets no row shows little.
            #expect(twin.hasMetRows, "\(statement.place)")
            for (parameter, values) in twin.nullLists() {
                let difference = try twin.difference(values)
                let known = Self.neverNull.firstIndex {
                    statement.text.hasPrefix($0.text) && $0.parameter == parameter
                }
                #expect((difference == nil) == (known == nil), "\(statement.place) with \(values): \(difference ?? "")")
                if let known { differing.insert(known) }
            }
        }
        #expect(differing.count == Self.neverNull.count, "of these only \(differing) are statements")
    }
}

/// One statement, to be run on both engines.
private final class TwinStatement {
    private enum Outcome: Equatable {
        case rows([[StoredValue]])
        case someRows(Int)
        case changes(Int, rows: [[[StoredValue]: Int]])
        case refused(Refusal)
    }

    private enum Refusal: Equatable {
        case exists
        /// The value does not fit the column.
        case value
        case other(String)
    }

    /// The tables that triggers change.
    private static let triggered = ["_homeport_queue_messages": ["_homeport_queues"]]

    private let statement: StatementSources.Statement
    private let shape: StatementShape
    private let kinds: [ParameterKind]
    private let tables: TwinTables
    private let columnCount: Int
    private let changed: [TwinTables.Table]
    /// True if it has found or changed a row with some values.
    private(set) var hasMetRows = false

    init(
        _ statement: StatementSources.Statement, _ shape: StatementShape, _ kinds: [ParameterKind], _ tables: TwinTables
    ) throws {
        self.statement = statement
        self.shape = shape
        self.kinds = kinds
        self.tables = tables
        columnCount = try tables.columnCount(of: statement.text)
        let names = shape.target.map { [$0] + (Self.triggered[$0] ?? []) } ?? []
        changed = try names.map { try #require(tables.tables[$0], "\(statement.place)") }
    }

    // MARK: Values

    /// Values that meet rows, and others that none has.
    func valueLists(using random: inout SeededRandom) -> [[StoredValue]] {
        guard !kinds.isEmpty else { return [[]] }
        var lists = [list(0), list(1, isNarrow: true), list(nil)]
        for row in [3, 4, .random(in: 5..<TwinTables.rowCount, using: &random)] {
            let values = shape.tables.first.flatMap { tables.tables[$0] }?.values(ofRow: row) ?? [:]
            lists.append(list(nil, values, isNarrow: row == 4))
        }
        return lists
    }

    /// Values with a null for each parameter, which counts from 1.
    func nullLists() -> [(parameter: Int, values: [StoredValue])] {
        kinds.indices.filter { ![.limit, .offset].contains(shape.roles[$0 + 1]) }.map { place in
            var values = list(nil)
            values[place] = .null
            return (place + 1, values)
        }
    }

    /// One value for each parameter.
    ///
    /// - Parameters:
    ///   - number: which value of its type it is; nil: one that no row has.
    ///   - row: the values of columns that are to be met.
    ///   - isNarrow: whether ranges end in the middle of the values that rows have.
    private func list(
        _ number: Int?, _ row: [String: StoredValue] = [:], isNarrow: Bool = false
    ) -> [StoredValue] {
        let values = tables.values
        return kinds.enumerated().map { place, kind in
            switch shape.roles[place + 1] ?? .given {
            case .equal(let column): row[column] ?? values.value(number ?? 0, of: kind, for: column)
            case .above: isNarrow ? values.middle(of: kind) : values.lowest(of: kind)
            case .below: isNarrow ? values.middle(of: kind) : values.highest(of: kind)
            case .between: values.middle(of: kind)
            case .unequal: values.fresh(place, of: kind)
            case .given: number.map { values.value($0, of: kind, for: "") } ?? values.fresh(place, of: kind)
            // Which rows are taken is undefined unless all are.
            case .limit: .integer(shape.takesSome ? 100 : Int64(number ?? 2) + 1)
            case .offset: .integer(1)
            }
        }
    }

    // MARK: Runs

    /// How the engines differ with these values; nil: they do not.
    func difference(_ values: [StoredValue]) throws -> String? {
        if statement.text.hasPrefix("INSERT") { for table in changed { try tables.restartNumbers(of: table) } }
        let inFile = try outcome(on: tables.file, statement.text, values)
        let onServer = try outcome(on: tables.server, statement.server ?? statement.text, values)
        switch inFile {
        case .rows(let rows): hasMetRows = hasMetRows || !rows.isEmpty
        case .someRows(let count), .changes(let count, _): hasMetRows = hasMetRows || count > 0
        case .refused(.other(let reason)): Issue.record("\(statement.place) with \(values): \(reason)")
        case .refused: break
        }
        return inFile == onServer ? nil : "\(inFile) in a file, \(onServer) on a server"
    }

    private func outcome(
        on connection: borrowing Connection, _ text: String, _ values: [StoredValue]
    ) throws -> Outcome {
        try connection.execute("BEGIN")
        let outcome: Outcome
        do throws(StoreError) {
            outcome = try ran(on: connection, text, values)
        } catch {
            outcome = .refused(Self.refusal(error))
        }
        try connection.execute("ROLLBACK")
        return outcome
    }

    private func ran(
        on connection: borrowing Connection, _ text: String, _ values: [StoredValue]
    ) throws(StoreError) -> Outcome {
        let sql = SQLText(text, isOpen: statement.isOpen)
        let rows = try rows(of: sql, values, columnCount, on: connection)
        guard changed.isEmpty else {
            let count = connection.changeCount
            var contents: [[[StoredValue]: Int]] = []
            for table in changed { contents.append(Self.counted(try content(of: table, on: connection))) }
            return .changes(count, rows: contents)
        }
        if shape.takesFixedNumber { return .someRows(rows.count) }
        return .rows(shape.isOrdered ? rows : Self.sorted(rows))
    }

    private func rows(
        of sql: SQLText, _ values: [StoredValue], _ columnCount: Int, on connection: borrowing Connection
    ) throws(StoreError) -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        try connection.query(sql, values) { row throws(StoreError) in
            rows.append((0..<columnCount).map { Self.bytes(row.value($0)) })
            return true
        }
        return rows
    }

    private func content(
        of table: TwinTables.Table, on connection: borrowing Connection
    ) throws(StoreError) -> [[StoredValue]] {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        return try rows(of: SQLText("SELECT \(columns) FROM \(table.name)"), [], table.columns.count, on: connection)
    }

    /// A text that is compared by its bytes.
    private static func bytes(_ value: StoredValue) -> StoredValue {
        if case .text(let text) = value { .utf8(Array(text.utf8)) } else { value }
    }

    private static func counted(_ rows: [[StoredValue]]) -> [[StoredValue]: Int] {
        rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func sorted(_ rows: [[StoredValue]]) -> [[StoredValue]] {
        rows.map { ("\($0)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func refusal(_ error: StoreError) -> Refusal {
        switch error.kind {
        case .exists: .exists
        case .invalidValue: .value
        default: .other("\(error)")
        }
    }
}
