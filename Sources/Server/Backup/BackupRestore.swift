import CSystem
import Crypto
import Files
import Glibc
import JSON
import Network
import Store

/// Makes a backend of an archive, in a folder that has none, or in the place of the one that it has.
///
///     archive ─▶ FOLDER/restoring/…, each sum compared ─▶ synced ─▶ what was there goes, what has come gets its name
///
/// Until all of it is there and right nothing of the folder is touched. A restore that ends within the last step leaves a mark, and no
/// server starts over half of it.
struct BackupRestore {
    let archive: String
    /// The folder for everything that a server keeps.
    let data: String
    /// The database file, in the folder or elsewhere.
    let database: String
    let replaces: Bool

    struct Outcome: Sendable, Equatable {
        let manifest: BackupArchive.Manifest
        let files: Int
    }

    private static let stagingName = "restoring"
    /// The file in the staging folder that says that the last step has begun.
    private static let markName = "begun"
    private static let folderMode: mode_t = 0o700
    /// The names in a folder that still counts as empty.
    private static let ignoredNames: Set<ByteText> = [".gitignore", "lost+found", ByteText(stagingName)]

    private static let shownBytesMax = 200

    private var staging: String { "\(data)/\(Self.stagingName)" }
    private var stagedDatabase: String { "\(database).restoring" }
    private var files: String { "\(data)/\(BackupArchive.filesName)" }

    /// Why no server may start over a folder: a restore has begun to put things in their places and did not end. Nil: nothing is wrong.
    static func obstacle(in data: String) -> String? {
        guard access("\(data)/\(stagingName)/\(markName)", F_OK) == 0 else { return nil }
        return "a restore into \(data) was interrupted: repeat it, with --replace"
    }

    /// Restores the archive. It calls `progress` with the bytes that it has read so far, and those of the whole archive.
    func run(progress: (_ bytes: Int64, _ bytesMax: Int64) -> Void = { _, _ in }) throws(BackupFailure) -> Outcome {
        do throws(SystemError) {
            try DataFolder.make(data)
            try DataFolder.make(for: database)
        } catch {
            throw BackupFailure("cannot make the folder", error.subject, error.code)
        }
        let lock = try locked()
        defer { close(lock) }
        try demandRoom()
        let isInterrupted = Self.obstacle(in: data) != nil
        if !isInterrupted { clearStaging() }
        do throws(BackupFailure) {
            let mark = "\(staging)/\(Self.markName)"
            if isInterrupted { clearStaging(but: mark) }
            let outcome = try unpack(progress)
            do throws(StoreError) { try DatabaseSnapshot.beginAnew(stagedDatabase) } catch {
                throw BackupFailure(error)
            }
            try syncAll()
            try putInPlace(mark)
            return outcome
        } catch {
            if Self.obstacle(in: data) == nil { clearStaging() }
            throw error
        }
    }

    // MARK: Before

