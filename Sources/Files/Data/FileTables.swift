import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970.
enum FileTables {
    static let all = RoomTables(of: "files", turn: .files, versions: [version1 + FileEventRows.creation])

    /// A table that came later: of objects from before it nobody knows where their parts lie.
    static let joins = RoomTables(of: "joined files", turn: .files, versions: [[JoinRow.creation]])

    /// The events' functions came later as well: events that are there already are those of one function.
    static let eventFunctions = RoomTables(
        of: "functions of file events", turn: .files, versions: [FileEventRows.functions])

    /// The tags of buckets came after these.
    static let bucketTags = RoomTables(of: "tags of file buckets", turn: .files, versions: [[BucketTags.creation]])

    /// The nodes whose runs they are, where several servers have one folder. A server alone has no such table.
    static let owners = RoomTables(of: "owners of file runs", turn: .files, versions: [[RunOwner.creation]])

    /// All of these but that of the owners, in the order in which they are made.
    static let whole = [all, joins, eventFunctions, bucketTags]

    private static let version1 = [
        // Those that were made by a call; the configuration's are in no table.
        RoomStatement(
            """
            CREATE TABLE _homeport_file_buckets (name TEXT PRIMARY KEY NOT NULL, created INTEGER NOT NULL)
            STRICT, WITHOUT ROWID
            """),
        // In the order of their keys' bytes, so that a page of a list is one stretch of it. `file` is the name on the disk.
        RoomStatement(
            """
            CREATE TABLE _homeport_files (
                bucket TEXT NOT NULL, key TEXT NOT NULL, file INTEGER NOT NULL, size INTEGER NOT NULL, tag TEXT NOT NULL,
                modified INTEGER NOT NULL, content TEXT NOT NULL, checksum TEXT, sum INTEGER NOT NULL,
                PRIMARY KEY (bucket, key)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE UNIQUE INDEX _homeport_files_file ON _homeport_files (file)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_file_uploads (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bucket TEXT NOT NULL, key TEXT NOT NULL,
                owner TEXT NOT NULL, started INTEGER NOT NULL, content TEXT NOT NULL, checksum TEXT
            ) STRICT
            """),
        RoomStatement("CREATE INDEX _homeport_file_uploads_key ON _homeport_file_uploads (bucket, key)"),
        RoomStatement("CREATE INDEX _homeport_file_uploads_started ON _homeport_file_uploads (started)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_file_parts (
                upload INTEGER NOT NULL, part INTEGER NOT NULL, file INTEGER NOT NULL, size INTEGER NOT NULL,
                tag TEXT NOT NULL, modified INTEGER NOT NULL, checksum TEXT, sum INTEGER NOT NULL,
                PRIMARY KEY (upload, part)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE UNIQUE INDEX _homeport_file_parts_file ON _homeport_file_parts (file)"),
        // Completed uploads, for whoever asks again because the answer was lost.
        RoomStatement(
            """
            CREATE TABLE _homeport_file_completions (
                id TEXT PRIMARY KEY NOT NULL, bucket TEXT NOT NULL, key TEXT NOT NULL, owner TEXT NOT NULL,
                completed INTEGER NOT NULL, list TEXT NOT NULL, answer TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        // Files that no record speaks of any more and that are still on the disk.
        RoomStatement("CREATE TABLE _homeport_file_leftovers (file INTEGER PRIMARY KEY) STRICT"),
        // The runs of the server that made files and did not end in order: what they left has to be looked for.
        RoomStatement(
            "CREATE TABLE _homeport_file_runs (run INTEGER PRIMARY KEY AUTOINCREMENT, began INTEGER NOT NULL) STRICT"),
    ]
}

extension RoomTables {
    /// The tables of files, in the order in which they lead on to each other.
    package static var ofFiles: [RoomTables] {
        [FileTables.all, FileTables.joins, FileTables.eventFunctions, FileTables.bucketTags, FileTables.owners]
    }
}
