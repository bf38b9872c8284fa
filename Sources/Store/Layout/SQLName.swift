import JSON

/// Names in SQL: how they are quoted, and what a name of GraphQL is called in a database that ignores case.
package enum SQLName {
    /// The row's place in the order of creation. No field can have the name.
    static let row = "_homeport_row"
    /// The names of the fields that hold an explicit null, as `,title,text,`; NULL for none.
    static let nulls = "_homeport_nulls"
    private static let ownPrefixes = ["_homeport_", "sqlite_"]

    /// A name in double quotes.
    static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        return "\"" + name.parts(separatedBy: "\"").joined(separator: "\"\"") + "\""
    }

    /// A text in single quotes, where a statement cannot have a parameter.
    static func literal(_ text: String) -> String {
        "'" + text.parts(separatedBy: "'").joined(separator: "''") + "'"
    }

    /// The name itself, or one with a number behind it when SQLite or a name before it claims it. A tilde is in no
    /// name of GraphQL.
    static func free(_ name: String, taken: inout Set<ByteText>) -> String {
        let isOwn = ownPrefixes.contains { name.lowercased().hasPrefix($0) }
        var candidate = isOwn ? "~\(name)" : name
        var number = 2
        while !taken.add(candidate.lowercased()) {
            candidate = "\(name)~\(number)"
            number += 1
        }
        return candidate
    }
}