    /// Takes a lock, so that no other restore changes the folder meanwhile.
    private func locked() throws(BackupFailure) -> Int32 {
        let raw = open(data, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw BackupFailure("open", data) }
        guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
            close(raw)
            throw BackupFailure(.systemRefused, "another process changes \(data) at this moment")
        }
        return raw
    }

    private func demandRoom() throws(BackupFailure) {
        if let process = DatabaseHolder.process(of: database) {
            throw BackupFailure(
                .systemRefused,
                "the process \(process) has \(database) open. Stop the server before you restore over its data")
        }
        guard !replaces else { return }
        let found = FolderContent.names(in: data).filter { !Self.ignoredNames.contains(ByteText($0)) }.sorted().first
        guard let found = found ?? (access(database, F_OK) == 0 ? database : nil) else { return }
        throw BackupFailure(
            .failure,
            "\(data) is not empty: it has \(found). Choose another folder with --data, or put the backup in the place of "
                + "what is there with --replace")
    }

    private func clearStaging(but mark: String? = nil) {
        if let mark {
            for name in FolderContent.names(in: staging) where !"\(staging)/\(name)".utf8.elementsEqual(mark.utf8) {
                if unlink("\(staging)/\(name)") != 0 { FolderContent.remove("\(staging)/\(name)") }
            }
        } else {
            FolderContent.remove(staging)
        }
        for end in ["", "-wal", "-shm"] { unlink(stagedDatabase + end) }
    }

    // MARK: The archive

    private func unpack(_ progress: (_ bytes: Int64, _ bytesMax: Int64) -> Void) throws(BackupFailure) -> Outcome {
        try make(staging)
        var status = stat()
        let size = stat(archive, &status) == 0 ? Int64(status.st_size) : 0
        var read: Int64 = 0
        var reader = try TarReader(archive)
        var manifest: BackupArchive.Manifest?
        var hasDatabase = false
        var count = 0
        let foundPath = "\(staging)/sums-found"
        let list = try SumList(foundPath)
        while let header = try reader.next() {
            // As tar names what it was given by its folder.
            let name =
                header.name.utf8.starts(with: "./".utf8)
                ? String(decoding: header.name.utf8.dropFirst(2), as: UTF8.self) : header.name
            switch ByteText(name) {
            case ByteText(BackupArchive.manifestName) where manifest == nil:
                guard header.size <= BackupArchive.manifestBytesMax else { throw unknown(name) }
                var bytes: [UInt8] = []
                while try reader.read({ bytes += $0 }) {}
                manifest = try readable(bytes)
                var sum = RunningSHA256()
                sum.add(bytes)
                try list.add(sum.end(), name)
            case ByteText(BackupArchive.databaseName) where manifest != nil && !hasDatabase:
                try list.add(try write(&reader, to: stagedDatabase, size, &read, progress), name)
                hasDatabase = true
            case ByteText(BackupArchive.sumsName) where hasDatabase:
                try list.flush()
                let given = "\(staging)/sums-given"
                _ = try write(&reader, to: given, size, &read, progress)
                try compare(given, foundPath)
                guard try reader.next() == nil else { throw unknown("something behind \(name)") }
                guard let manifest, manifest.files == Int64(count) else {
                    throw BackupFailure.damaged("\(archive) has \(count) files, and says that it has others")
                }
                return Outcome(manifest: manifest, files: count)
            default:
                let beginning = "\(BackupArchive.filesName)/"
                guard hasDatabase, name.utf8.starts(with: beginning.utf8),
                    FileSnapshot.isName(
                        String(decoding: name.utf8.dropFirst(beginning.utf8.count), as: UTF8.self))
                else { throw unknown(name) }
                try list.add(try write(&reader, to: try place(of: name), size, &read, progress), name)
                count += 1
            }
        }
        throw BackupFailure.damaged(
            "\(archive) has no \(BackupArchive.sumsName): it is not whole, or no backup of Homeport")
    }

    private func unknown(_ name: String) -> BackupFailure {
        // Without what could steer a terminal.
        let shown = JSONWriter.text(of: .string(String(decoding: name.utf8.prefix(Self.shownBytesMax), as: UTF8.self)))
        return BackupFailure.damaged("\(archive) is no backup of Homeport, or not in its order: it has \(shown)")
    }

    private func readable(_ bytes: [UInt8]) throws(BackupFailure) -> BackupArchive.Manifest {
        guard let manifest = BackupArchive.Manifest(bytes) else { throw unknown(BackupArchive.manifestName) }
        guard manifest.form <= BackupArchive.Manifest.currentForm else {
            throw BackupFailure(
                .unreadableInput,
                "\(archive) was made by Homeport \(manifest.version), a later version than this one (\(Version.number)), "
                    + "which cannot read it")
        }
        return manifest
    }

    /// Where a file of the archive comes to lie, with its folders.
    private func place(of name: String) throws(BackupFailure) -> String {
        var folder = staging
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            try make(folder)
        }
        return "\(staging)/\(name)"
    }

    private func make(_ folder: String) throws(BackupFailure) {
        guard mkdir(folder, Self.folderMode) == 0 || errno == EEXIST else { throw BackupFailure("mkdir", folder) }
    }

    /// Writes an entry to a new file, and answers with its sum.
    private func write(
        _ reader: inout TarReader, to path: String, _ all: Int64, _ done: inout Int64,
        _ progress: (_ bytes: Int64, _ bytesMax: Int64) -> Void
    ) throws(BackupFailure) -> [UInt8] {
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { throw BackupFailure("cannot write", path) }
        let descriptor = FileDescriptor(owning: raw)
        var sum = RunningSHA256()
        var written: Int64 = 0
        while try reader.read({ bytes throws(BackupFailure) in
            sum.add(bytes)
            var rest = bytes
            while !rest.isEmpty {
                let count = Glibc.write(raw, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw BackupFailure("cannot write", path) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            written += Int64(bytes.count)
            progress(done + written, all)
        }) {}
        done += written
        homeport_begin_writing_out(descriptor.raw, 0, written)
        return sum.end()
    }

    /// Compares the sums of what was read with those that the archive has.
    private func compare(_ given: String, _ found: String) throws(BackupFailure) {
        var expected = try LineSource(given)
        var seen = try LineSource(found)
        while true {
            let (wanted, line) = (try expected.next(), try seen.next())
            guard let wanted, let line else {
                guard wanted == nil, line == nil else {
                    throw BackupFailure.damaged("\(archive) is damaged: it has not the entries that it lists")
                }
                return
            }
            guard wanted == line else {
                let name = String(decoding: line.dropFirst(2 * RunningSHA256.byteCount + 2), as: UTF8.self)
                throw BackupFailure.damaged(
                    "\(archive) is damaged: the sum of \(name) is another one than it should be")
            }
        }
    }

    // MARK: The end

    /// Brings everything to the disk.
    private func syncAll() throws(BackupFailure) {
        try Self.sync(stagedDatabase)
        try Self.sync(below: staging)
    }

    private static func sync(_ path: String) throws(BackupFailure) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw BackupFailure("open", path) }
        let descriptor = FileDescriptor(owning: raw)
        guard fsync(descriptor.raw) == 0 else { throw BackupFailure("fsync", path) }
    }

    private static func sync(below folder: String) throws(BackupFailure) {
        for name in FolderContent.names(in: folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { throw BackupFailure("stat", path) }
            if status.st_mode & S_IFMT == S_IFDIR { try sync(below: path) } else { try sync(path) }
        }
        try sync(folder)
    }

    private func putInPlace(_ mark: String) throws(BackupFailure) {
        do throws(SystemError) { try SmallFile.replace(mark, with: [], mode: 0o600) } catch {
            throw BackupFailure(error)
        }
        try BackupMaker.syncFolder(of: staging)
        let old = "\(staging)/old-files"
        if access(files, F_OK) == 0, rename(files, old) != 0 { throw BackupFailure("cannot move", files) }
        let staged = "\(staging)/\(BackupArchive.filesName)"
        if access(staged, F_OK) == 0, rename(staged, files) != 0 { throw BackupFailure("cannot move", staged) }
        KeptFiles.remove(from: data)
        for end in ["-wal", "-shm", ""] where unlink(database + end) != 0 && errno != ENOENT {
            throw BackupFailure("cannot remove", database + end)
        }
        guard rename(stagedDatabase, database) == 0 else { throw BackupFailure("cannot move", stagedDatabase) }
        try BackupMaker.syncFolder(of: database)
        try Self.sync(data)
        FolderContent.remove(staging)
        // Where the data comes from is known to every command from now on.
        do throws(PoolFile.Failure) { try KeptFiles.bringBack(to: data, from: .file(database)) } catch {
            throw BackupFailure(.unwritableOutput, error.message)
        }
    }
}

/// The lines of a file, one after the other.
private struct LineSource: ~Copyable {
    private let descriptor: FileDescriptor
    private let path: String
    private var piece: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var isAtEnd = false

    private static let pieceBytes = 16 << 10
    private static let lineBytesMax = 64 << 10

    init(_ path: String) throws(BackupFailure) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw BackupFailure("open", path) }
        descriptor = FileDescriptor(owning: raw)
        self.path = path
    }

    mutating func next() throws(BackupFailure) -> [UInt8]? {
        while true {
            if let end = piece[start...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(piece[start..<end])
            }
            piece.removeSubrange(..<start)
            start = 0
            guard !isAtEnd, piece.count <= Self.lineBytesMax else {
                guard !piece.isEmpty else { return nil }
                defer { piece.removeAll() }
                return piece
            }
            var bytes = [UInt8](repeating: 0, count: Self.pieceBytes)
            let count = read(descriptor.raw, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupFailure("read", path) }
            if count == 0 { isAtEnd = true }
            piece += bytes[..<count]
        }
    }
}
