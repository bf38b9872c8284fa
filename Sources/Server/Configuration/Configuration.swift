import Blueprint
import Engine
import JSON
import Language
import Network
import Project
import Realtime
import Store

/// All that can be set about a server, with every value checked and every path resolved.
///
///     options ─┐
///     environment ─┤
///     file ────────┼─▶ ConfigurationResolver ─▶ Configuration, and where each value came from
///     defaults ────┘
///
/// What there is to set stands in one table, `ConfigurationKey.all`, whose rows write into the fields here: those of the
/// rooms' own structs, which say what holds when nobody sets them.
package struct Configuration: Sendable {
    /// A schema file or a folder of them; nil: it is looked for in the usual places.
    package var schema: String?
    /// Where the server listens, unless several places are named.
    package var host = "127.0.0.1"
    package var port = 20002
    /// True if the server takes the first free port of `searchedPorts`; `port` is 0 then.
    package var searchesPort = false
    package var listen: [ListenAddress] = []
    package var certificate: String?
    package var certificateKey: String?
    /// The folder for everything that the server keeps.
    package var data = ".homeport"
    /// The database file, `:memory:`, or the URL of a database on a server; nil: the usual file in the folder.
    package var databasePath: String?
    /// A file with the password for a database on a server.
    package var databasePasswordFile: String?
    /// The database on a server that `databasePath` names, with its password.
    package internal(set) var databaseServer: ServerPlace?
    /// True if this is one of several servers over one database.
    package var hasNodes = false
    /// Where the other servers call this one; nil: where it listens.
    package var nodeAddress: String?
    /// Changes of stored data that may lose some, by name.
    package var forcedMigrations: [String] = []
    /// A file of data that an empty database starts with.
    package var seed: String?
    /// The files for clients that a start writes; nil: that of a Gen 2 project, where Amplify has it.
    package var outputs: [String]?
    /// Whether the project is read again when it has changed; nil: where a person looks on.
    package var watches: Bool?
    /// Whether tests may reset, stop the clock and more; nil: for a command that is run beside the server.
    package var hasTestControl: Bool?
    /// Whether there is a page for people at `/`; nil: where nobody but this machine reaches the server.
    package var hasConsole: Bool?
    /// What tests show for that; nil: made at the start.
    package var testKey: TestKey?
    /// Names in a `Host` header that are answered, besides loopback and the addresses that the server is bound to.
    package var allowedHosts: [String] = []
    /// Those who may tell of the client before them.
    package var proxies: [AddressRange] = []
    /// Whether web pages of public sites may call this server where it stands in a private network.
    package var allowsPrivateNetworkAccess = false
    /// How many event loops run; nil: one for each core.
    package var eventLoops: Int?
    package var log = LogSettings()
    package var backup = BackupSettings()
    package var metrics = MetricsSettings()
    package var http = HTTPLimits()
    package var webSocket = WebSocketSettings()
    package var realtime = RealtimeLimits()
    package var engine = EngineSettings()
    package var functions: [String: FunctionSetting] = [:]
    /// Whether functions may do only what could be read of what they are given.
    package var hasStrictFunctions = false
    /// The queues that the app has, by their names.
    package var queues: [String: QueueSetting] = [:]
    /// The buses of events that the app has beside the usual one, and the rules by which events are passed on.
    package var eventBuses: [String] = []
    package var eventRules: [String: EventRuleSetting] = [:]
    /// The fields of the project's models that say when a record is to go.
    package var expiries: [ModelExpiry] = []
    /// The state machines that the app has, by their names.
    package var stateMachines: [String: WorkflowSetting] = [:]
    /// Channels beside the graph: AppSync Events.
    @Boxed package var eventAPI = EventAPISetting()
    /// Resolvers of the app's own.
    package var resolvers = ResolverSettings()
    package var auth = AuthSettings()
    package var signIn = SignInSettings()
    package var mail = MailSettings()
    package var sms = SMSSettings()
    package var language = LanguageSettings()
    package var files = FileConfiguration()
    package var sync = SyncSettings()
    /// What a schema that lies in no project is read with. Over the settings of a project goes only what was set.
    package var project = Settings()

    /// What holds when nothing is set.
    static let standard = Configuration()

    /// Where the server listens, at least one.
    package var listeners: [ListenAddress] { listen.isEmpty ? [ListenAddress(host: host, port: port)] : listen }

    /// The word for a port that is searched for.
    static let searchWord = "auto"
    /// The ports that are tried, in their order.
    static let searchedPorts = 20_002...20_101

    /// The certificate and key for TLS; nil: those that `homeport certificate` made, if it did.
    package var tls: TLSFiles? {
        guard let certificate, let certificateKey else { return nil }
        return TLSFiles(certificate: certificate, key: certificateKey)
    }

    package var database: DatabaseLocation {
        if let databaseServer { return .server(databaseServer) }
        return databasePath == ":memory:" ? .memory : .file(databasePath ?? "\(data)/data.sqlite")
    }
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

/// What is logged, and how.
package struct LogSettings: Sendable, Equatable {
    package var format = LogFormat.text
    package var level = LogLevel.info
    /// Whether each request gets a line.
    package var requests = true
    /// Whether such a line has the client's address and the subject of its token; nil: where others reach the server.
    package var clients: Bool?
}
