import JSON

/// The statements that create records and read them, by what is assigned and what is wanted: clients send the same few
/// fields again and again.
struct CreationTexts {
    struct Texts {
        let insertion: SQLText
        let selection: SQLText
    }

    /// The names that a text is made of. Few of them are hashed, since all are compared anyway.
    private struct Shape: Hashable {
        let table: String
        let assigned: [String]
        let wanted: [String]

        func hash(into hasher: inout Hasher) {
            hasher.combine(table)
            hasher.combine(assigned.count)
            hasher.combine(wanted.count)
        }
    }

    private var texts: [Shape: Texts] = [:]

    /// The statements of a change without a condition.
    mutating func texts(for change: RecordChange) throws(StoreError) -> Texts {
        let shape = Shape(
            table: change.table.name, assigned: change.assignments.map(\.field), wanted: change.fields)
        if let known = texts[shape] { return known }
        if texts.count >= StoreLimits.creationTextsMax { texts.removeAll(keepingCapacity: true) }
        let made = try Texts(insertion: SQLText(change.insertion), selection: SQLText(change.selection))
        texts[shape] = made
        return made
    }
}

extension RecordChange {
    /// The names of the assigned columns, with that of the explicit nulls first.
    private var assignedColumns: [String] {
        get throws(StoreError) {
            var names = [SQLName.quoted(SQLName.nulls)]
            for assignment in assignments { names.append(try quotedColumn(of: assignment)) }
            return names
        }
    }

    fileprivate var insertion: String {
        get throws(StoreError) {
            let names = try assignedColumns
            return "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) "
                + "VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING"
        }
    }

    fileprivate var selection: String {
        "SELECT \(fields.isEmpty ? "1" : fields.map(table.quotedColumn).joined(separator: ", ")) "
            + "FROM \(table.quotedName) WHERE \(SQLName.quoted(SQLName.row)) = ?"
    }

    /// The values of an insertion: the names of those that are explicitly null, then each one.
    var creationValues: [StoredValue] {
        var values: [StoredValue] = [.null]
        values.reserveCapacity(assignments.count + 1)
        var nulls = ""
        for assignment in assignments {
            if assignment.value.isNull { nulls += "\(nulls.isEmpty ? "," : "")\(assignment.field)," }
            values.append(assignment.value)
        }
        if !nulls.isEmpty { values[0] = .text(nulls) }
        return values
    }
}
