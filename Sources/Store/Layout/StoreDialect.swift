/// The engine whose words the statements over a table are in, where no text can be both engines'. `ServerText` knows the rest of
/// PostgreSQL's.
package enum StoreDialect: Sendable {
    case sqlite, postgres

    /// A condition that holds, and one that does not.
    var holds: String { self == .sqlite ? "1" : "true" }
    var fails: String { self == .sqlite ? "0" : "false" }

    /// The function that gives its second value where the first is NULL.
    var ifNull: String { self == .sqlite ? "ifnull" : "coalesce" }

    /// The larger of two numbers.
    var greatest: String { self == .sqlite ? "max" : "greatest" }

    /// A comparison in which NULL is a value like others.
    var differs: String { self == .sqlite ? "IS NOT" : "IS DISTINCT FROM" }

    /// The place of a text in another from 1, or 0.
    var place: String { self == .sqlite ? "instr" : "strpos" }
}
