import JSON

/// The state that a world begins with, as its process is told of it.
struct WorldState: Sendable {
    /// A copy of the database, which may be that of other worlds too: nobody changes it.
    let database: String
    /// The folder with names for its files; nil: it has none.
    let files: String?
    /// How far the clock was moved.
    let movedMilliseconds: Int64
    /// How long the database is.
    let bytes: Int64
    /// The number of the copy's file: the same for all worlds that share it.
    let copy: UInt64

    init(database: String, files: String?, movedMilliseconds: Int64, bytes: Int64, copy: UInt64 = 0) {
        self.database = database
        self.files = files
        self.movedMilliseconds = movedMilliseconds
        self.bytes = bytes
        self.copy = copy
    }

    /// Where it lies in the folder of a world.
    static func database(in folder: String) -> String { "\(folder)/state.sqlite" }
    static func files(in folder: String) -> String { "\(folder)/state.files" }

    /// Nil where it is none.
    init?(_ json: JSONValue?) {
        guard let database = json?["database"]?.string, let moved = json?["movedMilliseconds"]?.integer else {
            return nil
        }
        self.init(database: database, files: json?["files"]?.string, movedMilliseconds: moved, bytes: 0)
    }

    var json: JSONValue {
        [
            "database": .string(database), "files": files.map { .string($0) } ?? .null,
            "movedMilliseconds": .integer(movedMilliseconds),
        ]
    }
}
