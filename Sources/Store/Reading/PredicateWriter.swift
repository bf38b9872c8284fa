import JSON

/// Writes predicates as SQL, with a parameter for each value.
///
/// In SQL a comparison with NULL is neither true nor false, and so is its negation. A WHERE takes both for false,
/// which is right for everything that is not under a `not`; there, each comparison is made false where it is NULL.
struct PredicateWriter {
    let table: TableLayout
    var sql = ""
    private(set) var values: [StoredValue] = []
    private var conditionCount = 0
    private var valueBytes = 0
    /// Wildcards and regular expressions so far.
    var patternCount = 0
    /// The bytes of the texts whose words are searched for, so far.
    var searchedBytes = 0

    var dialect: StoreDialect { table.dialect }

    /// The table's columns must be in scope where the text goes.
    init(_ table: TableLayout) {
        self.table = table
    }

    mutating func write(_ predicate: Predicate) throws(StoreError) {
        try write(predicate, isNegated: false, depth: 0)
    }

    private mutating func write(_ predicate: Predicate, isNegated: Bool, depth: Int) throws(StoreError) {
        guard depth <= StoreLimits.filterDepthMax else {
            throw StoreError(.tooLarge, "a filter nests deeper than \(StoreLimits.filterDepthMax) levels")
        }
        switch predicate {
        case .all(let parts):
            try write(parts, joinedBy: " AND ", ifEmpty: dialect.holds, isNegated: isNegated, depth: depth)
        case .any(let parts):
            try write(parts, joinedBy: " OR ", ifEmpty: dialect.fails, isNegated: isNegated, depth: depth)
        case .not(let part):
            sql += "NOT "
            try write(part, isNegated: true, depth: depth + 1)
        case .field(let field, let condition):
            conditionCount += 1
            if case .isOneOf(let values) = condition { conditionCount += values.count }
            guard conditionCount <= StoreLimits.filterConditionsMax else {
                throw StoreError(.tooLarge, "a filter has more than \(StoreLimits.filterConditionsMax) conditions")
            }
            sql += isNegated ? "\(dialect.ifNull)(" : "("
            try write(condition, on: field)
            sql += isNegated ? ", \(dialect.fails))" : ")"
            // One variable may be the value of thousands of conditions, and SQLite gets a copy for each.
            guard valueBytes <= StoreLimits.filterValueBytesMax else {
                throw StoreError(
                    .tooLarge, "the values of a filter have more than \(StoreLimits.filterValueBytesMax) bytes together"
                )
            }
        }
    }

    /// Parts are joined as a balanced tree: SQLite nests `a AND b AND c` as deep as it is long.
    private mutating func write(
        _ parts: [Predicate], joinedBy word: String, ifEmpty: String, isNegated: Bool, depth: Int
    ) throws(StoreError) {
        guard !parts.isEmpty else { return sql += ifEmpty }
        try write(parts[...], joinedBy: word, isNegated: isNegated, depth: depth)
    }

    private mutating func write(
        _ parts: ArraySlice<Predicate>, joinedBy word: String, isNegated: Bool, depth: Int
    ) throws(StoreError) {
        if parts.count == 1, let part = parts.first {
            return try write(part, isNegated: isNegated, depth: depth + 1)
        }
        let middle = parts.startIndex + parts.count / 2
        sql += "("
        try write(parts[..<middle], joinedBy: word, isNegated: isNegated, depth: depth)
        sql += word
        try write(parts[middle...], joinedBy: word, isNegated: isNegated, depth: depth)
        sql += ")"
    }

