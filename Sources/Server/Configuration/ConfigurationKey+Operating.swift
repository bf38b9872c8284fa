import JSON

extension ConfigurationKey {
    /// The keys for operating: backups, and the readers of the metrics.
    static let operating: [ConfigurationKey] = [
        ConfigurationKey(
            "backup.every",
            .form(
                "time", expectation: "a time such as \"1h\", \"30m\" or \"7d\"",
                admits: { LifeTime.seconds(of: $0) != nil }), \.backup.every,
            "How often the server writes a backup by itself, as `homeport backup` does. Without it, never."),
        ConfigurationKey(
            "backup.keep", .integer(1...10_000), \.backup.keep,
            "How many of these backups are kept. The oldest ones are removed when a new one is whole."),
        ConfigurationKey(
            "backup.folder", .path, \.backup.folder,
            "The folder of these backups. Without it, `backups` in the `data` folder; another disk is better."),
        ConfigurationKey(
            "metrics.token",
            .secret(
                "token",
                expectation: "at least \(MetricsAccess.tokenBytesMin) visible characters of ASCII without spaces",
                admits: { MetricsAccess.isToken($0) }), \.metrics.token,
            "The token that a scraper sends for `/metrics`, as `Authorization: Bearer TOKEN`. Without it, none is valid."
        ),
        ConfigurationKey(
            "metrics.addresses",
            .list(
                .form(
                    "address or network",
                    expectation: "an address such as \"10.0.0.7\", or a network such as \"10.0.0.0/8\"",
                    admits: { AddressRange($0) != nil })), \.metrics.addresses,
            "The addresses from which `/metrics` is answered without a token, besides programs on this machine."),
    ]
}
