import Store

/// The node that a run belongs to, where several servers have one folder: a lock of the file system need not reach from one machine to another.
///
///     a node's first file ── run and its owner, one transaction ── files of that run ── records, while it owns the run
///     another node's start ── the owner lives no more: no owner ── its files without a record are removed
///
/// A node that was taken for gone and goes on after all owns its run no more. It makes no record of that run, and begins another one.
enum RunOwner {
    static let creation = RoomStatement(
        "CREATE TABLE _homeport_file_owners (run INTEGER PRIMARY KEY NOT NULL, node INTEGER NOT NULL) STRICT")
    static let insertion = RoomStatement("INSERT INTO _homeport_file_owners (run, node) VALUES (?, ?)")
    static let selection = RoomStatement("SELECT node FROM _homeport_file_owners WHERE run = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_file_owners WHERE run = ?")
}

extension RoomReading {
    /// The node that owns a run; nil: none does, or the run is of a server that was alone.
    func owner(ofRun run: Int64) throws(FileError) -> Int64? {
        var owner: Int64?
        try rows(RunOwner.selection, [.integer(run)]) { row throws(FileError) in
            owner = row.integer(0)
            return false
        }
        return owner
    }
}
