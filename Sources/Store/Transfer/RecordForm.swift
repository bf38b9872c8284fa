import Blueprint
import Crypto
import JSON

/// What a record of a model looks like in a line of JSON, and how it becomes the values of a row.
struct RecordForm: Sendable {
    let model: String
    let table: TableLayout
    /// The statements that put a row in: beside those that are there, or in place of one with the same key.
    let insertion: SQLText
    let replacement: SQLText
    /// Where rows of a synced model are noted.
    let log: ChangeLog?
    private let types: [StoredType?]
    private let numbers: [ByteText: Int]
    private let keyNumbers: [Int]
    private let timestamps: [String]
    private let hasID: Bool

    init(_ model: Model, _ table: TableLayout) {
        self.model = model.name
        self.table = table
        insertion = table.insertion(replacing: false)
        replacement = table.insertion(replacing: true)
        log = ChangeLog(of: table)
        types = table.columns.map { Self.type(of: $0.field, in: model) }
        let numbers = Dictionary(
            texts: zip(table.columns.map(\.field), table.columns.indices), uniquingKeysWith: { first, _ in first })
        self.numbers = numbers
        keyNumbers = model.key.fields.compactMap { numbers[$0] }
        timestamps = model.timestamps.names
        hasID = model.hasID
    }

    private static func type(of field: String, in model: Model) -> StoredType? {
        switch SyncField(rawValue: field) {
        case .version?: StoredType(scalar: "Int")
        case .deleted?: StoredType(scalar: "Boolean")
        case .lastChangedAt?: StoredType(scalar: "AWSTimestamp")
        case nil: model.storedType(of: field)
        }
    }

    /// The values of the row: the explicit nulls, then each column in its order.
    ///
    /// `check` is nil when everything that the columns can hold is taken as it is.
    func values(
        of record: JSONObject, line: Int, check: ValueCheck?, at moment: RecordImport.Moment
    ) throws(ValueProblem) -> [StoredValue] {
        var values = [StoredValue](repeating: .null, count: table.columns.count + 1)
        var isGiven = [Bool](repeating: false, count: table.columns.count)
        var nulls = ""
        for member in record {
            guard let number = numbers[member.key] else {
                if member.key == "__typename", member.value == .string(model) { continue }
                throw ValueProblem(
                    "\(model) has no field \"\(member.key)\" that is stored."
                        + ValueProblem.suggestion(for: member.key, among: table.columns.map(\.field)))
            }
            isGiven[number] = true
            do throws(ValueProblem) {
                values[number + 1] = try value(member.value, number, check)
            } catch { throw ValueProblem(error.message, place: "\(model).\(member.key)\(error.place)") }
            if values[number + 1].isNull { nulls += "\(member.key)," }
        }
        if check != nil { complete(&values, isGiven, record, line: line, at: moment) }
        if table.isSynced { completeVersion(&values, at: moment) }
        if !nulls.isEmpty { values[0] = .text(",\(nulls)") }
        try requireFields(values, isGiven, isChecked: check != nil)
        return values
    }

    private func requireFields(
        _ values: [StoredValue], _ isGiven: [Bool], isChecked: Bool
    ) throws(ValueProblem) {
        for number in keyNumbers where values[number + 1].isNull {
            throw ValueProblem("a value is required, it is a part of the key", place: place(number))
        }
        guard isChecked else { return }
        for (number, type) in types.enumerated() where type?.isRequired == true && values[number + 1].isNull {
            throw ValueProblem("a value is required, found \(isGiven[number] ? "null" : "none")", place: place(number))
        }
    }

    private func place(_ number: Int) -> String { "\(model).\(table.columns[number].field)" }

    private func value(_ value: JSONValue, _ number: Int, _ check: ValueCheck?) throws(ValueProblem) -> StoredValue {
        guard !value.isNull else {
            // What is required is told from what is only given as null when the record is complete.
            return .null
        }
        var value = value
        if let check, let type = types[number] { value = try check.stored(value, as: type) }
        switch (table.columns[number].kind, value) {
        case (.text, .string(let text)): return .text(text)
        case (.integer, .integer(let integer)): return .integer(integer)
        case (.boolean, .bool(let bool)): return .boolean(bool)
        case (.list, .array), (.json, _), (.object, .array), (.object, .object):
            return .utf8(JSONWriter.bytes(of: value))
        case (.real, _):
            if let number = value.number, number.isFinite { return .real(number) }
        default: break
        }
        throw ValueProblem("expected \(table.columns[number].kind.label), found \(value.kind)")
    }

    /// Puts in what a create would have put in. A null that stands there stays.
    private func complete(
        _ values: inout [StoredValue], _ isGiven: [Bool], _ record: JSONObject, line: Int,
        at moment: RecordImport.Moment
    ) {
        func set(_ field: String, _ kind: ColumnKind, _ value: @autoclosure () -> StoredValue) {
            guard let number = numbers[field], !isGiven[number], table.columns[number].kind == kind else { return }
            values[number + 1] = value()
        }
        if hasID { set("id", .text, .text(Self.identifier(of: record, line: line))) }
        for field in timestamps { set(field, .text, .text(moment.text)) }
    }

    /// Clients cannot read a record without them, so a null is none.
    private func completeVersion(_ values: inout [StoredValue], at moment: RecordImport.Moment) {
        func set(_ field: SyncField, _ value: Int64) {
            guard let number = numbers[field.rawValue], values[number + 1].isNull else { return }
            values[number + 1] = .integer(value)
        }
        set(.version, 1)
        set(.lastChangedAt, moment.milliseconds)
    }

    /// The id of a record without one: always the same for the same line, so that it is not imported twice. The ids
    /// of a file are in the order of its lines (UUID version 8, RFC 9562).
    private static func identifier(of record: JSONObject, line: Int) -> String {
        let number = withUnsafeBytes(of: UInt64(line).bigEndian) { Array($0) }
        let code = HMACSHA256.code(of: number + JSONWriter.bytes(of: .object(record)), key: Array("import".utf8))
        var bytes = Array(number[2...]) + code.prefix(10)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
        return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
            .map { $0.joined() }.joined(separator: "-")
    }
}

extension TableLayout {
    /// The statement that puts in a row of `RecordForm`'s values. A record of the same key stays as it is, or is
    /// replaced and keeps its place in the order of creation.
    func insertion(replacing: Bool) -> SQLText {
        let names = [SQLName.quoted(SQLName.nulls)] + columns.map { SQLName.quoted($0.name) }
        let row = SQLName.quoted(SQLName.row)
        // A file numbers its rows by itself.
        let given = dialect == .sqlite ? names : [row] + names
        var sql =
            "INSERT INTO \(quotedName) (\(given.joined(separator: ", "))) "
            + "VALUES (\(given.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT "
        if replacing, let key = primaryKey {
            let fields = ([key.partition] + key.sort).map(quotedColumn).joined(separator: ", ")
            let version = isSynced ? quotedColumn(of: SyncField.version.rawValue) : nil
            let settings = names.map { name in
                // A change like any other: clients that know the record must see that it is newer.
                name == version
                    ? "\(name) = \(dialect.greatest)(excluded.\(name), \(quotedName).\(name) + 1)"
                    : "\(name) = excluded.\(name)"
            }
            sql += "(\(fields)) DO UPDATE SET \(settings.joined(separator: ", "))"
        } else {
            sql += "DO NOTHING"
        }
        if isSynced || dialect == .postgres { sql += " RETURNING \(row)" }
        return SQLText(sql)
    }
}