    private mutating func write(_ condition: Predicate.Condition, on field: String) throws(StoreError) {
        guard let column = table.column(of: field) else {
            return sql += Self.isMetByAbsence(condition) ? dialect.holds : dialect.fails
        }
        let operand = ColumnOperand(column, of: table)
        switch condition {
        case .equal(.value(.null)): writeIsExplicitNull(field)
        case .notEqual(.value(.null)):
            sql += "NOT "
            writeIsExplicitNull(field)
        case .equal(let value): writeEquality(operand, "=", value)
        case .notEqual(let value): writeEquality(operand, dialect.differs, value)
        case .compare(let comparison, let value):
            sql += "\(operand.comparable(with: value)) \(comparison.rawValue) \(parameter(value))"
        case .between(let low, let high):
            // Between a text and a number there is nothing, and a server does not even compare them.
            guard dialect == .sqlite || low.isText == high.isText else { return sql += dialect.fails }
            sql += "\(operand.comparable(with: low)) BETWEEN \(parameter(low)) AND \(parameter(high))"
        case .beginsWith(let prefix):
            writeBeginning(operand.text, with: prefix)
        case .contains(let value): writeContains(operand, value)
        case .notContains(let value):
            sql += "NOT \(dialect.ifNull)("
            writeContains(operand, value)
            sql += ", \(dialect.fails))"
        case .exists(let isWanted):
            sql += isWanted ? "(\(operand.quoted) IS NOT NULL OR " : "(\(operand.quoted) IS NULL AND NOT "
            writeIsExplicitNull(field)
            sql += ")"
        case .hasType(.null): writeIsExplicitNull(field)
        case .hasType(let type): sql += operand.isOfType(type)
        case .size(let size): write(size, of: operand)
        case .search(let condition): try write(condition, of: operand)
        case .isOneOf(let values):
            // Bound one by one: SQLite's JSON ends a text at U+0000, and one identity must not pass for another.
            if dialect == .postgres {
                if operand.isList { return writeHasElement(operand, values) }
                if values.isEmpty { return sql += dialect.fails }
            }
            let list = values.map { parameter($0) }.joined(separator: ", ")
            sql +=
                operand.isList
                ? "EXISTS (SELECT 1 FROM json_each(\(operand.quoted)) AS element WHERE element.value IN (\(list)))"
                : "\(operand.comparable(with: values.first ?? .null)) IN (\(list))"
        }
    }

    /// What a condition says of a field that is not there.
    private static func isMetByAbsence(_ condition: Predicate.Condition) -> Bool {
        switch condition {
        case .notEqual, .notContains, .exists(false), .search(.notEqual), .search(.exists(false)): true
        default: false
        }
    }

    /// Asks whether a text begins with another, in the order of texts, which an index has.
    mutating func writeBeginning(_ text: String, with prefix: String) {
        sql += "\(text) >= \(parameter(.text(prefix)))"
        if let end = prefix.endOfPrefix { sql += " AND \(text) < \(parameter(.text(end)))" }
    }

    private mutating func writeIsExplicitNull(_ field: String) {
        let place = "\(dialect.place)(\(SQLName.quoted(SQLName.nulls)), \(parameter(.text(",\(field),"))))"
        sql += "(\(dialect.ifNull)(\(place), 0) > 0)"
    }

    private mutating func writeEquality(_ operand: ColumnOperand, _ word: String, _ value: Predicate.Operand) {
        switch value {
        case .list(let elements):
            let json = JSONWriter.bytes(of: .array(elements.map(\.json)))
            sql +=
                operand.isList
                ? "\(operand.quoted) \(word) \(parameter(.utf8(json)))" : "NULL \(word) \(dialect.fails)"
        case .value(let value):
            sql += "\(operand.comparable(with: value)) \(word) \(parameter(value))"
        }
    }

    private mutating func writeContains(_ operand: ColumnOperand, _ value: StoredValue) {
        if dialect == .postgres { return writeServerContains(operand, value) }
        let element = "EXISTS (SELECT 1 FROM json_each(\(operand.quoted)) AS element WHERE element.value = "
        switch operand.column.kind {
        case .list: sql += element + "\(parameter(value)))"
        case .text: sql += contains(operand.quoted, value)
        case .json:
            sql += "CASE json_type(\(operand.quoted)) WHEN 'array' THEN \(element)\(parameter(value)))"
            sql += " WHEN 'text' THEN \(contains(operand.text, value)) END"
        case .integer, .real, .boolean, .object: sql += "0"
        }
    }

    private mutating func contains(_ text: String, _ value: StoredValue) -> String {
        "\(SQLFunction.contains.name)(\(text), \(parameter(value)))"
    }

    private mutating func write(_ size: Predicate.SizeCondition, of operand: ColumnOperand) {
        switch size {
        case .compare(let comparison, let count):
            sql += "\(operand.size) \(comparison.rawValue) \(parameter(.integer(count)))"
        case .between(let low, let high):
            sql += "\(operand.size) BETWEEN \(parameter(.integer(low))) AND \(parameter(.integer(high)))"
        }
    }

    mutating func parameter(_ value: StoredValue) -> String {
        values.append(value)
        valueBytes += value.byteCount
        return "?"
    }
}

extension StoredValue {
    /// What it takes beside what every value does.
    var byteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): text.utf8.count
        case .utf8(let bytes), .blob(let bytes): bytes.count
        }
    }

    /// The value as an element of a JSON list.
    var json: JSONValue {
        switch self {
        case .null, .blob: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .double(real)
        case .text(let text): .string(text)
        case .utf8(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        }
    }
}
