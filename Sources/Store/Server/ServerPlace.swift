import JSON
import Network
import Postgres

/// A database on a server of PostgreSQL's, and how its connections are made.
package struct ServerPlace: Sendable, Equatable, CustomStringConvertible {
    private let settings: PostgresSettings
    private let limits: PostgresLimits

    /// - Parameter settings: a URL or keywords, with libpq's names. No error quotes it: it may hold a password.
    package init(_ settings: String) throws(StoreError) {
        do throws(PostgresSettingsError) { self.init(try PostgresSettings(settings)) } catch {
            throw StoreError(.invalidArgument, "the database's address on a server is wrong: \(error)")
        }
    }

    package init(_ settings: PostgresSettings, limits: PostgresLimits = PostgresLimits()) {
        self.settings = settings
        self.limits = limits
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
        ("lock_timeout", "\(StoreLimits.turnMilliseconds)"),
    ]

    func connect(_ mode: Connection.Mode) throws(StoreError) -> PostgresConnection {
        var settings = settings
        settings.sessionParameters += Self.session.map { (name: $0.0, value: $0.1) }
        switch mode {
        case .reader: settings.sessionParameters.append((name: "default_transaction_read_only", value: "on"))
        case .writer:
            // A writer that stops within a transaction must not hold the turns for ever.
            settings.sessionParameters.append(
                (name: "idle_in_transaction_session_timeout", value: "\(StoreLimits.idleTransactionMilliseconds)"))
        }
        let end = MonotonicTime.now.advanced(byMilliseconds: Int(StoreLimits.tripMilliseconds))
        do throws(PostgresError) {
            return try PostgresConnector(settings, limits: limits).connect(until: end)
        } catch {
            throw StoreError(error, at: description)
        }
    }
}
