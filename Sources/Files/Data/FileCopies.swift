import Glibc
import Network
import Store

/// Files where the database goes back to a copy of what it was. Objects never change, so a copy of them is one more name for each.
///
///     objects/RUN/FOLDER/NUMBER ──linked──▶ COPY/RUN/FOLDER/NUMBER      with the copy of the database, between two commits
///     COPY/RUN/FOLDER/NUMBER ──linked──▶ objects/RUN/FOLDER/NUMBER      before the database is the copy's again
///                                        objects/…                      those of which nobody speaks any more go behind it
extension FileService: CopiedRoom {
    private static let files = RoomStatement(
        "SELECT file FROM _homeport_files UNION SELECT file FROM _homeport_file_parts")
    private static let runs = RoomStatement("SELECT run, began FROM _homeport_file_runs")
    private static let runsRemoval = RoomStatement("DELETE FROM _homeport_file_runs")

    /// Where the files lie.
    package var path: String { folder.path }

    /// The copy gets the tables that were made since, and the runs of servers that are not over: their folders are looked through
    /// after a crash.
    package func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError) {
        for tables in FileTables.whole where try live.has(tables) { try copy.bring(tables) }
        guard try live.has(FileTables.all) else { return }
        var runs: [(run: Int64, began: Int64)] = []
        try live.rows(Self.runs, []) { row throws(StoreError) in
            runs.append((row.integer(0), row.integer(1)))
            return true
        }
        try copy.change(Self.runsRemoval)
        for run in runs { try copy.change(ObjectRow.runRenewal, [.integer(run.run), .integer(run.began)]) }
    }

    /// Gives every file of the objects a second name below a folder. On the writer's thread: no record comes or goes meanwhile, and no
    /// file that one speaks of.
    package func link(to copy: String) throws(StoreError) {
        try Self.link(from: "\(folder.path)/objects", to: copy, isSynced: false)
    }

    /// Gives the files of a copy their names among the objects again. On the writer's thread.
    package func linkBack(from copy: String) throws(StoreError) {
        guard access(copy, F_OK) == 0, !FolderContent.names(in: copy).isEmpty else { return }
        do throws(FileError) { try folder.makeObjects() } catch { throw Self.failure(error) }
        try Self.link(from: copy, to: "\(folder.path)/objects", isSynced: true)
    }

    /// The files of which the database speaks and a copy does not: they are nobody's once it is the copy's.
    package func filesGone(_ live: WriteSession, _ copy: WriteSession) throws(StoreError) -> FilesGone {
        FilesGone(files: Array(try Self.files(of: live).subtracting(Self.files(of: copy))))
    }

    /// Takes away what belongs to nobody any more, and reads which buckets there are. Nobody waits for it.
    package func beginAnew(without gone: FilesGone) {
        let (folder, store) = (folder, store)
        readBuckets { () throws(StoreError) -> Reader? in
            guard store.knows(FileTables.all) else { return nil }
            let reader = try store.reader()
            return try reader.has(FileTables.all) ? reader : nil
        }
        if !gone.files.isEmpty { folder.begin { folder.remove(gone.files) } }
        tellOfEvents()
    }

    private static func files(of session: WriteSession) throws(StoreError) -> Set<FileNumber> {
        var files: Set<FileNumber> = []
        guard try session.has(FileTables.all) else { return files }
        try session.rows(Self.files, []) { row throws(StoreError) in
            files.insert(FileNumber(row.integer(0)))
            return true
        }
        return files
    }

    /// Links each file of the folders RUN/FOLDER below another that has none of its name.
    private static func link(from source: String, to target: String, isSynced: Bool) throws(StoreError) {
        try make(target)
        for run in FolderContent.names(in: source) {
            try make("\(target)/\(run)")
            for part in FolderContent.names(in: "\(source)/\(run)") {
                let folder = "\(target)/\(run)/\(part)"
                try make(folder)
                var isChanged = false
                for name in FolderContent.names(in: "\(source)/\(run)/\(part)") {
                    if Glibc.link("\(source)/\(run)/\(part)/\(name)", "\(folder)/\(name)") == 0 {
                        isChanged = true
                    } else if errno != EEXIST, errno != ENOENT {
                        throw failure(FileFolder.failure("link", "\(folder)/\(name)"))
                    }
                }
                guard isSynced, isChanged else { continue }
                do throws(SystemError) { try FolderSync(of: folder).run() } catch { throw failure(FileError(error)) }
            }
        }
    }

    private static func make(_ folder: String) throws(StoreError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(FileFolder.failure("mkdir", folder)) }
    }

    private static func failure(_ error: FileError) -> StoreError {
        StoreError(.cannotOpen, "files cannot be copied: \(error.reason ?? error.message)")
    }
}

/// Files that no record speaks of any more.
package struct FilesGone: Sendable {
    let files: [FileNumber]

    package static let none = FilesGone(files: [])
}
