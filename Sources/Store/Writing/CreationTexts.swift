import JSON

/// The statements that create records and read them, by what is assigned and what is wanted: clients send the same few
/// fields again and again.
struct CreationTexts {
    struct Texts {
        let insertion: SQLText
        let selection: SQLText
    }

    /// A key that few texts share: the names that they are made of are compared, not hashed.
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let assigned: Int
        let wanted: Int
    }

    private struct Known {
        /// Held, so that no other table has its identity.
        let table: TableLayout
        let assigned: [String]
        let wanted: [String]
        let texts: Texts

        /// Hot path: in place, because a list that is made of the names costs more than comparing them.
        func isMeant(by change: RecordChange) -> Bool {
            for place in assigned.indices
            where ByteText(assigned[place]) != ByteText(change.assignments[place].field) {
                return false
            }
            // Nearly always the list of the same plan.
            let isSame = wanted.withUnsafeBufferPointer { known in
                change.fields.withUnsafeBufferPointer { known.baseAddress == $0.baseAddress }
            }
            return isSame || wanted == change.fields
        }
    }

    private var known: [Key: [Known]] = [:]
    private var count = 0

    /// The statements of a change without a condition.
    mutating func texts(for change: RecordChange) throws(StoreError) -> Texts {
        let key = Key(
            table: ObjectIdentifier(change.table), assigned: change.assignments.count, wanted: change.fields.count)
        if let known = known[key]?.first(where: { $0.isMeant(by: change) }) { return known.texts }
        if count >= StoreLimits.creationTextsMax { (known, count) = ([:], 0) }
        let made = try Texts(insertion: SQLText(change.insertion), selection: SQLText(change.selection))
        known[key, default: []].append(
            Known(table: change.table, assigned: change.assignments.map(\.field), wanted: change.fields, texts: made))
        count += 1
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
