/// The backups that a server makes by itself.
package struct BackupSettings: Sendable, Equatable {
    /// How often, as a person writes it: `1h`. Nil: it makes none.
    package var every: String?
    /// How many are kept.
    package var keep = 24
    /// Where they lie; nil: in the data folder.
    package var folder: String?

    /// The seconds between two; nil: none are made.
    var seconds: Int64? { every.flatMap { LifeTime.seconds(of: $0) } }
}

/// Who may read what the server counts, besides programs on this machine.
package struct MetricsSettings: Sendable, Equatable {
    /// What a scraper sends as a bearer token; nil: no token will do.
    package var token: String?
    package var addresses: [AddressRange] = []
}
