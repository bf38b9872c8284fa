/// The answer to one question: rows, and how many the statement has found or changed.
package struct PostgresAnswer: Sendable {
    package let columns: PostgresColumns
    var rows: AnswerRows
    /// How many rows the server says it has found or changed; 0 where it says nothing.
    package internal(set) var count = 0
    /// True if there are more rows than the question wanted.
    package internal(set) var isCut = false

    init(columns: PostgresColumns, in memory: RowMemory = RowMemory()) {
        self.columns = columns
        rows = AnswerRows(in: memory)
    }

    /// An answer of one row, as a server would give it.
    package init(_ columns: PostgresColumns, _ values: [PostgresValue]) {
        self.init(columns: columns)
        var body = MessageWriter()
        body.row(values)
        // Fails only where the values are not as many as the columns: then there is no row.
        body.bytes.withUnsafeBytes { try? rows.append($0, columns: columns.count) }
        count = rows.count
    }

    private init(_ rows: AnswerRows, _ columns: PostgresColumns) {
        self.columns = columns
        self.rows = rows
        count = rows.count
    }

    /// The rows in so many parts, in their order: the last column says of which part a row is, counted from 1. Nil where it says another one.
    package func parts(_ count: Int) -> [PostgresAnswer]? {
        rows.parts(count, columns: columns.count)?.map { PostgresAnswer($0, columns) }
    }

    package var rowCount: Int { rows.count }

    /// The bytes of its rows.
    package var byteCount: Int { rows.byteCount }

    /// Where the rows are, for as long as the answer is kept. Nothing of it is there without a row.
    package var rowBytes: UnsafeRawPointer { rows.bytes }

    /// Where `rowBytes` have the length of each value, row after row: four bytes with the highest first, behind which the value is. Each place is
    /// checked when the rows arrive.
    package var lengthPlaces: UnsafePointer<UInt32> { rows.places }

    package subscript(row: Int) -> PostgresRow { PostgresRow(answer: self, row: row) }
}

/// One row of an answer. Columns count from 0.
package struct PostgresRow: Sendable {
    fileprivate let answer: PostgresAnswer
    fileprivate let row: Int

    /// Why a value cannot be read so.
    package struct Misfit: Error, Sendable, CustomStringConvertible {
        package let column: Int
        package let wanted: String
        /// The number of the column's type in the server's catalogue; nil where there is no such column.
        package let type: UInt32?

        package var description: String {
            guard let type else { return "the answer has no column \(column)" }
            return "column \(column) is not a value of the type \(wanted); its type has the number \(type)"
        }
    }

    // Numbers of the server's catalogue, beside those of `PostgresType`.
    private static let (int2, oid, float4): (UInt32, UInt32, UInt32) = (21, 26, 700)

    /// Returns whether the binary form of a type is its text: text, jsonb behind its version, "char", name, json, unknown,
    /// bpchar, varchar.
    private static func isText(_ type: UInt32) -> Bool {
        switch type {
        case 25, 3802, 18, 19, 114, 705, 1042, 1043: true
        default: false
        }
    }

    package func isNull(_ column: Int) -> Bool { bytes(column) == nil }

    /// The value as the server sent it; nil for null.
    package func bytes(_ column: Int) -> ArraySlice<UInt8>? {
        answer.rows.value(row: row, column: column, columns: answer.columns.count)
    }

    package func bool(_ column: Int) throws(Misfit) -> Bool? {
        guard let bytes = try value(column, "bool", { $0 == PostgresType.bool.rawValue }) else { return nil }
        guard bytes.count == 1, let byte = bytes.first, byte <= 1 else { throw misfit(column, "bool") }
        return byte == 1
    }

    /// A whole number of two, four or eight bytes, or a number of the catalogue (oid).
    package func integer(_ column: Int) throws(Misfit) -> Int64? {
        guard let bytes = try value(column, "int8", Self.isInteger) else { return nil }
        let isUnsigned = answer.columns.all[column].type == Self.oid
        switch bytes.count {
        case 2: return Int64(Int16(truncatingIfNeeded: Self.number(bytes)))
        case 4:
            let number = Self.number(bytes)
            return isUnsigned ? Int64(number) : Int64(Int32(truncatingIfNeeded: number))
        case 8: return Int64(bitPattern: Self.number(bytes))
        default: throw misfit(column, "int8")
        }
    }

    package func float8(_ column: Int) throws(Misfit) -> Double? {
        guard
            let bytes = try value(
                column, "float8", { $0 == PostgresType.float8.rawValue || $0 == Self.float4 })
        else { return nil }
        switch bytes.count {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.number(bytes))))
        case 8: return Double(bitPattern: Self.number(bytes))
        default: throw misfit(column, "float8")
        }
    }

    /// Microseconds since the beginning of 2000 in UTC.
    package func timestamptz(_ column: Int) throws(Misfit) -> Int64? {
        guard
            let bytes = try value(
                column, "timestamptz", { $0 == PostgresType.timestamptz.rawValue })
        else { return nil }
        guard bytes.count == 8 else { throw misfit(column, "timestamptz") }
        return Int64(bitPattern: Self.number(bytes))
    }

    package func bytea(_ column: Int) throws(Misfit) -> [UInt8]? {
        try value(column, "bytea", { $0 == PostgresType.bytea.rawValue }).map { Array($0) }
    }

    /// A text, or a JSON value as text.
    package func text(_ column: Int) throws(Misfit) -> String? {
        guard var bytes = try value(column, "text", Self.isText) else { return nil }
        if answer.columns.all[column].type == PostgresType.jsonb.rawValue {
            // The version of its binary form.
            guard bytes.popFirst() == 1 else { throw misfit(column, "jsonb") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw misfit(column, "text") }
        return text
    }

    private func value(_ column: Int, _ wanted: String, _ fits: (UInt32) -> Bool) throws(Misfit) -> ArraySlice<UInt8>? {
        guard answer.columns.all.indices.contains(column), fits(answer.columns.all[column].type) else {
            throw misfit(column, wanted)
        }
        return bytes(column)
    }

    private func misfit(_ column: Int, _ wanted: String) -> Misfit {
        let isThere = answer.columns.all.indices.contains(column)
        return Misfit(column: column, wanted: wanted, type: isThere ? answer.columns.all[column].type : nil)
    }

    private static func isInteger(_ type: UInt32) -> Bool {
        type == PostgresType.int8.rawValue || type == PostgresType.int4.rawValue || type == int2 || type == oid
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
