/// What functions are still to be told of, where the database goes back to a copy: those that are told stay who they are.
struct TableStreamRoom: CopiedRoom {
    private static let streams = RoomStatement("SELECT model FROM _homeport_streams")

    func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError) {
        guard try live.has(TableStreamRows.tables) else { return }
        try copy.bring(TableStreamRows.tables)
        var readers: [(model: String, function: String)] = []
        try live.rows(TableStreamRows.readers, []) { row throws(StoreError) in
            readers.append((row.text(0), row.text(1)))
            return true
        }
        var models: [String] = []
        try live.rows(Self.streams, []) { row throws(StoreError) in
            models.append(row.text(0))
            return true
        }
        for model in models { try copy.change(TableStreamRows.stream, [.text(model)]) }
        for reader in readers {
            try copy.change(TableStreamRows.reader, [.text(reader.model), .text(reader.function)])
        }
    }
}
