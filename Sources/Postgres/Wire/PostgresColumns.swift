/// The columns of the rows that a statement answers.
package final class PostgresColumns: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The number of its type in the server's catalogue.
        package let type: UInt32
    }

    package let all: [Column]
    package var count: Int { all.count }

    static let none = PostgresColumns([])

    private init(_ all: [Column]) { self.all = all }

    /// Columns of types that are known before a server is asked.
    package convenience init(types: [PostgresType]) { self.init(types.map { Column(name: "", type: $0.rawValue) }) }

    init(_ fields: inout MessageFields, limits: PostgresLimits) throws(PostgresViolation) {
        let count = Int(try fields.uint16())
        guard count <= limits.columns else { throw .tooManyColumns(limit: limits.columns) }
        var all: [Column] = []
        for _ in 0..<count {
            let name = try fields.text(max: limits.errorFieldBytes)
            // The number of the table, and of the column in it.
            _ = try fields.bytes(6)
            let type = try fields.uint32()
            // Size, modifier, and the form, which the question says anyway.
            _ = try fields.bytes(8)
            all.append(Column(name: name, type: type))
        }
        self.all = all
    }
}
