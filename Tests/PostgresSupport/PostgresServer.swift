import Foundation
import Glibc
import Network
import Postgres
import Synchronization
import TestSupport
import Testing

/// A real PostgreSQL in a folder of its own, made once for all tests that ask it: over a Unix socket, and over TCP with TLS.
///
/// It ends with the tests, however they end: its shell waits for the end of a pipe that this process holds.
package final class PostgresServer: Sendable {
    /// Where the newest server program is; nil where none is installed.
    package static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap { Int($0) }.filter { $0 >= PostgresConnector.versionMin }.max()
        guard let newest else { return nil }
        let folder = "/usr/lib/postgresql/\(newest)/bin"
        return ["initdb", "pg_basebackup", "postgres"].allSatisfy { Glibc.access("\(folder)/\($0)", X_OK) == 0 }
            ? folder : nil
    }()

    package static let isInstalled = programs != nil
    package static let absence: Comment = "no PostgreSQL 14 or later is installed in /usr/lib/postgresql"

    /// The one of all tests.
    package static let shared = Result { try PostgresServer(in: .ofProcess(), isShared: true) }

    package static let password = "pencil and, 'paper'"
    /// Many where all tests of a room use it: most leave their stores open. Otherwise enough for a dozen tests at once, of three nodes each.
    package static let connectionsMax = TestDatabase.isOnServer ? 1_500 : 600

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let socketFolder: String
    package let port: UInt16
    package let authority: String
    private let folder: TemporaryFolder
    private let words: [String]
    private let run = Mutex<Run?>(nil)

    /// A run of the program, which ends with the pipe.
    private struct Run {
        let process: ChildProcess
        let lifeline: Pipe
    }

    /// One of its own, for a test that stops it.
    package convenience init() throws { try self.init(in: TemporaryFolder(), isShared: false) }

    /// One that follows another one, which it reaches by a port, until it is promoted.
    package convenience init(following port: UInt16) throws {
        try self.init(in: TemporaryFolder(), isShared: false, following: port)
    }

    private init(in folder: TemporaryFolder, isShared: Bool, following primary: UInt16? = nil) throws {
        let programs = Self.programs ?? ""
        self.folder = folder
        let certificate = try CertificateAuthority.renew(in: folder.file("tls"), names: ["db.test"])
        authority = folder.file("authority.pem")
        socketFolder = folder.path
        port = try Self.freePort()
        try folder.write(String(contentsOfFile: certificate.files.authority, encoding: .utf8), to: "authority.pem")
        try folder.write(String(contentsOfFile: certificate.files.certificate, encoding: .utf8), to: "server.pem")
        try folder.write(String(contentsOfFile: certificate.files.key, encoding: .utf8), to: "server.key")
        chmod(folder.file("server.key"), 0o600)
        let user = Self.serverUser(owning: [folder.path, folder.file("server.key"), folder.file("server.pem")])
        let data = folder.file("data")
        let making =
            if let primary {
                [
                    "\(programs)/pg_basebackup", "-D", data, "-U", "admin", "-h", "127.0.0.1", "-p", "\(primary)", "-R",
                    "-X", "stream", "--checkpoint=fast", "--no-sync",
                ]
            } else {
                [
                    "\(programs)/initdb", "-D", data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--no-locale",
                    "--no-sync", "--no-instructions",
                ]
            }
        let made = try ChildProcess.said(user + making, isWithErrors: true)
        guard made.ending == .code(0) else { throw Failure(description: "\(making[0]): \(made.text)") }
        try folder.write(Self.accessRules, to: "data/pg_hba.conf")
        chmod(folder.file("data/pg_hba.conf"), 0o644)
        words =
            user + [
                "sh", "-c", #"program="$1"; shift; "$program" "$@" & read -r _; kill -QUIT $!; wait $!"#, "postgres",
                "\(programs)/postgres", "-D", data, "-k", folder.path, "-h", "127.0.0.1", "-p", "\(port)", "-c",
                "fsync=off",
                "-c", "ssl=on", "-c", "ssl_cert_file=\(folder.file("server.pem"))", "-c",
                "ssl_key_file=\(folder.file("server.key"))", "-c", "max_connections=\(Self.connectionsMax)", "-c",
                "shared_buffers=8MB", "-c", "autovacuum=off",
            ]
        if isShared {
            Self.running = self
            atexit { PostgresServer.running?.stop() }
        }
        try start()
        guard primary == nil else { return }
        let connection = try admin()
        for text in Self.roles {
            try connection.ask(PostgresStatement(text, isKept: false))
            _ = try connection.trip(until: .inTime)
        }
    }

    nonisolated(unsafe) private static var running: PostgresServer?

    /// Starts it, and waits until it answers.
    package func start() throws {
        let lifeline = Pipe()
        let log = folder.file("log")
        let process = try ChildProcess(words, input: .pipe(lifeline), output: .file(log), errors: .file(log))
        run.withLock { $0 = Run(process: process, lifeline: lifeline) }
        try eventually("PostgreSQL has started: \(folder.read("log"))") {
            (try? admin())?.close() != nil
        }
    }

    /// Stops it at once, as a crash does, and waits for that.
    package func stop() {
        guard let run = run.withLock({ $0.take() }) else { return }
        try? run.lifeline.fileHandleForWriting.close()
        run.process.wait()
    }

    /// Has one that followed another one serve by itself.
    package func promote() throws {
        let admin = try admin()
        defer { admin.close() }
        _ = try admin.answer("SELECT pg_promote()")
    }

    /// Has each commit wait until the one that follows it has it too.
    package func commitWithStandby() throws {
        let admin = try admin()
        defer { admin.close() }
        _ = try admin.answer("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try admin.answer("SELECT pg_reload_conf()")
        try eventually("the standby is synchronous") {
            try admin.answer("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")[0].integer(0) == 1
        }
    }

    /// Has its processes take nothing and say nothing, as on a machine that hangs. The system still takes connections for it.
    package func pause() { signal(SIGSTOP) }

    /// Has them go on.
    package func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        guard let line = folder.read("data/postmaster.pid").split(separator: "\n").first, let first = pid_t(line)
        else { return }
        // The first one makes the others: none comes while it rests.
        kill(first, number)
        let children = try? String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
        for pid in (children ?? "").split(separator: " ") {
            if let pid = pid_t(pid) { kill(pid, number) }
        }
    }

    /// Who may come in, and how.
    private static let accessRules = """
        local all admin trust
        host replication admin 127.0.0.1/32 trust
        local all limited trust
        local all all scram-sha-256
        host all old 127.0.0.1/32 md5
        host all clear 127.0.0.1/32 password
        host all all 127.0.0.1/32 scram-sha-256

        """

    private static var roles: [String] {
        let quoted = "'pencil and, ''paper'''"
        return [
            "CREATE ROLE app LOGIN PASSWORD \(quoted)", "CREATE ROLE clear LOGIN PASSWORD \(quoted)",
            "SET password_encryption = md5", "CREATE ROLE old LOGIN PASSWORD \(quoted)",
            "CREATE ROLE limited LOGIN CONNECTION LIMIT 2", "CREATE DATABASE blog OWNER app",
            "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0",
            "ALTER ROLE clear SET default_transaction_read_only = on",
        ]
    }

    /// The words that run a program as the server's user, who owns the files then: PostgreSQL refuses to run as root.
    private static func serverUser(owning files: [String]) -> [String] {
        guard getuid() == 0, let entry = getpwnam("postgres") else { return [] }
        for file in files { chown(file, entry.pointee.pw_uid, entry.pointee.pw_gid) }
        return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    }

    private static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        _ = SocketAddress.loopback(port: 0).withSystemAddress { bind(listener, $0, $1) }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    // MARK: Ways in

    /// As the superuser, over the Unix socket.
    package func admin() throws -> PostgresConnection {
        try PostgresConnector(socketSettings(user: "admin", database: "postgres")).connect(until: .inTime)
    }

    /// As the owner of the database `blog`, over the Unix socket.
    package func app(_ limits: PostgresLimits = PostgresLimits()) throws -> PostgresConnection {
        try PostgresConnector(socketSettings(), limits: limits).connect(until: .inTime)
    }

    package func socketSettings(user: String = "app", database: String = "blog") -> PostgresSettings {
        var settings = PostgresSettings(
            hosts: [PostgresHost(name: socketFolder, port: port)], user: user, database: database)
        settings.password = PostgresPassword(Self.password)
        return settings
    }

    /// A URL over TCP, without the password, which `environment` has. The words stand behind the "?".
    package func url(user: String = "app", database: String = "blog", _ words: String = "") -> String {
        "postgres://\(user)@127.0.0.1:\(port)/\(database)?\(words)"
    }

    /// The variables of a program that is to find the password.
    package static let environment = ["PGPASSWORD": password]

    /// The same for a schema of its own, which is made.
    package func url(ofNewSchema name: String) throws -> String {
        let connection = try app()
        defer { connection.close() }
        _ = try connection.answer("CREATE SCHEMA IF NOT EXISTS \(name)")
        return url("options=-c%20search_path%3D\(name)")
    }

    /// Over TCP, with words behind the "?" of a URL.
    package func settings(user: String = "app", database: String = "blog", host: String = "127.0.0.1", _ words: String)
        throws
        -> PostgresSettings
    {
        var settings = try PostgresSettings("postgres://\(user)@\(host):\(port)/\(database)?\(words)")
        settings.password = PostgresPassword(Self.password)
        return settings
    }
}

extension MonotonicTime {
    /// A deadline that a test meets only when it fails.
    package static var inTime: MonotonicTime { .now.advanced(byMilliseconds: 60_000) }
}

extension PostgresConnection {
    /// The answers to all that was asked: waited for, or taken when the socket has them, as a loop does.
    package func answers(isWaiting: Bool) throws -> [PostgresAnswer] {
        guard !isWaiting else { return try trip(until: .inTime) }
        try send()
        while true {
            if let answers = try takeAnswers() { return answers }
            try awaitInput()
        }
    }

    /// Waits until the socket has something, as the poller of a loop does.
    package func awaitInput() throws {
        guard let socket = socket() else { throw PostgresServer.Failure(description: "there is no descriptor left") }
        var watched = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 60_000) == 1 else {
            throw PostgresServer.Failure(description: "the server says nothing")
        }
    }

    /// The answer to one question, in a trip of its own.
    package func answer(
        _ text: String, _ types: [PostgresType] = [], _ values: [PostgresValue] = [],
        until deadline: MonotonicTime = .inTime
    ) throws -> PostgresAnswer {
        try ask(PostgresStatement(text, types, isKept: false), values)
        let answers = try trip(until: deadline)
        return try #require(answers.first)
    }
}
