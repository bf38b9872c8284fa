import Glibc
import Network
import Store
import Threads

/// The files of the records of one moment, held by a second name each, so that somebody can copy them while the server goes on to
/// replace and remove objects.
///
///     records of now ──linked──▶ copies/NUMBER/RUN/FOLDER/FILE       most of them, before the moment
///     the moment
///     records of the moment ──linked──▶ copies/NUMBER/…              the few that came since
///
/// A file never changes, and none goes before its record: a file that is missing was removed since its record was read, and a later
/// moment has neither.
package final class FileSnapshot {
    /// Where the second names lie.
    private let place: String
    /// The folder of the names that all snapshots hold.
    private let copies: String
    private let objects: String
    /// Held as long as somebody copies: it says that the names are needed.
    private var lock: Int32?
    private var files: [FileNumber] = []

    /// A file, with where it can be read.
    package struct Entry: Sendable {
        /// Below the folder of the store: `objects/RUN/FOLDER/FILE`.
        package let name: String
        package let path: String
    }

    /// The folder of the objects, below that of the store. Archives have the same name for it.
    package static let objectsName = "objects"
    private static let copiesName = "copies"
    private static let filesStatement = RoomStatement(
        "SELECT file FROM _homeport_files UNION ALL SELECT file FROM _homeport_file_parts", isOpen: true)

    /// - Parameter folder: where the files lie. Nothing is made there as long as no record speaks of a file.
    package init(of folder: String) {
        objects = "\(folder)/\(Self.objectsName)"
        copies = "\(folder)/\(Self.copiesName)"
        Self.sweep(copies)
        let moment = SystemClock.machine
        place = "\(copies)/\(getpid())-\(moment.seconds)-\(moment.nanoseconds)"
    }

    deinit { end() }

    /// The number of files that the last `hold` found.
    package var count: Int { files.count }

    /// Holds the files of the records that a reader sees. False where one of them is gone: the records are too old.
    package func hold(_ reader: Reader) throws(FileError) -> Bool {
        files.removeAll()
        do throws(StoreError) {
            guard try reader.has(FileTables.all) else { return true }
        } catch {
            throw FileError(error)
        }
        var isWhole = true
        var made: (run: Int64, folder: Int64)?
        try reader.rows(Self.filesStatement, []) { row throws(FileError) in
            let file = FileNumber(row.integer(0))
            files.append(file)
            if made?.run != file.run || made?.folder != file.folder {
                try makeFolders(of: file)
                made = (file.run, file.folder)
            }
            if link("\(objects)/\(file.path)", "\(place)/\(file.path)") == 0 || errno == EEXIST { return true }
            guard errno == ENOENT else { throw FileFolder.failure("link", "\(place)/\(file.path)") }
            isWhole = false
            return false
        }
        return isWhole
    }

    /// Hands over each file that the last `hold` found.
    package func forEach<Failure: Error>(_ body: (Entry) throws(Failure) -> Void) throws(Failure) {
        for file in files {
            try body(Entry(name: "\(Self.objectsName)/\(file.path)", path: "\(place)/\(file.path)"))
        }
    }

    /// Lets the files go.
    package func end() {
        files.removeAll()
        guard let lock else { return }
        FolderContent.remove(place)
        Glibc.close(lock)
        self.lock = nil
    }

    private func makeFolders(of file: FileNumber) throws(FileError) {
        let run = "\(place)/\(FileNumber.name(file.run))"
        if lock == nil {
            try Self.make(copies)
            try Self.make(place)
            lock = try FileFolder.locked(place, waits: true)
        }
        try Self.make(run)
        try Self.make("\(run)/\(FileNumber.name(file.folder))")
    }

    private static func make(_ folder: String) throws(FileError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileFolder.failure("mkdir", folder) }
    }

    /// Removes the names that ended processes have left.
    private static func sweep(_ copies: String) {
        for name in FolderContent.names(in: copies) {
            guard let lock = (try? FileFolder.locked("\(copies)/\(name)", waits: false)) ?? nil else { continue }
            FolderContent.remove("\(copies)/\(name)")
            Glibc.close(lock)
        }
    }

    // MARK: Names in an archive

    /// True for the name of an object's file below the folder of the store. A restore accepts no other name.
    package static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].elementsEqual(objectsName.utf8),
            let number = Int64(Substring(parts[3]), radix: 16)
        else { return false }
        return "\(objectsName)/\(FileNumber(number).path)".utf8.elementsEqual(name.utf8)
    }
}
