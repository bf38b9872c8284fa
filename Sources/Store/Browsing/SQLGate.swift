import CSQLite
import JSON

/// What a statement of a person may do, as SQLite asks about it: everything that is not named here is denied.
final class SQLGate {
    private let tables: Set<ByteText>
    /// All other tables that the file has.
    private let others: Set<ByteText>

    init(tables: [String], others: [String]) {
        let tables = Set((tables + Self.tablesOfFunctions).map { ByteText($0) })
        self.tables = tables
        self.others = Set(others.map { ByteText($0) }).subtracting(tables)
    }

    /// What SQLite itself has tables for.
    private static let foreignBeginnings = [
        "_homeport", "sqlite", "pragma", "fts", "dbstat", "bytecode", "tables_used",
    ]

    /// Functions whose rows are read like a table's.
    private static let tablesOfFunctions = ["json_each", "json_tree"]

    /// SQLite's own that read nothing but their arguments.
    ///
    /// One call of a function is one step, in which nobody can end a statement. So each takes time that grows with the lengths of its
    /// arguments alone: those that would not are in `ViewFunctions`, and `json_patch`, which compares all members of two objects, is
    /// none of them.
    static let functions: Set<ByteText> = [
        "abs", "avg", "ceil", "ceiling", "char", "coalesce", "concat", "concat_ws", "count", "cume_dist", "date",
        "datetime", "dense_rank", "exp", "first_value", "floor", "format", "glob", "group_concat", "hex", "ifnull",
        "iif", "instr", "json", "json_array", "json_array_length", "json_extract", "json_group_array",
        "json_group_object", "json_object", "json_quote", "json_remove", "json_replace", "json_set",
        "json_insert", "json_type", "json_valid", "julianday", "lag", "last_value", "lead", "length", "like", "ln",
        "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif",
        "octet_length", "percent_rank", "pi", "pow", "power", "printf", "quote", "rank", "replace", "round",
        "row_number", "rtrim", "sign", "sqrt", "strftime", "string_agg", "substr", "substring", "sum", "time",
        "timediff", "total", "trim", "trunc", "typeof", "unhex", "unicode", "unixepoch", "upper", "->", "->>",
    ]

    func allows(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ database: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: true
        case SQLITE_READ:
            // A subquery has no name.
            first.map { isReadable(String(cString: $0), isColumn: second?.pointee ?? 0 != 0) } ?? true
                && database.map { ByteText(String(cString: $0)) == "main" } ?? true
        case SQLITE_FUNCTION:
            second.map { Self.functions.contains(ByteText(String(cString: $0).lowercased())) } ?? false
        default: false
        }
    }

    /// Tables of which no column is read are named too, and so are those that the statement itself makes (`WITH`): there is no
    /// such table in the file then.
    private func isReadable(_ name: String, isColumn: Bool) -> Bool {
        if tables.contains(ByteText(name)) { return true }
        let low = name.lowercased()
        return !isColumn && !others.contains(ByteText(name))
            && !Self.foreignBeginnings.contains { low.utf8.starts(with: $0.utf8) }
    }
}
