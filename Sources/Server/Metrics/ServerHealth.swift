import Glibc
import JSON
import Network
import Store
import Synchronization

/// The state of the server beyond being up: room on its disks, and its own backups.
package final class ServerHealth: Sendable {
    /// The places that data is written to: the database's file, and the folder of the files. Nil: the database is on a server.
    private let database: String?
    private let files: String
    /// The hold on a database on a server.
    private let hold: ServerHold?
    /// This server as one of several; nil: it is the only one.
    private let nodes: ServedNodes?
    private let makesBackups: Bool
    /// The room that the services leave to the API.
    let reserve: SpaceReserve
    private let state = Mutex(State())

    /// The state of the server's own backups.
    struct State: Sendable, Equatable {
        /// When the last one was whole, in milliseconds since 1970.
        var lastBackup: Int64?
        var lastBackupBytes: Int64 = 0
        var lastBackupSeconds = 0.0
        /// When the last one failed; nil where one was whole since.
        var failed: Int64?
        var backups: UInt64 = 0
        var failures: UInt64 = 0
    }

    /// With less room than this no commit is certain to fit.
    static let freeBytesMin: UInt64 = 256 << 10

    /// - Parameters:
    ///   - database: its file; nil where it is on a server.
    ///   - hold: what knows whether that server answers.
    ///   - nodes: what knows whether this server is still one of several, and does the work that one does for all.
    ///   - files: the folder of the files, which may not be there yet.
    ///   - reservedBytes: how much room the services leave to the API.
    init(
        database: String?, on hold: ServerHold? = nil, nodes: ServedNodes? = nil, files: String, makesBackups: Bool,
        reservedBytes: UInt64 = 0
    ) {
        self.nodes = nodes
        (self.database, self.hold, self.files, self.makesBackups) = (database, hold, files, makesBackups)
        reserve = SpaceReserve(bytesMin: reservedBytes) { database.flatMap { Self.space(of: $0)?.free } }
    }

    var backups: State { state.withLock { $0 } }

    func note(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Why the server should get no requests that write; nil: it is ready.
    var obstacle: String? {
        // What is wrong with a server is in the log: this is for everybody.
        if let hold { return hold.obstacle == nil ? nodes?.obstacle : "the database does not answer" }
        guard let database, let free = Self.space(of: database)?.free, free < Self.freeBytesMin else { return nil }
        return "the disk of the database is full"
    }

    /// The answer of the two paths for monitors: whether it is up, and whether it is ready.
    func report(isReady: Bool) -> [UInt8] {
        var content = JSONObject([("status", .string("healthy")), ("version", .string(Version.number))])
        if !isReady, let obstacle {
            content["status"] = .string("unready")
            content["reason"] = .string(obstacle)
        }
        if let nodes { content["keeper"] = .bool(nodes.isKeeper) }
        if makesBackups {
            let state = backups
            func time(_ moment: Int64?) -> JSONValue {
                moment.map { .string(Timestamp(seconds: $0 / 1_000).text) } ?? .null
            }
            content["backup"] = .object(
                JSONObject([("last", time(state.lastBackup)), ("failed", time(state.failed))]))
        }
        return JSONWriter.bytes(of: .object(content))
    }

    /// Writes what there is to measure of disks, database and backups.
    func write(to text: inout MetricsText) {
        let places = [("database", database), ("files", files)]
        let spaces = places.compactMap { place in place.1.flatMap { Self.space(of: $0) }.map { (place.0, $0) } }
        text.start("homeport_disk_free_bytes", .gauge, "Bytes that are free where the server writes, by place.")
        for (place, space) in spaces { text.line("homeport_disk_free_bytes", [("place", place)], "\(space.free)") }
        text.start("homeport_disk_size_bytes", .gauge, "The size of these disks in bytes, by place.")
        for (place, space) in spaces { text.line("homeport_disk_size_bytes", [("place", place)], "\(space.size)") }
        if let database {
            text.start("homeport_database_size_bytes", .gauge, "The size of the database in bytes, by file.")
            for (name, end) in [("data", ""), ("log", "-wal")] {
                text.line("homeport_database_size_bytes", [("file", name)], "\(FileStatus.bytes(of: database + end))")
            }
        }
        text.start("homeport_ready", .gauge, "Whether the server is ready for requests that write.")
        text.line("homeport_ready", [], obstacle == nil ? "1" : "0")
        if let nodes {
            text.start(
                "homeport_keeper", .gauge, "Whether this node does the work that one of several nodes does for all.")
            text.line("homeport_keeper", [], nodes.isKeeper ? "1" : "0")
        }
        guard makesBackups else { return }
        let state = backups
        text.start("homeport_backups_total", .counter, "Backups that the server has made.")
        text.line("homeport_backups_total", [], "\(state.backups)")
        text.start("homeport_backup_failures_total", .counter, "Backups that have failed.")
        text.line("homeport_backup_failures_total", [], "\(state.failures)")
        guard let last = state.lastBackup else { return }
        text.start("homeport_backup_last_success_timestamp_seconds", .gauge, "When the last backup was whole.")
        text.line("homeport_backup_last_success_timestamp_seconds", [], "\(Double(last) / 1_000)")
        text.start("homeport_backup_last_size_bytes", .gauge, "The size of the last backup in bytes.")
        text.line("homeport_backup_last_size_bytes", [], "\(state.lastBackupBytes)")
        text.start("homeport_backup_last_duration_seconds", .gauge, "How long the last backup took.")
        text.line("homeport_backup_last_duration_seconds", [], "\(state.lastBackupSeconds)")
    }

    private static func space(of path: String) -> (free: UInt64, size: UInt64)? {
        var space = statvfs()
        guard statvfs(path, &space) == 0 else { return nil }
        let unit = UInt64(space.f_frsize)
        let (free, isFreeTooLarge) = UInt64(space.f_bavail).multipliedReportingOverflow(by: unit)
        let (size, isSizeTooLarge) = UInt64(space.f_blocks).multipliedReportingOverflow(by: unit)
        return isFreeTooLarge || isSizeTooLarge ? nil : (free, size)
    }
}
