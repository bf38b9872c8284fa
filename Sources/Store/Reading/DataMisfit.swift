import Blueprint

/// Stored values that the schema does not allow: the schema has changed since, or they were imported as they stood.
package struct DataMisfit: Sendable {
    package enum Kind: Sendable, Equatable {
        /// A required field has no value: reading it is an error.
        case missing
        /// An enum has no such value.
        case unknown
    }

    package let model: String
    package let field: String
    package let kind: Kind
    /// How many records have it.
    package let recordCount: Int
}

extension Reader {
    /// Counts the values that a schema does not allow, field by field. Every record is looked at: the deadline of the
    /// reader bounds the time.
    package func misfits(with blueprint: Blueprint, in layout: DatabaseLayout) throws(StoreError) -> [DataMisfit] {
        var found: [DataMisfit] = []
        for model in blueprint.models {
            guard let table = layout.table(of: model) else { continue }
            let checks = MisfitCheck.checks(of: model, in: table, blueprint)
            guard !checks.isEmpty else { continue }
            let counts = checks.map { "count(*) FILTER (WHERE \($0.condition))" }.joined(separator: ", ")
            let values = checks.flatMap(\.values)
            try connection.query(SQLText("SELECT \(counts) FROM \(table.quotedName)"), values) {
                row throws(StoreError) in
                for (number, check) in checks.enumerated() {
                    guard case .integer(let count) = row.value(number), count > 0 else { continue }
                    found.append(
                        DataMisfit(
                            model: model.name, field: check.field, kind: check.kind,
                            recordCount: Int(clamping: count)))
                }
                return false
            }
        }
        return found
    }
}

/// What is counted of a field, as a condition in SQL.
private struct MisfitCheck {
    let field: String
    let kind: DataMisfit.Kind
    let condition: String
    var values: [StoredValue] = []

    /// As many values of an enum are compared at most, and as many conditions made for a model: SQLite has its limits.
    private static let valuesMax = 500
    private static let checksMax = 500

    /// The elements of a list as rows with a `value`.
    private static func elements(of column: String, in dialect: StoreDialect) -> String {
        dialect == .sqlite
            ? "json_each(\(column))" : "jsonb_array_elements_text(CAST(\(column) AS jsonb)) AS element(value)"
    }

    static func checks(of model: Model, in table: TableLayout, _ blueprint: Blueprint) -> [MisfitCheck] {
        var checks: [MisfitCheck] = []
        for field in model.fields {
            guard table.column(of: field.name) != nil else { continue }
            let column = table.quotedColumn(of: field.name)
            if field.isRequired {
                checks.append(MisfitCheck(field: field.name, kind: .missing, condition: "\(column) IS NULL"))
            }
            guard let values = blueprint.type(named: field.typeName)?.values, !values.isEmpty,
                values.count <= valuesMax
            else { continue }
            let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
            let condition =
                field.isList
                ? "EXISTS (SELECT 1 FROM \(elements(of: column, in: table.dialect)) WHERE value NOT IN (\(places)))"
                : "\(column) NOT IN (\(places))"
            checks.append(
                MisfitCheck(
                    field: field.name, kind: .unknown, condition: condition,
                    values: values.map { .text($0.name.text) }))
        }
        // The variables of one statement are limited, too.
        var variables = 0
        return checks.prefix(checksMax).filter { check in
            variables += check.values.count
            return variables <= 30_000
        }
    }
}
