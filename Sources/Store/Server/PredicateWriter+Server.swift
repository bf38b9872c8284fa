import JSON

/// Conditions of a server on lists and JSON. The columns have texts, as they were written; what was stored is JSON, so it can be read
/// as such.
extension PredicateWriter {
    mutating func writeServerContains(_ operand: ColumnOperand, _ value: StoredValue) {
        switch operand.column.kind {
        case .list: writeHasElement(operand, [value])
        case .text: writeHasPart(operand.quoted, value)
        case .json:
            sql += "CASE jsonb_typeof(\(operand.document)) WHEN 'array' THEN "
            writeHasElement(operand, [value])
            sql += " WHEN 'string' THEN "
            writeHasPart(operand.text, value)
            sql += " END"
        case .integer, .real, .boolean, .object: sql += dialect.fails
        }
    }

    private mutating func writeHasPart(_ text: String, _ value: StoredValue) {
        switch value {
        case .text, .utf8: sql += "strpos(\(text), \(parameter(value))) > 0"
        // A number is part of no text.
        case .integer, .real, .null, .blob: sql += dialect.fails
        }
    }

    /// Asks whether a list has one of some elements. To SQLite a boolean is 1 or 0.
    mutating func writeHasElement(_ operand: ColumnOperand, _ values: [StoredValue]) {
        var elements: [String] = []
        for value in values {
            switch value {
            case .null, .blob: continue
            case .integer(let number):
                elements.append("to_jsonb(\(parameter(value)))")
                if number == 0 || number == 1 { elements.append("CAST('\(number == 1)' AS jsonb)") }
            case .real: elements.append("to_jsonb(\(parameter(value)))")
            case .text, .utf8: elements.append("to_jsonb(CAST(\(parameter(value)) AS TEXT))")
            }
        }
        guard !elements.isEmpty else { return sql += dialect.fails }
        sql +=
            "EXISTS (SELECT 1 FROM jsonb_array_elements(\(operand.document)) AS element(part) "
            + "WHERE element.part IN (\(elements.joined(separator: ", "))))"
    }
}

/// The value of an element of a list, which is called `element.part`, as a text or a number. What it is not is NULL.
enum ServerElement {
    static let text = "(CASE jsonb_typeof(element.part) WHEN 'string' THEN element.part #>> '{}' END COLLATE \"C\")"
    /// The value of any type, as a text.
    static let any =
        "(CASE jsonb_typeof(element.part) WHEN 'boolean' THEN CASE element.part #>> '{}' WHEN 'true' THEN '1' ELSE '0' END "
        + "ELSE element.part #>> '{}' END COLLATE \"C\")"
    /// A boolean is 1 or 0, as to SQLite.
    static let number =
        "(CASE jsonb_typeof(element.part) WHEN 'number' THEN CAST(element.part #>> '{}' AS REAL) "
        + "WHEN 'boolean' THEN CASE element.part #>> '{}' WHEN 'true' THEN 1 ELSE 0 END END)"
}

extension StoredValue {
    var isText: Bool {
        switch self {
        case .text, .utf8: true
        case .null, .integer, .real, .blob: false
        }
    }
}

extension ColumnOperand {
    /// The JSON of a column.
    var document: String { "CAST(\(quoted) AS jsonb)" }

    /// The same for a server as `text`, `number`, `size` and `isOfType` for a file.
    var serverText: String {
        switch column.kind {
        case .text: quoted
        case .json: "CASE jsonb_typeof(\(document)) WHEN 'string' THEN \(document) #>> '{}' END"
        case .integer, .real, .boolean, .list, .object: "CAST(NULL AS TEXT)"
        }
    }

    var serverNumber: String {
        switch column.kind {
        case .integer, .real, .boolean: quoted
        case .json: "CASE jsonb_typeof(\(document)) WHEN 'number' THEN CAST(\(document) #>> '{}' AS REAL) END"
        case .text, .list, .object: "CAST(NULL AS REAL)"
        }
    }

    var serverSize: String {
        switch column.kind {
        case .text: "octet_length(\(quoted))"
        case .list: "jsonb_array_length(\(document))"
        case .json, .object:
            "CASE jsonb_typeof(\(document)) WHEN 'string' THEN octet_length(\(document) #>> '{}') "
                + "WHEN 'array' THEN jsonb_array_length(\(document)) "
                + "WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(\(document))) END"
        case .integer, .real, .boolean: "CAST(NULL AS INTEGER)"
        }
    }

    func isOfTypeOnServer(_ type: Predicate.AttributeType) -> String {
        let isPresent = "\(quoted) IS NOT NULL"
        let kind = "jsonb_typeof(\(document))"
        return switch (column.kind, type) {
        case (.text, .string), (.integer, .number), (.real, .number), (.boolean, .bool), (.list, .list): isPresent
        case (.json, .string), (.object, .string): "\(kind) = 'string'"
        case (.json, .number), (.object, .number): "\(kind) = 'number'"
        case (.json, .bool), (.object, .bool): "\(kind) = 'boolean'"
        case (.json, .list), (.object, .list): "\(kind) = 'array'"
        case (.json, .map), (.object, .map): "\(kind) = 'object'"
        default: "false"
        }
    }
}
