import JSON

/// The module `@aws-appsync/utils/rds`, and `util.rds`: SQL statements made of values, and what databases answer.
enum RelationalModule {
    private static let typeHints = ["DECIMAL", "JSON", "TIME", "DATE", "DATETIME", "TIMESTAMP", "UUID"]

    static let all: [LibraryFunction] =
        RelationalStatement.Kind.allCases.map { kind in
            LibraryFunction("rds.\(kind)", in: .javaScript, seesUndefined: true) { call throws(ResolverError) in
                try RelationalStatement.made(kind, &call)
            }
        } + [
            LibraryFunction("rds.sql", in: .javaScript, seesUndefined: true) { call throws(ResolverError) in
                try SQLTemplate.made(&call)
            },
            LibraryFunction("rds.createPgStatement", in: .javaScript, seesUndefined: true) {
                call throws(ResolverError) in
                try StatementWriter.request(.postgres, &call)
            },
            LibraryFunction("rds.createMySQLStatement", in: .javaScript, seesUndefined: true) {
                call throws(ResolverError) in
                try StatementWriter.request(.mySQL, &call)
            },
            LibraryFunction("rds.toJsonObject", in: .javaScript) { call throws(ResolverError) in
                try RelationalResult.rows(&call)
            },
            LibraryFunction("util.rds.toJsonObject") { call throws(ResolverError) in
                try RelationalResult.rows(&call)
            },
            LibraryFunction("util.rds.toJsonString") { call throws(ResolverError) in
                if call[0].string == "" { return "" }
                return .string(JSONWriter.text(of: try RelationalResult.rows(&call)))
            },
        ]
        + typeHints.map { name in
            LibraryFunction("rds.typeHint." + name, in: .javaScript) { call in
                ["type": .string(name), "value": call[0]]
            }
        }
        + SQLAggregate.functions

    /// Whether a value is what a `typeHint` has made, and of what.
    static func hint(_ value: JSONValue) -> (type: String, value: JSONValue)? {
        guard let object = value.object, object.count == 2, let type = object["type"]?.string,
            typeHints.contains(type), let value = object["value"]
        else { return nil }
        return (type, value)
    }
}
