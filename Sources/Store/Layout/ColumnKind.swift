import Blueprint
import JSON

/// How a field's values are kept, and so how they compare.
package enum ColumnKind: String, Sendable, Hashable, CaseIterable {
    /// Strings, ids, dates, enums: by their bytes.
    case text
    case integer
    case real
    /// 0 or 1.
    case boolean
    /// A list of scalars or enums, as compact JSON.
    case list
    /// AWSJSON: the parsed value, as compact JSON.
    case json
    /// A custom type or a list of them, as compact JSON. No filter reaches inside.
    case object

    init(of field: ModelField, in blueprint: Blueprint) {
        self.init(typeName: field.typeName, isList: field.isList, in: blueprint)
    }

    init(typeName: String, isList: Bool, in blueprint: Blueprint) {
        let scalar: ColumnKind? =
            if blueprint.isEnum(typeName) { .text } else {
                switch ScalarKind(scalar: typeName) {
                case .int: .integer
                case .float: .real
                case .boolean: .boolean
                case .string, .id: typeName == "AWSJSON" ? .json : .text
                case nil: nil
                }
            }
        self = scalar.map { isList ? .list : $0 } ?? .object
    }

    /// The type of the column in a STRICT table.
    var sqlType: String {
        switch self {
        case .text, .list, .json, .object: "TEXT"
        case .integer, .boolean: "INTEGER"
        case .real: "REAL"
        }
    }

    /// What messages call it.
    var label: String {
        switch self {
        case .text: "text"
        case .integer: "an integer"
        case .real: "a float"
        case .boolean: "a boolean"
        case .list: "a list"
        case .json: "JSON"
        case .object: "an object"
        }
    }
}
