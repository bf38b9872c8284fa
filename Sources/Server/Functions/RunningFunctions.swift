import Access
import Blueprint
import Functions
import JSON
import Network
import Synchronization
import UserPool

/// The functions that this server runs itself, and the keys with which they sign.
final class RunningFunctions: Sendable {
    let functions: Functions
    let roles: FunctionRoles
    /// The introspection of the models.
    let introspection: IntrospectionFile

    private let data: String
    private let described: Mutex<[FunctionSettings]>

    /// As they are set now.
    var settings: [FunctionSettings] { described.withLock { $0 } }

    /// Our runtimes, and what else is made for functions, in the data folder.
    private static let folderName = "functions"

    private static func folder(_ data: String) -> String { FunctionSetting.absolute("\(data)/\(folderName)") }

    /// The folder of the SDK that functions find besides their own.
    static func sdkFolder(_ data: String) -> String { "\(folder(data))/\(Bootstrap.sdkFolder)" }

    /// Nil where there are none, and none can come. Nothing runs before it is called.
    ///
    /// - Parameters:
    ///   - addresses: where the server listens, which functions call back.
    ///   - models: what they are told of the models.
    ///   - rights: what each may do.
    ///   - isRenewable: whether others may come (`adopt`).
    static func start(
        _ configuration: Configuration, _ pool: PoolIdentifiers?, at addresses: [SocketAddress],
        models: [UInt8]? = nil, rights: GivenRights = GivenRights(), isRenewable: Bool = false,
        keys: RoleKeys = RoleKeys(), environment: [String: String], _ log: Log
    ) throws(StartError) -> RunningFunctions? {
        let settings = configuration.functionsHere
        guard isRenewable || !settings.isEmpty else { return nil }
        do throws(SystemError) {
            if !settings.isEmpty { try DataFolder.make(configuration.data) }
            return try RunningFunctions(
                settings, configuration, pool, at: addresses, models: models, rights, keys,
                environment: environment, log)
        } catch {
            throw StartError(threads: error)
        }
    }

    private init(
        _ settings: [FunctionSettings], _ configuration: Configuration, _ pool: PoolIdentifiers?,
        at addresses: [SocketAddress], models: [UInt8]?, _ rights: GivenRights, _ keys: RoleKeys,
        environment: [String: String], _ log: Log
    ) throws(SystemError) {
        let roles = FunctionRoles(settings.map(\.name), rights, keys: keys)
        self.roles = roles
        introspection = IntrospectionFile(models, configuration, roles)
        data = configuration.data
        described = Mutex(settings)
        var surroundings = FunctionSurroundings(
            folder: Self.folder(configuration.data),
            credentials: { roles.credentials(of: $0) })
        surroundings.region = configuration.region(pool)
        surroundings.accountID = IAMPrincipal.exampleAccountID
        surroundings.endpoint = addresses.first.map { "http://\($0.usable)" }
        surroundings.environment = environment
        functions = try Functions(settings, surroundings) { report in
            // Runtimes part the fields of their lines by tabs, which no line of the log can have.
            let text = Self.withoutTabs(report.text)
            let function = JSONValue.string(report.function)
            let fields: KeyValuePairs<String, JSONValue> =
                report.request.map { ["function": function, "call": .string($0)] } ?? ["function": function]
            switch report.level {
            case .debug: log.debug(text, fields)
            case .info:
                switch FunctionLine.level(of: report.text) {
                case .debug, .info: log.info(text, fields)
                case .warning: log.warning(text, fields)
                case .error: log.error(text, fields)
                }
            case .warning: log.warning(text, fields)
            }
        }
    }

    /// Hot path: each invocation writes a few lines.
    private static func withoutTabs(_ text: String) -> String {
        let tab = UInt8(ascii: "\t")
        guard text.utf8.contains(tab) else { return text }
        return String(decoding: text.utf8.map { $0 == tab ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// Goes on with the functions of another configuration.
    func adopt(
        _ configuration: Configuration, models: [UInt8]?, rights: GivenRights
    ) throws(StartError) {
        let settings = configuration.functionsHere
        do throws(SystemError) {
            if !settings.isEmpty { try DataFolder.make(data) }
        } catch {
            throw StartError(.unwritableOutput, "cannot make the folder \(data) for functions: \(error)")
        }
        roles.adopt(settings.map(\.name), rights)
        introspection.adopt(models)
        described.withLock { $0 = settings }
        functions.adopt(settings)
    }

    /// Ends those that nobody calls.
    func beginToStop() { functions.beginToStop() }

    /// Ends them all, and waits for that. Not on a loop.
    func stop() { functions.stop() }
}

extension SocketAddress {
    /// The address by which a person and a program of this machine can reach what listens on this one: 0.0.0.0 is none. A number,
    /// never a name: SDKs put a bucket's name before a name.
    var usable: SocketAddress {
        guard isUnspecified else { return self }
        switch host {
        case .version4: return .loopback(port: port)
        case .version6: return SocketAddress(host: .version6(high: 0, low: 1, scope: 0), port: port)
        }
    }
}
