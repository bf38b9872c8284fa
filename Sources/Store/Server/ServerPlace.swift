import JSON
import Network
import Postgres

/// A database on a server of PostgreSQL's, and how its connections are made.
package struct ServerPlace: Sendable, Equatable, CustomStringConvertible {
    /// The settings are many words, and most who have a place only hand it on.
    private final class Content: Sendable {
        let settings: PostgresSettings
        let limits: PostgresLimits

        init(_ settings: PostgresSettings, _ limits: PostgresLimits) {
            (self.settings, self.limits) = (settings, limits)
        }
    }

    private let content: Content
    private var settings: PostgresSettings { content.settings }
    private var limits: PostgresLimits { content.limits }

    private static let schemes = ["postgres://", "postgresql://"]

    /// Returns whether a text is the URL of a database on a server, however the letters of its scheme are written.
    package static func isURL(_ text: String) -> Bool {
        let start = text.prefix(16).lowercased()
        return schemes.contains { start.utf8.starts(with: $0.utf8) }
    }

    /// - Parameter settings: a URL or keywords, with libpq's names. No error quotes it: it may hold a password.
    package init(_ settings: String) throws(StoreError) {
        // The scheme may have capital letters.
        let scheme = Self.isURL(settings) ? settings.utf8.prefix { $0 != UInt8(ascii: ":") }.count : 0
        let text = settings.prefix(scheme).lowercased() + settings.dropFirst(scheme)
        do throws(PostgresSettingsError) {
            var settings = try PostgresSettings(text)
            // A standby would be found out by the first change only.
            if case .any = settings.target { settings.target = .primary }
            self.init(settings)
        } catch {
            throw StoreError(.invalidArgument, "\(error)")
        }
    }

    package init(_ settings: PostgresSettings, limits: PostgresLimits = PostgresLimits()) {
        content = Content(settings, limits)
    }

    /// The same with a password, where it has none of its own.
    package func with(password: String) -> ServerPlace {
        guard settings.password == nil, !password.isEmpty else { return self }
        var settings = settings
        settings.password = PostgresPassword(password)
        return ServerPlace(settings, limits: limits)
    }

    package var hasPassword: Bool { settings.password != nil }

    /// A URL of it that people may see: without the password, and without what stands behind the database's name.
    package var shownURL: String {
        "postgres://\(settings.user)@\(settings.hosts.map(\.description).joined(separator: ","))/\(settings.database)"
    }

    /// The hosts and the database. Never the password.
    package var description: String {
        "\(settings.hosts.map(\.description).joined(separator: ","))/\(settings.database)"
    }

    /// The texts that tell it from others.
    private var identity: [ByteText] {
        [ByteText(description), ByteText(settings.user), ByteText(settings.options ?? "")]
    }

    package static func == (left: ServerPlace, right: ServerPlace) -> Bool {
        left.identity == right.identity
    }

    /// Settings of each session, whatever the role or the database say. `search_path` is theirs.
    private static let session = [
        ("standard_conforming_strings", "on"), ("extra_float_digits", "1"), ("bytea_output", "hex"),
        ("timezone", "UTC"), ("default_transaction_isolation", "read committed"),
        // Every statement that is asked often has its index. A plan is kept with its statement: one that was made while its table had few
        // rows would read the whole table still when that has many. Where there is no index, the table is read all the same, and what
        // that is said to cost must not have a program compiled for it.
        ("enable_seqscan", "off"), ("jit", "off"),
    ]

    /// A machine that is gone says no goodbye.
    static let keepAlive = [
        ("tcp_keepalives_idle", "10"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
    ]

    /// A connection that hears what is announced on a channel.
    func listener(to channel: String) throws(StoreError) -> PostgresListener {
        var settings = settings
        settings.sessionParameters += (Self.session + Self.keepAlive).map { (name: $0.0, value: $0.1) }
        let end = MonotonicTime.now.advanced(byMilliseconds: Int(StoreLimits.tripMilliseconds))
        do throws(PostgresError) {
            return try PostgresListener(PostgresConnector(settings, limits: limits), channels: [channel], until: end)
        } catch {
            throw StoreError(error, at: description)
        }
    }

    func connect(_ mode: Connection.Mode) throws(StoreError) -> PostgresConnection {
        var parameters = [("lock_timeout", "\(StoreLimits.turnMilliseconds)")]
        switch mode {
        case .reader: parameters.append(("default_transaction_read_only", "on"))
        case .writer:
            // A writer that stops within a transaction must not hold the turns for ever.
            parameters.append(
                ("idle_in_transaction_session_timeout", "\(StoreLimits.idleTransactionMilliseconds)"))
        }
        return try connect(parameters, milliseconds: StoreLimits.tripMilliseconds)
    }

    func connect(
        _ parameters: [(String, String)], milliseconds: Int64
    ) throws(StoreError) -> PostgresConnection {
        var settings = settings
        settings.sessionParameters += (Self.session + parameters).map { (name: $0.0, value: $0.1) }
        // A session that is to read only would be no read-write one, whatever its server is.
        if parameters.contains(where: { $0.0.utf8.elementsEqual("default_transaction_read_only".utf8) }),
            settings.target == .readWrite
        {
            settings.target = .primary
        }
        let end = MonotonicTime.now.advanced(byMilliseconds: Int(milliseconds))
        do throws(PostgresError) {
            return try PostgresConnector(settings, limits: limits).connect(until: end)
        } catch {
            throw StoreError(error, at: description)
        }
    }
}
