import Network
import Postgres
import PostgresSupport
import TestSupport
import Testing

/// Sign-in, TLS and the choice of hosts, against a real server.
@Suite(
    "Signing in to PostgreSQL", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct PostgresSignInTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer.shared.get() }

    private func connect(_ settings: PostgresSettings) throws -> PostgresConnection {
        try PostgresConnector(settings).connect(until: .inTime)
    }

    /// What goes well: the user, and the words of the URL. `AUTHORITY` is the file of the server's authority.
    private static let good = [
        ("app", "sslmode=disable"),
        ("app", "sslmode=require"),
        ("app", "sslmode=require&channel_binding=require"),
        ("app", "sslmode=require&channel_binding=disable"),
        ("app", "sslmode=verify-ca&sslrootcert=AUTHORITY"),
        ("app", "sslmode=verify-full&sslrootcert=AUTHORITY&channel_binding=require"),
        ("app", "sslmode=disable&require_auth=scram-sha-256"),
        ("old", "sslmode=disable&require_auth=md5"),
        ("clear", "sslmode=require&require_auth=password"),
        ("app", "target_session_attrs=read-write"),
        ("app", "target_session_attrs=primary"),
        ("clear", "require_auth=password&target_session_attrs=read-only"),
        ("app", "target_session_attrs=prefer-standby"),
    ]

    @Test("succeeds", arguments: good)
    func succeeds(user: String, words: String) throws {
        let connection = try connect(server.settings(user: user, filled(words)))
        #expect(
            connection.isSecure
                == (words.contains("require&") || words.contains("verify") || words.hasSuffix("=require")))
        #expect(try connection.answer("SELECT current_user::text")[0].text(0) == user)
        #expect(try connection.answer("SHOW application_name")[0].text(0) == "homeport")
    }

    /// What does not: the user, the host, the words and a part of the reason.
    private static let bad = [
        ("old", "127.0.0.1", "sslmode=disable", "by MD5"),
        ("clear", "127.0.0.1", "sslmode=require", "in clear text"),
        ("nobody", "127.0.0.1", "sslmode=disable", "28P01"),
        ("app", "127.0.0.1", "sslmode=disable&require_auth=md5", "by SCRAM"),
        ("old", "127.0.0.1", "sslmode=require&require_auth=md5&channel_binding=require", "not bound"),
        ("app", "127.0.0.1", "sslmode=verify-full&sslrootcert=/dev/null", "sslrootcert cannot be used"),
        ("app", "127.0.0.1", "sslmode=verify-full&sslrootcert=system", "cannot be used"),
        ("app", "127.0.0.2", "sslmode=disable&connect_timeout=1", "not available"),
        ("app", "127.0.0.1", "target_session_attrs=standby", "target_session_attrs=standby"),
        ("app", "127.0.0.1", "target_session_attrs=read-only", "target_session_attrs=read-only"),
    ]

    @Test("fails with the reason, and never shows the password", arguments: bad)
    func fails(user: String, host: String, words: String, reason: String) throws {
        let settings = try server.settings(user: user, host: host, filled(words))
        let error = try #require(throws: PostgresError.self) { try connect(settings) }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(!"\(error)\(settings)".contains("pencil") && !String(reflecting: settings).contains("pencil"))
    }

    @Test("wants a certificate for the name of the host with verify-full, and any of the authority with verify-ca")
    func names() throws {
        // Both names lead to the same server, whose certificate is for one of them.
        let resolver = NameResolver(asking: { [port = server.port] _, _ in .success([.loopback(port: port)]) })
        func connect(_ host: String, _ mode: String) throws(PostgresError) -> PostgresConnection {
            var settings = PostgresSettings(
                hosts: [PostgresHost(name: host, port: server.port)], user: "app", database: "blog")
            settings.password = PostgresPassword(PostgresServer.password)
            settings.tlsMode = PostgresTLSMode(rawValue: mode)
            settings.rootCertificate = server.authority
            return try PostgresConnector(settings, resolver: resolver).connect(until: .inTime)
        }
        #expect(try connect("db.test", "verify-full").isSecure)
        #expect(try connect("other.test", "verify-ca").isSecure)
        // libpq's rule: where an authority is named, it is asked.
        #expect(try connect("other.test", "require").isSecure)
        let error = try #require(throws: PostgresError.self) { try connect("other.test", "verify-full") }
        #expect("\(error)".contains("mismatch"), "\(error)")
    }

    @Test("refuses a wrong password, a database that is not there or not of UTF-8")
    func refusals() throws {
        var settings = try server.settings("sslmode=disable")
        settings.password = PostgresPassword("wrong secret")
        let wrong = try #require(throws: PostgresError.self) { try connect(settings) }
        #expect("\(wrong)".contains("28P01") && !"\(wrong)".contains("wrong secret"))
        settings.password = nil
        #expect("\(try #require(throws: PostgresError.self) { try connect(settings) })".contains("none is set"))
        let missing = try server.settings(database: "nowhere", "sslmode=disable")
        #expect("\(try #require(throws: PostgresError.self) { try connect(missing) })".contains("3D000"))
        let latin = try server.settings(database: "latin", "sslmode=disable")
        #expect("\(try #require(throws: PostgresError.self) { try connect(latin) })".contains("ENCODING 'UTF8'"))
    }

    @Test("takes the first host that will do")
    func hosts() throws {
        let port = server.port
        var settings = try PostgresSettings(
            "host=127.0.0.2,\(server.socketFolder),127.0.0.1 port=\(port) user=app dbname=blog target_session_attrs=read-write"
        )
        settings.password = PostgresPassword(PostgresServer.password)
        #expect(try connect(settings).host.isUnixSocket)
        settings.target = .standby
        let error = try #require(throws: PostgresError.self) { try connect(settings) }
        #expect("\(error)".contains("none of 3 hosts"))
        // A password that one of them refuses is not tried with the next.
        settings.target = .any
        settings.password = PostgresPassword("wrong")
        let refused = try #require(throws: PostgresError.self) { try connect(settings) }
        #expect("\(refused)".contains("28P01") && "\(refused)".contains(".s.PGSQL"))
    }

    private func filled(_ words: String) -> String {
        let parts = words.split(separator: "AUTHORITY", omittingEmptySubsequences: false)
        return parts.joined(separator: server.authority)
    }
}
