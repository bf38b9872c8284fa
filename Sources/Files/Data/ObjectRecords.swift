import Store

/// Objects in the database.
extension RoomReading {
    func object(_ bucket: String, _ key: String) throws(FileError) -> StoredObject? {
        var found: StoredObject?
        try rows(ObjectRow.selection, [.text(bucket), .text(key)]) { row throws(FileError) in
            found = ObjectRow.object(row)
            return false
        }
        return found
    }

    /// Returns whether any object of a bucket is there.
    func hasObjects(_ bucket: String) throws(FileError) -> Bool {
        var hasOne = false
        try rows(ObjectRow.any, [.text(bucket)]) { _ throws(FileError) in
            hasOne = true
            return false
        }
        return hasOne
    }

    /// Returns whether a bucket was made by a call.
    func hasMadeBucket(_ name: String) throws(FileError) -> Bool {
        var hasOne = false
        try rows(ObjectRow.bucket, [.text(name)]) { _ throws(FileError) in
            hasOne = true
            return false
        }
        return hasOne
    }

    /// The buckets that were made by a call, with when.
    func madeBuckets() throws(FileError) -> [(name: String, created: Int64)] {
        var buckets: [(name: String, created: Int64)] = []
        try rows(ObjectRow.buckets, []) { row throws(FileError) in
            buckets.append((row.text(0), row.integer(1)))
            return true
        }
        return buckets
    }

    /// Returns whether an object or a part has this file.
    func speaks(of file: FileNumber) throws(FileError) -> Bool {
        var speaks = false
        try rows(ObjectRow.byFile, [.integer(file.raw), .integer(file.raw)]) { _ throws(FileError) in
            speaks = true
            return false
        }
        return speaks
    }

    /// Files that no record speaks of any more.
    func leftovers(max: Int) throws(FileError) -> [FileNumber] {
        var files: [FileNumber] = []
        try rows(ObjectRow.leftovers, []) { row throws(FileError) in
            files.append(FileNumber(row.integer(0)))
            return files.count < max
        }
        return files
    }

    /// The runs that did not end in order, this one included.
    func openRuns() throws(FileError) -> [Int64] {
        var runs: [Int64] = []
        try rows(ObjectRow.runs, []) { row throws(FileError) in
            runs.append(row.integer(0))
            return true
        }
        return runs
    }
}

enum ObjectRow {
    static let selection = RoomStatement(
        """
        SELECT file, size, tag, modified, content, checksum, sum FROM _homeport_files WHERE bucket = ? AND key = ?
        """)
    static let any = RoomStatement("SELECT 1 FROM _homeport_files WHERE bucket = ? LIMIT 1")
    static let totals = RoomStatement("SELECT count(*), coalesce(sum(size), 0) FROM _homeport_files")
    static let buckets = RoomStatement("SELECT name, created FROM _homeport_file_buckets ORDER BY name")
    static let bucket = RoomStatement("SELECT 1 FROM _homeport_file_buckets WHERE name = ?")
    static let bucketInsertion = RoomStatement(
        "INSERT INTO _homeport_file_buckets (name, created) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
    static let bucketDeletion = RoomStatement("DELETE FROM _homeport_file_buckets WHERE name = ?")
    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_files (bucket, key, file, size, tag, modified, content, checksum, sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (bucket, key) DO UPDATE SET file = excluded.file, size = excluded.size, tag = excluded.tag,
            modified = excluded.modified, content = excluded.content, checksum = excluded.checksum, sum = excluded.sum
        """)
    static let contentUpdate = RoomStatement("UPDATE _homeport_files SET content = ? WHERE bucket = ? AND key = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_files WHERE bucket = ? AND key = ?")
    static let byFile = RoomStatement(
        """
        SELECT 1 FROM _homeport_files WHERE file = ? UNION ALL SELECT 1 FROM _homeport_file_parts WHERE file = ?
        """)
    static let leftovers = RoomStatement("SELECT file FROM _homeport_file_leftovers")
    static let leftoverInsertion = RoomStatement(
        "INSERT INTO _homeport_file_leftovers (file) VALUES (?) ON CONFLICT (file) DO NOTHING")
    static let leftoverDeletion = RoomStatement("DELETE FROM _homeport_file_leftovers WHERE file = ?")
    static let runs = RoomStatement("SELECT run FROM _homeport_file_runs ORDER BY run")
    /// With a number that none has had, in this database or by its folder.
    static let runInsertion = RoomStatement(
        """
        INSERT INTO _homeport_file_runs (run, began) SELECT
            1 + max(?, coalesce((SELECT seq FROM sqlite_sequence WHERE name = '_homeport_file_runs'), 0)), ?
        """,
        server: """
            INSERT INTO _homeport_file_runs (run, began) SELECT setval(
                pg_get_serial_sequence('_homeport_file_runs', 'run'),
                greatest(1 + ?, nextval(pg_get_serial_sequence('_homeport_file_runs', 'run')))), ?
            """)
    static let runRenewal = RoomStatement(
        "INSERT INTO _homeport_file_runs (run, began) VALUES (?, ?) ON CONFLICT (run) DO NOTHING")
    static let runDeletion = RoomStatement("DELETE FROM _homeport_file_runs WHERE run = ?")

    static func object(_ row: borrowing Row) -> StoredObject {
        StoredObject(
            file: FileNumber(row.integer(0)), size: row.integer(1), tag: row.text(2), modified: row.integer(3),
            content: row.withText(4) { ObjectContent(stored: Array($0)) },
            checksum: row.isNull(5) ? nil : StoredChecksum(stored: row.text(5)), sum: UInt64(bitPattern: row.integer(6))
        )
    }
}
