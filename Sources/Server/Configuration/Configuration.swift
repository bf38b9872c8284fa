import Network

/// All that can be set about a server, with every value checked and every path resolved.
///
///     options ─┐
///     environment ─┤
///     file ────────┼─▶ ConfigurationResolver ─▶ Configuration, and where each value came from
///     defaults ────┘
///
/// What there is to set stands in one table, `ConfigurationKey.all`; this is its typed other side.
package struct Configuration: Sendable, Equatable {
    /// A schema file or a folder of them; nil: it is looked for in the usual places.
    package var schema: String?
    /// Where the server listens, at least one.
    package var listeners: [ListenAddress]
    /// The certificate and key for TLS; nil: those that `homeport certificate` made, if it did.
    package var tls: TLSFiles?
    /// The folder for everything that the server keeps.
    package var data: String
    package var database: DatabaseLocation
    /// Changes of stored data that may lose some, by name.
    package var forcedMigrations: [String]
    /// A file of data that an empty database starts with.
    package var seed: String?
    /// Names in a `Host` header that are answered, besides loopback and the addresses that the server is bound to.
    package var allowedHosts: [String]
    /// Whether web pages of public sites may call this server where it stands in a private network.
    package var allowsPrivateNetworkAccess: Bool
    /// Whether clients may ask for the API's schema.
    package var allowsIntrospection: Bool
    /// How many event loops run; nil: one for each core.
    package var eventLoops: Int?
    package var log: LogSettings
    package var limits: LimitSettings
    package var auth: AuthSettings
    package var features: FeatureSettings
    package var sync: SyncRetention
    /// Lambda functions by name, and where they are called.
    package var functions: [String: String]
}

/// An address and port to listen on.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`; an IPv6 address stands in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0 == "[" || $0 == "]" || $0 == "/" || $0.isWhitespace }) else {
            return nil
        }
        self.init(host: String(host), port: Int(port))
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether it stands for every address of the machine.
    var isUnspecified: Bool { host == "*" || SocketAddress(numeric: host, port: 0)?.isUnspecified == true }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The files of a certificate chain and its key, in PEM form.
package struct TLSFiles: Sendable, Equatable {
    package let certificate: String
    package let key: String
}

/// Where the data is: in a file, or only as long as the server runs.
package enum DatabaseLocation: Sendable, Equatable {
    case memory
    case file(String)
}

/// How long what synced models leave behind is kept.
package struct SyncRetention: Sendable, Equatable {
    package var logMinutes: Int64
    package var tombstoneMinutes: Int64
}

/// What is logged, and how.
package struct LogSettings: Sendable, Equatable {
    package var format: LogFormat
    package var level: LogLevel
    /// Whether each request gets a line.
    package var requests: Bool
}
