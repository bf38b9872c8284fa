/// How to reach a database and as whom: from a URL ("postgres://app:secret@db1,db2/blog?sslmode=verify-full") or from keywords
/// ("host=/run/postgresql dbname=blog user=app"), with the names that libpq has for them.
///
/// No error about a text quotes it: any piece of it may be one of a password.
package struct PostgresSettings: Sendable {
    package var hosts: [PostgresHost]
    package var user: String
    package var database: String
    package var password: PostgresPassword?
    package var applicationName = "homeport"
    /// The `options` for the server, such as "-c search_path=blog".
    package var options: String?
    /// Settings of the session by name, such as "search_path".
    package var sessionParameters: [(name: String, value: String)] = []
    package var connectSeconds = 10
    package var target = PostgresSessionTarget.any
    /// Nil: verify-full, and no TLS with a server on this machine.
    package var tlsMode: PostgresTLSMode?
    /// A PEM file with the authorities that are trusted, or "system".
    package var rootCertificate: String?
    package var channelBinding = PostgresChannelBinding.prefer
    package var signInMethods = PostgresSignInMethods.usual

    package init(hosts: [PostgresHost], user: String, database: String) {
        self.hosts = hosts
        self.user = user
        self.database = database
    }

    package init(_ text: String) throws(PostgresSettingsError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= PostgresLimits.settingsBytes else { throw .tooLong(limit: PostgresLimits.settingsBytes) }
        let words =
            if let scheme = Self.schemes.first(where: { bytes.starts(with: $0.utf8) }) {
                try PostgresURLReader.words(of: bytes[scheme.utf8.count...])
            } else {
                try PostgresKeywordReader.words(of: bytes)
            }
        try self.init(words)
    }

    private static let schemes = ["postgres://", "postgresql://"]

    /// How TLS is used with a host.
    func tlsMode(with host: PostgresHost) -> PostgresTLSMode {
        // There is none over a Unix socket.
        if host.isUnixSocket { return .disable }
        let mode = tlsMode ?? (host.isLocal ? .disable : .verifyFull)
        // As libpq has it: where authorities are named, they are asked.
        switch (mode, rootCertificate) {
        case (.require, .some): return .verifyCA
        default: return mode
        }
    }
}

/// A keyword with its value.
struct PostgresWord {
    let keyword: PostgresKeyword
    let value: String
}

/// The keywords that are known, by their names in libpq.
enum PostgresKeyword: String, CaseIterable {
    case host, port, user, password, dbname, options, sslmode, sslrootcert
    case applicationName = "application_name"
    case connectTimeout = "connect_timeout"
    case targetSessionAttrs = "target_session_attrs"
    case channelBinding = "channel_binding"
    case requireAuth = "require_auth"

    var mayBeEmpty: Bool {
        switch self {
        case .options, .password: true
        default: false
        }
    }
}

/// Why a text does not say how to reach a database. It quotes nothing of the text.
package enum PostgresSettingsError: Error, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case unescaped
    case badText(offset: Int)
    case unknownKeyword(offset: Int)
    case twice(keyword: String)
    case missing(keyword: String)
    case badValue(keyword: String, allowed: String)

    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unescaped:
            "the characters @ : / ? # % , and & in user, password and values are written as %40 %3A %2F %3F %23 %25 %2C and %26"
        case .badText(let offset): "it cannot be read at byte \(offset): write keyword=value, or keyword='a value'"
        case .unknownKeyword(let offset):
            "the keyword before byte \(offset) is not known; there are "
                + PostgresKeyword.allCases.map(\.rawValue).joined(separator: ", ")
        case .twice(let keyword): "it has \(keyword) twice"
        case .missing(let keyword): "it has no \(keyword)"
        case .badValue(let keyword, let allowed): "the value of \(keyword) must be \(allowed)"
        }
    }
}
