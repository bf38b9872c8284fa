/// How the values of a column become those of another kind.
struct ColumnConversion {
    let from: ColumnKind
    let to: ColumnKind

    /// True if every value keeps its meaning.
    var isLossless: Bool {
        switch (from, to) {
        case (.integer, .real), (.list, .json), (.object, .json): true
        default: from == to
        }
    }

    /// True if a value that fits may come out as another one: numbers are written into JSON with fewer digits than they
    /// have, and JSON becomes a text that means the same to nobody.
    var changesMeaning: Bool {
        switch (from, to) {
        case (.real, .json), (.real, .list), (.list, .text), (.object, .text), (.json, .text): true
        default: false
        }
    }

    /// The new value of a column in SQL; null for one that does not fit.
    func expression(_ column: String) -> String {
        switch to {
        case .text: text(column)
        case .integer: integer(column)
        case .real: real(column)
        case .boolean: boolean(column)
        case .list: list(column)
        case .json: json(column)
        case .object: from == .json ? "iif(json_type(\(column)) IN ('object', 'array'), \(column), NULL)" : "NULL"
        }
    }

    private func text(_ column: String) -> String {
        switch from {
        case .text, .list, .object: column
        case .integer: "CAST(\(column) AS TEXT)"
        // SQLite writes fifteen digits, which are not always enough to read the same number again.
        case .real:
            "iif(CAST(CAST(\(column) AS TEXT) AS REAL) = \(column), CAST(\(column) AS TEXT), "
                + "printf('%!.17g', \(column)))"
        case .boolean: "iif(\(column) IS NULL, NULL, iif(\(column), 'true', 'false'))"
        case .json: "iif(json_type(\(column)) = 'text', json_extract(\(column), '$'), \(column))"
        }
    }

    private func integer(_ column: String) -> String {
        switch from {
        case .text: "iif(CAST(CAST(\(column) AS INTEGER) AS TEXT) = \(column), CAST(\(column) AS INTEGER), NULL)"
        case .real: "iif(CAST(\(column) AS INTEGER) = \(column), CAST(\(column) AS INTEGER), NULL)"
        case .integer, .boolean: column
        case .json: "iif(json_type(\(column)) = 'integer', json_extract(\(column), '$'), NULL)"
        case .list, .object: "NULL"
        }
    }

    private func real(_ column: String) -> String {
        switch from {
        case .text:
            "iif(\(column) IN (CAST(CAST(\(column) AS REAL) AS TEXT), CAST(CAST(\(column) AS INTEGER) AS TEXT)), "
                + "CAST(\(column) AS REAL), NULL)"
        case .integer, .real, .boolean: "CAST(\(column) AS REAL)"
        case .json: "iif(json_type(\(column)) IN ('integer', 'real'), CAST(json_extract(\(column), '$') AS REAL), NULL)"
        case .list, .object: "NULL"
        }
    }

    private func boolean(_ column: String) -> String {
        switch from {
        case .text: "CASE \(column) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .integer, .real: "CASE \(column) WHEN 1 THEN 1 WHEN 0 THEN 0 END"
        case .boolean: column
        case .json: "CASE json_type(\(column)) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .list, .object: "NULL"
        }
    }

    private func list(_ column: String) -> String {
        switch from {
        case .list: column
        case .text, .integer, .real: "iif(\(column) IS NULL, NULL, json_array(\(column)))"
        case .boolean: "iif(\(column) IS NULL, NULL, iif(\(column), '[true]', '[false]'))"
        case .json, .object: "iif(json_type(\(column)) = 'array', \(column), NULL)"
        }
    }

    private func json(_ column: String) -> String {
        switch from {
        case .text, .integer, .real: "iif(\(column) IS NULL, NULL, json_quote(\(column)))"
        case .boolean: "iif(\(column) IS NULL, NULL, iif(\(column), 'true', 'false'))"
        case .list, .json, .object: column
        }
    }
}
