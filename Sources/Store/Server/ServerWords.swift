import JSON

/// The words of texts as PostgreSQL keeps and compares them. `SearchWords` finds them, so that both engines find the same ones.
///
///     "Don't panic, don't"  ▶  tsvector 'don''t':1,3 'panic':2        "don't pan…"  ▶  tsquery 'don''t' <-> 'pan':*
enum ServerWords {
    /// PostgreSQL has no longer words. A longer one is left out.
    private static let wordBytesMax = 2_046
    /// The last place that a word can have. Words behind it are found, and belong to no phrase.
    private static let placeMax = 16_383
    /// The places of one word that are kept.
    private static let placesMax = 255

    /// The words of a value of a searchable field; NULL where it has none.
    static func vector(
        of value: StoredValue, kind: ColumnKind, allows: (Int) -> Bool
    ) throws(StoreError) -> StoredValue {
        let text: String
        switch value {
        case .text(let given): text = given
        case .utf8(let bytes): text = String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .real, .blob: return .null
        }
        var texts = [text]
        if case .list = kind {
            texts = ((try? JSONReader.value(of: text))?.array ?? []).compactMap(\.string)
        }
        var places: [ByteText: [Int]] = [:]
        var place = 0
        for text in texts {
            guard let words = SearchWords.words(of: text, allows: allows) else {
                throw StoreError(.interrupted, "the words of a text take too long to find")
            }
            for word in words {
                place += 1
                guard word.utf8.count <= wordBytesMax else { continue }
                places[ByteText(word), default: []].append(place)
            }
            // No phrase reaches from one element into the next.
            place += 1
        }
        var vector = ""
        for (word, all) in places.sorted(by: { $0.key < $1.key }) {
            if !vector.isEmpty { vector += " " }
            vector += quoted(word.string)
            let kept = all.prefix(placesMax).prefix { $0 <= placeMax }
            if !kept.isEmpty { vector += ":" + kept.map { "\($0)" }.joined(separator: ",") }
        }
        return .text(vector)
    }

    /// The question for one of several words; nil: no text can have one of them.
    static func anyOf(_ words: [String]) -> String? { joined(words.filter(isKept), by: " | ") }

    /// The question for words that follow each other; nil: no text can have them.
    static func phrase(_ words: [String], isPrefix: Bool) -> String? {
        guard words.allSatisfy(isKept), let phrase = joined(words, by: " <-> ") else { return nil }
        return isPrefix ? phrase + ":*" : phrase
    }

    private static func isKept(_ word: String) -> Bool { word.utf8.count <= wordBytesMax }

    private static func joined(_ words: [String], by sign: String) -> String? {
        words.isEmpty ? nil : words.map(quoted).joined(separator: sign)
    }

    private static func quoted(_ word: String) -> String {
        var text = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text.unicodeScalars.append(scalar) }
            text.unicodeScalars.append(scalar)
        }
        return text + "'"
    }
}

extension SearchIndex {
    private var quotedName: String { SQLName.quoted(name) }

    /// The table of words on a server, and an index for each field. Words go with the row that they belong to.
    func serverCreations(of table: TableLayout) -> [String] {
        let row = SQLName.quoted(SQLName.row)
        let key = SQLName.quoted(table.serverName(of: "\(name) row"))
        var parts = [
            "\(row) INTEGER CONSTRAINT \(key) PRIMARY KEY REFERENCES \(table.quotedName) (\(row)) ON DELETE CASCADE"
        ]
        parts += columns.map { "\(SQLName.quoted($0.name)) tsvector" }
        return ["CREATE TABLE \(quotedName) (\(parts.joined(separator: ", ")))"]
            + columns.map { column in
                let index = SQLName.quoted(table.serverName(of: "\(name) \(column.name)"))
                return "CREATE INDEX \(index) ON \(quotedName) USING gin (\(SQLName.quoted(column.name)))"
            }
    }

