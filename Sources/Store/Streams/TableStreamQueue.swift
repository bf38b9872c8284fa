import JSON

extension WriteSession {
    /// Has the changes of these tables taken down from here on, for those who read them, and those of no others.
    package func keep(_ streams: [TableStream]) throws(StoreError) {
        // Without readers nothing is to be made where nothing was.
        if turns != nil, streams.isEmpty {
            guard try has(TableStreamRows.tables) else { return }
        }
        try bring(TableStreamRows.tables)
        try stopStreams()
        let wanted = Set(
            streams.flatMap { stream in stream.readers.map { [ByteText(stream.table.model), ByteText($0)] } })
        for reader in try storedReaders() where !wanted.contains(reader) {
            try change(TableStreamRows.readerRemoval, reader.map { .text($0.string) })
        }
        for stream in streams {
            try change(TableStreamRows.stream, [.text(stream.table.model)])
            for reader in stream.readers {
                let beginsWithOldest = stream.oldest.contains { ByteText($0) == ByteText(reader) }
                try change(
                    beginsWithOldest ? TableStreamRows.readerOfAll : TableStreamRows.reader,
                    [.text(stream.table.model), .text(reader)])
            }
            try begin(stream.table)
        }
        try change(TableStreamRows.restRemoval)
        streamedModels = streams.map(\.table.model)
        guard turns != nil else { return }
        let models = streamedModels.map { "\($0)," }.joined()
        try noting { () throws(StoreError) in try connection.set(ServerStream.setting, to: ",\(models)") }
    }

    /// The readers of changes, as pairs of the model's name and the reader's.
    private func storedReaders() throws(StoreError) -> [[ByteText]] {
        var readers: [[ByteText]] = []
        try rows(TableStreamRows.readers, []) { row throws(StoreError) in
            readers.append([ByteText(row.text(0)), ByteText(row.text(1))])
            return true
        }
        return readers
    }

    /// Changes tables. What takes their changes down names their columns, and is made anew, for the tables as they are then.
    ///
    /// - Parameters:
    ///   - layout: the tables as they were, which they stay where the change fails.
    ///   - change: changes them, and answers what they are then.
    func changeTables<Answer>(
        of layout: DatabaseLayout, _ change: () throws(StoreError) -> (answer: Answer, layout: DatabaseLayout)
    ) throws(StoreError) -> Answer {
        guard !streamedModels.isEmpty else { return try change().answer }
        try stopStreams()
        do throws(StoreError) {
            let (answer, layout) = try change()
            try goOn(in: layout)
            return answer
        } catch {
            if fatalError == nil { try goOn(in: layout) }
            throw error
        }
    }

    /// Takes down again what was; a model that is gone may come back.
    private func goOn(in layout: DatabaseLayout) throws(StoreError) {
        try stopStreams()
        for model in streamedModels {
            if let table = layout.table(storing: model) { try begin(table) }
        }
    }

    private func begin(_ table: TableLayout) throws(StoreError) {
        guard turns == nil else {
            return try noting { () throws(StoreError) in try ServerStream.make(for: table, on: connection) }
        }
        for creation in TableStreamRows.creations(of: table) { try run(creation) }
    }

    /// Removes the triggers of the connection. A server's stay, and take down what the session says.
    private func stopStreams() throws(StoreError) {
        guard turns == nil else { return }
        var names: [String] = []
        try noting { () throws(StoreError) in
            try connection.query(TableStreamRows.triggers, []) { row throws(StoreError) in
                names.append(row.text(0))
                return true
            }
        }
        for name in names { try run(SQLText("DROP TRIGGER temp.\(SQLName.quoted(name))")) }
    }
}

/// The changes of a table as one of those who are told of them sees them.
package struct TableStreamQueue: Sendable {
    private let store: Store
    private let model: String
    private let reader: String

    private static let readMilliseconds: Int64 = 5_000

    package init(_ store: Store, of table: TableLayout, for reader: String) {
        self.store = store
        model = table.model
        self.reader = reader
    }

    /// What comes next.
    package struct Part: Sendable {
        package var changes: [TableChange] = []
        /// How often the first of them was told of alone, in vain, and when it is to be told of again.
        package var tries: Int64 = 0
        package var due: Int64 = 0
        /// How often the data had been put back by then: what is settled of it later may be of other changes.
        var restoreCount = 0
    }

    /// The next changes: as many as that, and no more than so many bytes of them unless it is one.
    package func next(max: Int, bytesMax: Int) async throws -> Part {
        let end = Timestamp.monotonicMilliseconds + Self.readMilliseconds
        let restoreCount = store.writer.restoreCount
        return try await store.readersAside.read(until: end) { reader throws(StoreError) in
            var part = Part(restoreCount: restoreCount)
            var position: Int64?
            guard try reader.has(TableStreamRows.tables) else { return part }
            try reader.rows(TableStreamRows.position, [.text(model), .text(self.reader)]) { row throws(StoreError) in
                position = row.integer(0)
                (part.tries, part.due) = (row.integer(1), row.integer(2))
                return false
            }
            guard let position else { return part }
            var bytes = 0
            try reader.rows(TableStreamRows.changes, [.text(model), .integer(position), .integer(Int64(max))]) {
                row throws(StoreError) in
                let change = TableChange(
                    number: row.integer(0), time: row.integer(1),
                    old: row.isNull(2) ? nil : row.withText(2) { Array($0) },
                    new: row.isNull(3) ? nil : row.withText(3) { Array($0) })
                bytes += change.byteCount
                guard part.changes.isEmpty || bytes <= bytesMax else { return false }
                part.changes.append(change)
                return true
            }
            return part
        }
    }

    /// All of a part up to that number is done with.
    package func advance(to number: Int64, in part: Part) async throws {
        try await store.writer.write(turn: .streams, key: nil) { [writer = store.writer] session in
            guard writer.restoreCount == part.restoreCount else { return }
            try session.change(TableStreamRows.advance, [.text(model), .text(reader), .integer(number)])
            try session.change(TableStreamRows.removal, [.text(model)])
        }
    }

    package func delay(_ part: Part, until time: Int64, tries: Int64) async throws {
        try await store.writer.write(turn: .streams, key: nil) { [writer = store.writer] session in
            guard writer.restoreCount == part.restoreCount else { return }
            _ = try session.change(
                TableStreamRows.delay, [.text(model), .text(reader), .integer(tries), .integer(time)])
        }
    }
}
