import JSON

/// Copies of the whole database, to go back to: for whoever tests what is served.
extension Store {
    /// Writes what is there at this moment into a file, in the place of what was there.
    ///
    /// - Parameter beside: copies what lies beside the database. Called on the writer's thread: nothing changes meanwhile.
    package func copy(
        to path: String, beside: @escaping @Sendable () throws(StoreError) -> Void = {}
    ) async throws(StoreError) {
        try await writer.alone(turn: .all) { session throws(StoreError) in
            try DatabaseCopy.write(path, of: session.connection)
            try beside()
        }
    }

    /// The same, unless nothing has changed since a moment.
    ///
    /// - Returns: the moment of the copy, and whether it was written.
    package func copy(
        to path: String, unlessUnchangedSince known: DataMoment?,
        beside: @escaping @Sendable () throws(StoreError) -> Void
    ) async throws(StoreError) -> (moment: DataMoment, isWritten: Bool) {
        try await writer.alone(turn: .all) { [writer] session throws(StoreError) in
            let moment = try DataMoment(of: session, restoreCount: writer.restoreCount)
            if moment != known { try DatabaseCopy.write(path, of: session.connection) }
            try beside()
            return (moment, moment != known)
        }
    }

    /// Returns whether databases of other processes can lie over a copy.
    package static func isShareable(_ path: String) -> Bool { DatabaseCopy.isShareable(path) }

    /// Takes everything out of a copy but the tables, and out of what rooms count on.
    package func empty(_ path: String, _ rooms: [any CopiedRoom]) async throws(StoreError) {
        try await writer.alone(turn: .all) { [layout] session throws(StoreError) in
            let copy = try DatabaseCopy.open(path, layout)
            try Self.demand(layout: session, of: copy.session)
            try copy.change { emptied throws(StoreError) in
                try copy.empty()
                for room in rooms + [TableStreamRoom()] { try room.complete(emptied, isEmptied: true, over: session) }
            }
            // A copy of much data would else be as long as it was.
            try copy.session.connection.execute("VACUUM")
        }
    }

    /// Has the database become what a copy is, in one transaction: who reads sees what was before, or the copy; so does who opens the
    /// file after a crash.
    ///
    /// - Parameters:
    ///   - rooms: those that count on tables of theirs.
    ///   - before: puts what lies beside the database back. On the writer's thread, as is what comes behind.
    ///   - behind: takes away what belongs to nobody any more.
    package func restore(
        _ path: String, _ rooms: [any CopiedRoom],
        before: @escaping @Sendable (_ live: WriteSession, _ copy: WriteSession) throws(StoreError) -> Void = { _, _ in
        },
        behind: @escaping @Sendable () -> Void = {}
    ) async throws(StoreError) {
        try await writer.alone(turn: .all) { [layout, changeClock, writer] session throws(StoreError) in
            try session.changeTables(of: layout) { () throws(StoreError) in
                let copy = try DatabaseCopy.open(over: path, layout)
                try Self.demand(layout: session, of: copy.session)
                try copy.change { completed throws(StoreError) in
                    for room in rooms + [TableStreamRoom()] {
                        try room.complete(completed, isEmptied: false, over: session)
                    }
                    try copy.takeOver(from: session, stamp: changeClock.stamp())
                }
                try before(session, copy.session)
                try session.noting { () throws(StoreError) in
                    if try !copy.replace(session.connection) { try copy.carry(to: session.connection) }
                }
                try Self.noteRestored(session, writer)
                return ((), layout)
            }
            behind()
        }
    }

    /// Has a database that no room has a table in begin as a copy, over which it lies from then on: what `restore` does, for less, since
    /// the copy is not opened for itself. An error leaves a database of no use.
    ///
    /// - Parameters:
    ///   - path: an absolute one.
    ///   - behind: puts what lies beside the database back. On the writer's thread.
    /// - Returns: false where it has to be restored, since rooms have tables, or the database cannot lie over the copy. Nothing has changed then.
    package func begin(
        as path: String, behind: @escaping @Sendable () throws(StoreError) -> Void
    ) async throws(StoreError) -> Bool {
        try await writer.alone(turn: .all) { [layout, changeClock, writer] session throws(StoreError) in
            guard session.rooms.isEmpty, path.utf8.first == UInt8(ascii: "/") else { return false }
            return try session.changeTables(of: layout) { () throws(StoreError) in
                let former = try SettingsTable.value(.layout, in: session.connection)
                let key = try SettingsTable.value(.cursorKey, in: session.connection)
                let file = try session.connection.file()
                guard try session.noting({ () throws(StoreError) in try LayeredFile.replace(file, over: path) }) else {
                    return (false, layout)
                }
                guard try SettingsTable.value(.layout, in: session.connection) == former else { throw Self.otherTables }
                try session.noting { () throws(StoreError) in
                    try session.connection.inTransaction { connection throws(StoreError) in
                        try DatabaseCopy.begin(connection, key: key, stamp: changeClock.stamp())
                    }
                }
                try Self.noteRestored(session, writer)
                try behind()
                return (true, layout)
            }
        }
    }

    /// Goes on with what a copy has: the rooms that have tables in it are known.
    private static func noteRestored(_ session: WriteSession, _ writer: Writer) throws(StoreError) {
        for room in try SettingsTable.names(behind: RoomTables.settingPrefix, in: session.connection) {
            session.rooms.add(ByteText(room))
        }
        session.noteMarkedOpen()
        writer.noteRestore()
    }

    private static let otherTables = StoreError(
        .migrationRefused, "the schema has changed since the copy was made, and its tables are others")

    /// What a copy was made of must have had the tables that are there now.
    private static func demand(layout live: WriteSession, of copy: WriteSession) throws(StoreError) {
        let now = try SettingsTable.value(.layout, in: live.connection)
        guard try SettingsTable.value(.layout, in: copy.connection) == now else { throw otherTables }
    }
}