    /// The statement that keeps the words of some fields of a row. The row's number comes first, or the values of its key last.
    func keeping(_ fields: [String], of table: TableLayout, byKey: Bool) -> SQLText {
        let row = SQLName.quoted(SQLName.row)
        let names = fields.compactMap { column(of: $0).map(SQLName.quoted) }
        let vectors = names.map { _ in "CAST(? AS tsvector)" }
        let settings = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let values = ([byKey ? row : "CAST(? AS INTEGER)"] + vectors).joined(separator: ", ")
        return SQLText(
            "INSERT INTO \(quotedName) (\(([row] + names).joined(separator: ", "))) SELECT \(values)"
                + (byKey ? " FROM \(table.quotedName) WHERE \(table.keyCondition)" : "")
                + " ON CONFLICT (\(row)) DO UPDATE SET \(settings)")
    }
}

extension WriteSession {
    /// Keeps the words of what a change has assigned, on a server. In a file `SearchUpkeep` does.
    ///
    /// - Parameter row: the number of the row; nil: that of the change's key.
    func keepWords(of change: RecordChange, row: Int64? = nil) throws(StoreError) {
        guard turns != nil, change.action != .delete, let index = change.table.searchIndex else { return }
        let assigned = change.assignments.filter { index.column(of: $0.field) != nil }
        guard !assigned.isEmpty else { return }
        var values: [StoredValue] = row.map { [.integer($0)] } ?? []
        for one in assigned { values.append(try words(of: one.value, in: one.field, of: change.table)) }
        if row == nil { values += change.key }
        let keeping = index.keeping(assigned.map(\.field), of: change.table, byKey: row == nil)
        try runUnasked(keeping, values)
    }

    private func words(
        of value: StoredValue, in field: String, of table: TableLayout
    ) throws(StoreError) -> StoredValue {
        let kind = table.column(of: field)?.kind ?? .text
        return try ServerWords.vector(of: value, kind: kind, allows: connection.deadline.allows)
    }

    /// The same of a row that came in whole: the explicit nulls, then a value for each column.
    private func keepWords(of values: [StoredValue], in table: TableLayout, row: Int64) throws(StoreError) {
        guard let index = table.searchIndex else { return }
        let fields = index.columns.map(\.field)
        var words: [StoredValue] = [.integer(row)]
        for field in fields {
            let place = table.columns.firstIndex { $0.field.utf8.elementsEqual(field.utf8) }
            let value = place.flatMap { values.indices.contains($0 + 1) ? values[$0 + 1] : nil } ?? .null
            words.append(try self.words(of: value, in: field, of: table))
        }
        try connection.run(index.keeping(fields, of: table, byKey: false), words)
    }

    /// Puts a row in on a server, with a number from the turn, and says whether it was put in or replaced one.
    func insert(
        _ row: RecordIntake.Row, _ turns: ServerTurns, at clock: ChangeClock
    ) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            for (value, column) in zip(row.values.dropFirst(), row.table.columns) {
                try row.table.checkStorable(value, in: column)
            }
            let time = row.log == nil ? 0 : clock.stamp()
            var number: Int64?
            try connection.query(row.sql, [.integer(try turns.next(of: .models))] + row.values) {
                found throws(StoreError) in
                number = found.integer(0)
                return true
            }
            guard let number else { return false }
            try keepWords(of: row.values, in: row.table, row: number)
            if let log = row.log { try append(number, to: log, at: time, clock) }
            return true
        }
    }
}

extension Connection {
    /// Keeps the words of all records of a table that is searched from now on, on a server.
    func fillWords(of table: TableLayout) throws(StoreError) {
        guard let index = table.searchIndex else { return }
        let fields = index.columns.map(\.field)
        let columns = [SQLName.quoted(SQLName.row)] + fields.map(table.quotedColumn)
        let selection = SQLText(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName)", isOpen: true)
        let keeping = index.keeping(fields, of: table, byKey: false)
        try query(selection) { row throws(StoreError) in
            var values: [StoredValue] = [.integer(row.integer(0))]
            for (place, field) in fields.enumerated() {
                let kind = table.column(of: field)?.kind ?? .text
                values.append(
                    try ServerWords.vector(
                        of: row.value(place + 1), kind: kind, allows: { deadline.allows($0) }))
            }
            try changeAhead(keeping, values)
            return true
        }
    }
}
