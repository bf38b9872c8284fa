/// What a person sees when the server has started: where it is, how to call it, where the data lives.
package struct Banner: Sendable {
    package var urls: [String]
    /// The API key, if it is the well-known one, which is no secret; nil: it is not shown.
    package var apiKey: String?
    /// Where the data is, as a path or in words.
    package var data: String
    package var startMilliseconds: Double

    package init(urls: [String], apiKey: String?, data: String, startMilliseconds: Double) {
        self.urls = urls
        self.apiKey = apiKey
        self.data = data
        self.startMilliseconds = startMilliseconds
    }

    /// The banner of a configuration. With a port of 0 the caller knows better where it listens.
    package init(_ configuration: Configuration, urls: [String], startMilliseconds: Double) {
        let data =
            switch configuration.database {
            case .memory: "in memory, gone at the end"
            case .file(let path): path
            }
        let isWellKnown = configuration.auth.apiKeys.contains { $0.key == AuthSettings.wellKnownKey }
        self.init(
            urls: urls,
            apiKey: isWellKnown && configuration.auth.modes.contains(.apiKey) ? AuthSettings.wellKnownKey : nil,
            data: data, startMilliseconds: startMilliseconds)
    }

    /// The lines to print.
    package func text(hasColours: Bool) -> String {
        let bold = hasColours ? "\u{1B}[1m" : ""
        let dim = hasColours ? "\u{1B}[2m" : ""
        let reset = hasColours ? "\u{1B}[0m" : ""
        let tenths = Int((startMilliseconds.isFinite ? max(0, min(startMilliseconds, 1e12)) : 0) * 10)
        var lines = [
            "\(bold)\(Version.name) \(Version.number)\(reset)  \(dim)started in \(tenths / 10).\(tenths % 10) ms\(reset)"
        ]
        for (index, url) in urls.enumerated() {
            lines.append("  \(dim)\(index == 0 ? "API    " : "       ")\(reset)  \(url)")
        }
        if let apiKey { lines.append("  \(dim)API key\(reset)  \(apiKey)") }
        lines.append("  \(dim)Data   \(reset)  \(data)")
        return lines.joined(separator: "\n")
    }
}
