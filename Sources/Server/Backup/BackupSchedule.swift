import Files
import Glibc
import JSON
import Network
import Synchronization
import Threads

/// Backups that a server makes by itself, each so long after the one before, and as many kept as are wanted.
///
///     start ─▶ the newest archive's age ─▶ wait ─▶ archive written beside ─▶ the oldest ones removed ─▶ wait ─▶ …
final class BackupSchedule: Sendable {
    private let maker: BackupMaker
    private let folder: String
    private let milliseconds: Int
    private let keep: Int
    private let loop: EventLoop
    private let log: Log
    private let health: ServerHealth
    private let workers = WorkersAside(threadsMax: 1, waitingMax: 4)
    private let isStopping: StopFlag

    private final class StopFlag: Sendable {
        let isSet = Atomic(false)
    }

    private static let beginning = "homeport-"
    private static let partName = ".part"
    /// `2026-11-28T123456Z`
    private static let momentCount = 18
    private static let folderMode: mode_t = 0o700

    /// Nil where none are wanted.
    init?(
        _ configuration: Configuration, database: String, files: String, on loop: EventLoop, _ log: Log,
        _ health: ServerHealth
    ) {
        guard let seconds = configuration.backup.seconds else { return nil }
        let flag = StopFlag()
        isStopping = flag
        maker = BackupMaker(
            database: database, files: files, notes: { KeptFiles.notes(of: configuration, over: $0) },
            isWanted: { !flag.isSet.load(ordering: .relaxed) })
        folder = configuration.backup.folder ?? "\(configuration.data)/backups"
        milliseconds = Int(clamping: seconds * 1_000)
        keep = configuration.backup.keep
        (self.loop, self.log, self.health) = (loop, log, health)
    }

    /// Begins. A restart makes no backup earlier than it was due.
    func start() {
        let now = Timestamp.now.millisecondsSince1970
        let age = archives.last.flatMap { Self.moment(of: "\(folder)/\($0)") }.map { now - $0 }
        let last = age.map { Int(clamping: max(0, $0)) } ?? milliseconds
        wait(max(0, milliseconds - last))
    }

    /// Ends: one that is under way is given up. Answers when nothing runs any more.
    func stop() async {
        isStopping.isSet.store(true, ordering: .relaxed)
        _ = await workers.value { true }
    }

    private func wait(_ milliseconds: Int) {
        loop.execute { [self] in
            _ = loop.schedule(at: loop.now.advanced(byMilliseconds: milliseconds)) { [weak self] in self?.begin() }
        }
    }

    private func begin() {
        guard !isStopping.isSet.load(ordering: .relaxed) else { return }
        workers.begin { [self] in make() }
        wait(milliseconds)
    }

    private func make() {
        let begun = MonotonicTime.now
        let now = Timestamp.now
        do throws(BackupFailure) {
            do throws(SystemError) { try DataFolder.make(folder) } catch {
                throw BackupFailure("cannot make the folder", error.subject, error.code)
            }
            removeParts()
            let name = "\(Self.beginning)\(Self.text(of: now))\(BackupArchive.suffix)"
            let outcome = try maker.write(to: "\(folder)/\(name)")
            let seconds = Double(MonotonicTime.now.nanoseconds(since: begun)) / 1e9
            health.note { state in
                state.lastBackup = outcome.moment
                (state.lastBackupBytes, state.lastBackupSeconds, state.failed) = (outcome.bytes, seconds, nil)
                state.backups += 1
            }
            log.info("a backup was written", ["file": .string("\(folder)/\(name)"), "bytes": .integer(outcome.bytes)])
            for old in archives.dropLast(keep) { unlink("\(folder)/\(old)") }
        } catch {
            guard !isStopping.isSet.load(ordering: .relaxed) else { return }
            health.note { state in
                state.failed = now.millisecondsSince1970
                state.failures += 1
            }
            log.error("a backup has failed", ["folder": .string(folder), "reason": .string(error.message)])
        }
    }

    /// The names of those that are there, the oldest first. Nothing else in the folder is touched.
    private var archives: [String] {
        FolderContent.names(in: folder).filter { name in
            name.hasPrefix(Self.beginning) && name.hasSuffix(BackupArchive.suffix)
                && name.utf8.count == Self.beginning.utf8.count + Self.momentCount + BackupArchive.suffix.utf8.count
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Removes what backups have left that were killed. One that is being written is locked.
    private func removeParts() {
        let parts = FolderContent.names(in: folder).filter {
            $0.hasPrefix(Self.beginning) && !$0.hasSuffix(BackupArchive.suffix)
        }
        for name in parts where name.hasSuffix("\(BackupArchive.suffix)\(Self.partName)") {
            let path = "\(folder)/\(name)"
            let descriptor = FileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
            guard descriptor.raw >= 0, flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 else { continue }
            for other in parts where other.hasPrefix(name) { unlink("\(folder)/\(other)") }
        }
    }

    /// `2026-11-28T123456Z`: a name on every file system, in the order of time.
    private static func text(of time: Timestamp) -> String {
        String(decoding: time.text.utf8.prefix(19).filter { $0 != UInt8(ascii: ":") }, as: UTF8.self) + "Z"
    }

    private static func moment(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
}
