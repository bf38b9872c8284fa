import JSON

extension RecordChange {
    /// The values of a creation on a server, which refuses texts that PostgreSQL cannot keep.
    func storableValues() throws(StoreError) -> [StoredValue] {
        try checkStorable()
        return creationValues
    }

    /// JSON can write U+0000 with letters that a column takes and that no condition can read later. Where the character itself stands, the
    /// connection refuses it.
    func checkStorable() throws(StoreError) {
        for assignment in assignments {
            guard let column = table.column(of: assignment.field) else { continue }
            try table.checkStorable(assignment.value, in: column)
        }
    }
}

extension TableLayout {
    /// Refuses JSON that writes U+0000.
    func checkStorable(_ value: StoredValue, in column: Column) throws(StoreError) {
        guard [.list, .json, .object].contains(column.kind) else { return }
        let hasZero =
            switch value {
            case .text(let text): Self.writesZero(text.utf8)
            case .utf8(let bytes): Self.writesZero(bytes)
            case .null, .integer, .real, .blob: false
            }
        guard !hasZero else {
            throw StoreError(
                .invalidValue,
                "\(model).\(column.field) contains U+0000, which a database on a server cannot store")
        }
    }

    /// Returns whether JSON has the escape of U+0000. A backslash before a backslash begins none.
    private static func writesZero(_ json: some Sequence<UInt8>) -> Bool {
        let escape = Array("\\u0000".utf8)
        var length = 0
        for byte in json {
            if byte == escape[length] {
                length += 1
                if length == escape.count { return true }
            } else if length == 1 {
                // What a backslash stands before, itself included.
                length = 0
            } else {
                length = byte == escape[0] ? 1 : 0
            }
        }
        return false
    }
}
