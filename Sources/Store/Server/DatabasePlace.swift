/// The place that the connections of a database lead to.
enum DatabasePlace: Sendable {
    case file(String)
    case server(ServerPlace)
    /// A file that is read as a server is.
    case replayed(String)

    func open(_ mode: Connection.Mode) throws(StoreError) -> Connection {
        switch self {
        case .file(let path): return try Connection.open(path: path, mode: mode)
        case .server(let place): return try Connection(to: place, mode)
        case .replayed(let path): return try Connection.open(path: path, mode: mode, isReplayed: mode == .reader)
        }
    }

    var isLocal: Bool {
        if case .file = self { true } else { false }
    }

    /// The path of the file, or the host of the server.
    var text: String {
        switch self {
        case .file(let path), .replayed(let path): path
        case .server(let place): place.description
        }
    }
}
