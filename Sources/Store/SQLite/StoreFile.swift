/// An open database whose tables nobody has looked at yet.
struct StoreFile: ~Copyable {
    let place: DatabasePlace
    /// Set for a database that nobody keeps.
    let folder: ScratchFolder?
    let connection: Connection
    let stored: Migrator.Stored

    static func open(_ location: Store.Location) throws(StoreError) -> StoreFile {
        let place: DatabasePlace
        var folder: ScratchFolder?
        switch location {
        case .file(let path): place = .file(path)
        case .server(let server): place = .server(server)
        case .memory, .layered, .replayed:
            let made = try ScratchFolder()
            folder = made
            place = location == .replayed ? .replayed(made.databasePath) : .file(made.databasePath)
            guard location != .layered || LayerMap.make(for: made.databasePath) else {
                throw StoreError(.cannotOpen, "database \(made.databasePath): no file can be made beside it")
            }
        }
        let connection = try place.open(.writer)
        if location == .layered { try connection.spareMemory() }
        let stored = try Migrator.Stored(in: connection)
        return StoreFile(place: place, folder: folder, connection: connection, stored: stored)
    }
}
