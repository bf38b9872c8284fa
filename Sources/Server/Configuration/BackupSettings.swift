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

/// The addresses that may read the metrics, besides this machine.
package struct MetricsSettings: Sendable, Equatable {
    /// The bearer token of a scraper; nil: no token is accepted.
    package var token: String?
    package var addresses: [AddressRange] = []
}
