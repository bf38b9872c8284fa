import JSON

/// What `rds.select` and the like give: a statement that is written when it is known for which database.
struct RelationalStatement {
    enum Kind: String, CaseIterable {
        case select = "SELECT"
        case insert = "INSERT"
        case update = "UPDATE"
        case remove = "REMOVE"
    }

    let kind: Kind
    let properties: JSONObject

    static func made(_ kind: Kind, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        guard !call.arguments.isEmpty else { throw .fault("An argument is expected to be passed to \(kind)") }
        guard call[0].object != nil else { throw .fault("Expected payload to be an Object.") }
        return ["type": .string(kind.rawValue), "properties": call[0], "mark": .string(call.mark)]
    }

    /// Nil: it is something else, also where it looks the same. A request could hold it.
    init?(_ value: JSONValue, mark: String) {
        guard let object = value.object, object["mark"]?.string == mark,
            let kind = object["type"]?.string.flatMap(Kind.init(rawValue:)),
            let properties = object["properties"]?.object
        else { return nil }
        self.kind = kind
        self.properties = properties
    }
}

/// What the tag `rds.sql` gives: SQL of the code's own, and the values between its parts.
struct SQLTemplate {
    let parts: [String]
    let values: [JSONValue]

    static func made(_ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        let values = Array(call.arguments.dropFirst())
        guard let parts = call[0].array, parts.count == values.count + 1, parts.allSatisfy({ $0.string != nil }) else {
            throw .fault(
                "java.lang.IllegalArgumentException: Unexpected argument passed to sql tagged template")
        }
        return ["strings": .array(parts), "keys": .array(values), "mark": .string(call.mark)]
    }

    /// Nil: it is something else, also where it looks the same.
    init?(_ value: JSONValue, mark: String) {
        guard let object = value.object, object["mark"]?.string == mark, let parts = object["strings"]?.array,
            let values = object["keys"]?.array
        else { return nil }
        self.parts = parts.compactMap(\.string)
        self.values = values
    }
}

/// What `rds.agg` gives: a function of all rows of a group, and its column.
struct SQLAggregate {
    static let names = ["max", "min", "sum", "avg", "count"]

    let name: String
    let isDistinct: Bool
    let column: String

    static let functions = names.flatMap { name in
        [false, true].map { isDistinct in
            LibraryFunction("rds.agg.\(name)\(isDistinct ? "Distinct" : "")", in: .javaScript) {
                call throws(ResolverError) in
                ["aggregate": .string(name), "distinct": .bool(isDistinct), "column": .string(try call.text(0))]
            }
        }
    }

    init?(_ value: JSONValue) {
        guard let object = value.object, let name = object["aggregate"]?.string, Self.names.contains(name),
            let column = object["column"]?.string
        else { return nil }
        self.init(name: name, isDistinct: object["distinct"]?.bool ?? false, column: column)
    }

    private init(name: String, isDistinct: Bool, column: String) {
        self.name = name
        self.isDistinct = isDistinct
        self.column = column
    }

    /// The aggregate of a column that a condition names by its operator: `{album_id: {count: {ge: 5}}}`.
    init?(condition name: String, of column: String) {
        let isDistinct = name.hasSuffix("Distinct")
        let plain = isDistinct ? String(name.dropLast(8)) : name
        guard Self.names.contains(plain) else { return nil }
        self.init(name: plain, isDistinct: isDistinct, column: column)
    }
}
