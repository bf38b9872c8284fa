@testable import Postgres
import Testing

@Suite("Where a database is, as text")
struct PostgresSettingsTests {
    /// All that a text says, in one line; the password too.
    private static func summary(_ text: String) throws(PostgresSettingsError) -> String {
        let settings = try PostgresSettings(text)
        var words = [settings.hosts.map(\.description).joined(separator: " "), settings.user, settings.database]
        if let password = settings.password {
            words.append("password=" + String(decoding: password.bytes, as: UTF8.self))
        }
        if let options = settings.options { words.append("options=\(options)") }
        if settings.target != .any { words.append(settings.target.rawValue) }
        if settings.connectSeconds != 10 { words.append("\(settings.connectSeconds) s") }
        if settings.channelBinding != .prefer { words.append("\(settings.channelBinding)") }
        let methods = PostgresSignInMethod.allCases.filter(settings.signInMethods.contains).map(\.rawValue)
        if methods != ["scram-sha-256", "none"] { words.append(methods.joined(separator: "+")) }
        if let root = settings.rootCertificate { words.append("root=\(root)") }
        words.append(settings.hosts.map { settings.tlsMode(with: $0).rawValue }.joined(separator: " "))
        return words.joined(separator: "|")
    }

    private static let good = [
        ("postgres://app@localhost", "localhost:5432|app|app|disable"),
        ("postgresql://app@localhost/", "localhost:5432|app|app|disable"),
        ("postgres://app:s%3Acret%40@127.0.0.1:5433/blog", "127.0.0.1:5433|app|blog|password=s:cret@|disable"),
        (
            "postgres://app@db1,db2:5433/blog?sslmode=verify-full&sslrootcert=system&target_session_attrs=read-write",
            "db1:5432 db2:5433|app|blog|read-write|root=system|verify-full verify-full"
        ),
        (
            "postgres://app@[::1]:6000,[2001:db8::2]/blog?sslmode=require",
            "[::1]:6000 [2001:db8::2]:5432|app|blog|require require"
        ),
        ("postgres://app@db?sslmode=require&sslrootcert=/ca.pem", "db:5432|app|app|root=/ca.pem|verify-ca"),
        ("postgres://app@db?sslrootcert=/ca.pem", "db:5432|app|app|root=/ca.pem|verify-full"),
        ("postgres://%2Frun%2Fpostgresql/blog?user=app", "/run/postgresql/.s.PGSQL.5432|app|blog|disable"),
        (
            "postgres:///blog?host=/run/pg&port=6432&user=app&sslmode=verify-full",
            "/run/pg/.s.PGSQL.6432|app|blog|disable"
        ),
        (
            "postgres://app@localhost/bl%C3%B6g?application_name=a%20b&connect_timeout=3",
            "localhost:5432|app|blög|3 s|disable"
        ),
        (
            "postgres://app@localhost/b?options=-c%20search_path%3Dx",
            "localhost:5432|app|b|options=-c search_path=x|disable"
        ),
        ("postgres://app@localhost/b?require_auth=md5,password", "localhost:5432|app|b|md5+password|disable"),
        ("postgres://app@localhost/b?channel_binding=disable", "localhost:5432|app|b|disable|disable"),
        ("host=localhost user=app", "localhost:5432|app|app|disable"),
        (
            "  host = localhost\tuser = 'a b' password='it\\'s \\\\'  ",
            "localhost:5432|a b|a b|password=it's \\|disable"
        ),
        (#"host=/a,/b port=1,2 user=a\ b dbname=x"#, "/a/.s.PGSQL.1 /b/.s.PGSQL.2|a b|x|disable disable"),
        ("host=a,b port=,7 user=x sslmode=disable", "a:5432 b:7|x|x|disable disable"),
        ("host=localhost user=app password='' options=''", "localhost:5432|app|app|disable"),
    ]

    @Test("is read with libpq's names", arguments: good)
    func reads(text: String, summary: String) throws {
        #expect(try Self.summary(text) == summary)
    }

    /// `hunter2` is in each password.
    private static let bad = [
        ("", "no host"),
        ("postgres://", "no host"),
        ("postgres://app@", "no host"),
        ("postgres://localhost/blog", "no user"),
        ("postgres://app:hun/ter2@localhost/blog", "%40"),
        ("postgres://app:12/hunter2@localhost/blog", "%40"),
        ("postgres://app:hun@ter2@localhost/blog", "%40"),
        ("postgres://app:hun:ter2@localhost/blog", "%40"),
        ("postgres://app:hunter2%@localhost/blog", "%40"),
        ("postgres://app:hunter2%00@localhost/blog", "%40"),
        ("postgres://app:hunter2%0A@localhost/blog", "password must be"),
        ("postgres://app:hunter2%FF@localhost/blog", "%40"),
        ("postgres://app:hunter2#@localhost/blog", "%40"),
        ("postgres://app:hunter2 @localhost/blog", "%40"),
        ("postgres://app:hunter2?@localhost/blog", "%40"),
        ("postgres://app:hunter2@localhost:0/blog", "port must be"),
        ("postgres://app:hunter2@localhost:65536/blog", "port must be"),
        ("postgres://app:hunter2@localhost:-1/blog", "port must be"),
        ("postgres://app:hunter2@loc!alhost/blog", "host must be"),
        ("postgres://app:hunter2@,/blog", "host must be"),
        ("postgres://app:hunter2@[::1/blog", "%40"),
        ("postgres://app:hunter2@[db]/blog", "%40"),
        ("postgres://app:hunter2@[::x]/blog", "host must be"),
        ("postgres://app:hunter2@localhost/blog/x", "%40"),
        ("postgres://app:hunter2@localhost/blog?sslmode=prefer", "disable, require, verify-ca, verify-full"),
        ("postgres://app:hunter2@localhost/blog?sslmode", "keyword before byte"),
        ("postgres://app:hunter2@localhost/blog?hunter2=1", "keyword before byte"),
        ("postgres://app:hunter2@localhost/blog?user=b", "user twice"),
        ("postgres://app:hunter2@localhost/blog?connect_timeout=0", "1 to 600"),
        ("postgres://app:hunter2@localhost/blog?connect_timeout=9999999999999999999", "1 to 600"),
        ("postgres://app:hunter2@localhost/blog?target_session_attrs=x", "prefer-standby"),
        ("postgres://app:hunter2@localhost/blog?require_auth=gss", "scram-sha-256"),
        ("postgres://app:hunter2@localhost/blog?channel_binding=require", "prefer or disable"),
        ("postgres://app:hunter2@db/blog", "system"),
        ("postgres://app:hunter2@db/blog?sslmode=verify-ca&sslrootcert=system", "verify-full with"),
        ("mysql://app:hunter2@localhost/blog", "cannot be read"),
        ("host=localhost user=app password=hun hunter2", "cannot be read at byte"),
        ("host=localhost user=app password=hun hunter2=x", "keyword before byte"),
        ("host=localhost user=app password='hunter2", "cannot be read at byte"),
        ("host=localhost user=app password=hunter2\\", "cannot be read at byte"),
        ("host=a,b,c port=1,2 user=app password=hunter2", "one for each host"),
        ("host=localhost user= password=hunter2", "user must be"),
        ("host=" + String(repeating: "a,", count: 20) + "a user=app password=hunter2", "at most 16 hosts"),
        ("host=" + String(repeating: "a", count: 9_000), "8192 bytes"),
    ]

    @Test("is refused with the reason, which quotes nothing of it", arguments: bad)
    func refuses(text: String, reason: String) throws {
        let error = try #require(throws: PostgresSettingsError.self) { try PostgresSettings(text) }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(!"\(error)".contains("hun") && !"\(error)".contains("ter2"))
    }

    @Test("never shows its password")
    func password() throws {
        let settings = try PostgresSettings("postgres://app:hunter2@localhost/blog")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] { #expect(!text.contains("hunter2")) }
    }
}
