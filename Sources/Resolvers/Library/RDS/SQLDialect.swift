import JSON

/// In what the statements for one kind of database differ from those for the other.
enum SQLDialect {
    case postgres
    case mySQL

    /// The function that makes requests for it.
    var function: String {
        switch self {
        case .postgres: "createPgStatement"
        case .mySQL: "createMySQLStatement"
        }
    }

    private var quote: String {
        switch self {
        case .postgres: "\""
        case .mySQL: "`"
        }
    }

    /// A name, or several with points between them. Whatever a name says, nothing of it is SQL.
    func quoted(_ name: String) -> String {
        guard name != "*" else { return name }
        return name.parts(separatedBy: ".").map { part in
            quote + part.parts(separatedBy: quote).joined(separator: quote + quote) + quote
        }.joined(separator: ".")
    }
}
