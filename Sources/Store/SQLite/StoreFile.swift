/// An open database whose tables nobody has looked at yet.
struct StoreFile: ~Copyable {
    let path: String
    /// Set for a database that nobody keeps.
    let folder: ScratchFolder?
    let connection: Connection
    let stored: Migrator.Stored

    static func open(_ location: Store.Location) throws(StoreError) -> StoreFile {
        let path: String
        var folder: ScratchFolder?
        switch location {
        case .file(let given): path = given
        case .memory, .layered:
            let made = try ScratchFolder()
            folder = made
            path = made.databasePath
            guard location == .memory || LayerMap.make(for: path) else {
                throw StoreError(.cannotOpen, "database \(path): no file can be made beside it")
            }
        }
        let connection = try Connection.open(path: path, mode: .writer)
        let stored = try Migrator.Stored(in: connection)
        return StoreFile(path: path, folder: folder, connection: connection, stored: stored)
    }
}
