import CSystem
import Files
import Glibc
import JSON
import Network
import Store

/// Makes an archive of a backend as it is at one moment, beside a running server or without one.
///
///     files linked ─▶ moment of the database ─▶ files that came since linked ─▶ database copied ─▶ archive written, synced, renamed
///
/// Nothing is kept in memory but a piece of a file and the numbers of the files.
struct BackupMaker {
    /// The database file.
    let database: String
    /// Where the files lie.
    let files: String
    /// The notes in the copy of the database about its folder.
    let notes: @Sendable (KeptNotes) -> KeptNotes
    /// True if the archive is still wanted.
    var isWanted: @Sendable () -> Bool = { true }

    struct Progress: Sendable {
        var bytes: Int64 = 0
        /// Nil until the files are counted.
        var bytesMax: Int64?
    }

    struct Outcome: Sendable, Equatable {
        /// Milliseconds since 1970.
        let moment: Int64
        let files: Int
        let bytes: Int64
    }

    /// How often the files of a moment are looked for. Each further time only those that came since the time before are new.
    private static let triesMax = 50

    /// Writes it. The file has its name when it is whole and on the disk; until then another one is there, or none.
    func write(
        to path: String, progress report: (Progress) -> Void = { _ in }
    ) throws(BackupFailure) -> Outcome {
        let part = "\(path).part"
        let raw = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw BackupFailure("cannot write", part) }
        let descriptor = FileDescriptor(owning: raw)
        guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
            throw BackupFailure(.systemRefused, "another backup writes \(path) at this moment")
        }
        // What one that was killed has left.
        let (copy, sums) = ("\(part).sqlite", "\(part).sums")
        for name in [copy, "\(copy)-wal", "\(copy)-shm", sums] { unlink(name) }
        guard ftruncate(raw, 0) == 0, fchmod(raw, 0o600) == 0 else { throw BackupFailure("cannot write", part) }
        defer { for name in [copy, "\(copy)-wal", "\(copy)-shm", sums] { unlink(name) } }
        do throws(BackupFailure) {
            let outcome = try write(descriptor.raw, part, copy, sums, report)
            guard rename(part, path) == 0 else { throw BackupFailure("cannot rename \(part) to", path) }
            try Self.syncFolder(of: path)
            return outcome
        } catch {
            unlink(part)
            throw error
        }
    }

    private func write(
        _ descriptor: Int32, _ part: String, _ copy: String, _ sums: String, _ report: (Progress) -> Void
    ) throws(BackupFailure) -> Outcome {
        let held = FileSnapshot(of: files)
        defer { held.end() }
        let moment = try copyDatabase(to: copy, holding: held, report)
        var progress = Progress()
        let all = FileStatus.bytes(of: copy)
        var size: Int64 = 0
        held.forEach { size += FileStatus.bytes(of: $0.path) }
        progress.bytesMax = all + size

        let list = try SumList(sums)
        var writer = TarWriter(descriptor, part)
        let manifest = BackupArchive.Manifest(moment: moment, files: Int64(held.count))
        try list.add(
            try writer.write(BackupArchive.manifestName, manifest.bytes, modified: moment / 1_000),
            BackupArchive.manifestName)
        try list.add(
            try writer.write(BackupArchive.databaseName, file: copy) { count throws(BackupFailure) in
                try advance(&progress, by: count, report)
            }, BackupArchive.databaseName)
        // Room for the files: the copy is in the archive.
        unlink(copy)
        try held.forEach { entry throws(BackupFailure) in
            let name = "\(BackupArchive.filesName)/\(entry.name)"
            let sum = try writer.write(name, file: entry.path) { count throws(BackupFailure) in
                try advance(&progress, by: count, report)
            }
            try list.add(sum, name)
        }
        try list.flush()
        _ = try writer.write(BackupArchive.sumsName, file: sums) { _ in }
        try writer.finish()
        return Outcome(moment: moment, files: held.count, bytes: writer.bytes)
    }

    /// Copies the database of a moment whose files are all held, and answers with the moment.
    private func copyDatabase(
        to copy: String, holding held: FileSnapshot, _ report: (Progress) -> Void
    ) throws(BackupFailure) -> Int64 {
        for _ in 0..<Self.triesMax {
            // Most of the files now, so that it takes a moment only behind the moment.
            let snapshot: DatabaseSnapshot
            do throws(FileError) {
                _ = try held.hold(try BackupMaker.reader(database))
                snapshot = try BackupMaker.snapshot(database)
                guard try held.hold(snapshot.reader) else {
                    guard access(files, F_OK) == 0 else {
                        throw FileError.internalError.because(
                            "\(database) has files, and there is no folder \(files): name the data folder with --data")
                    }
                    continue
                }
            } catch {
                throw BackupFailure(error)
            }
            do throws(StoreError) {
                try snapshot.copy(to: copy, keeping: notes) { done, all throws(StoreError) in
                    guard isWanted() else { throw Self.unwanted }
                    report(Progress(bytes: done, bytesMax: nil))
                }
            } catch {
                throw BackupFailure(error)
            }
            return snapshot.milliseconds
        }
        throw BackupFailure(
            .systemRefused, "files are removed faster than a backup can hold them; try it again when less is removed")
    }

    private static let unwanted = StoreError(.interrupted, "the server stops, and the backup was not made")

    private func advance(
        _ progress: inout Progress, by count: Int64, _ report: (Progress) -> Void
    ) throws(BackupFailure) {
        guard isWanted() else { throw BackupFailure(Self.unwanted) }
        progress.bytes += count
        report(progress)
    }

    /// Brings the name of a file to the disk.
    static func syncFolder(of path: String) throws(BackupFailure) {
        let folder = path.folderOfPath
        let raw = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw BackupFailure("open", folder) }
        let descriptor = FileDescriptor(owning: raw)
        guard fsync(descriptor.raw) == 0 else { throw BackupFailure("fsync", folder) }
    }
}

/// The sums of entries, collected in a file: there may be more of them than memory is for.
final class SumList {
    private let path: String
    private let descriptor: FileDescriptor
    private var waiting: [UInt8] = []

    private static let bufferBytes = 32 << 10

    init(_ path: String) throws(BackupFailure) {
        let raw = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw BackupFailure("cannot write", path) }
        descriptor = FileDescriptor(owning: raw)
        self.path = path
    }

    func add(_ sum: [UInt8], _ name: String) throws(BackupFailure) {
        waiting += BackupArchive.sumLine(sum, name)
        if waiting.count >= Self.bufferBytes { try flush() }
    }

    func flush() throws(BackupFailure) {
        var rest = waiting[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BackupFailure("write", path) }
            rest = rest.dropFirst(count)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

extension BackupMaker {
    private static func reader(_ path: String) throws(FileError) -> Reader {
        do throws(StoreError) { return try Reader.beside(path) } catch { throw FileError(error) }
    }

    private static func snapshot(_ path: String) throws(FileError) -> DatabaseSnapshot {
        do throws(StoreError) { return try DatabaseSnapshot(of: path) } catch { throw FileError(error) }
    }
}
