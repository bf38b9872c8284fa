import Access
import Console
import Crypto
import Engine
import Events
import Files
import GraphQL
import Items
import JSON
import Network
import Outbox
import Queues
import Realtime
import Store
import Synchronization
import UserPool
import Workflows

/// What the console sees of the server: the parts that it asks, once they serve.
final class ConsoleHouse: ConsoleHost {
    let parts: Parts

    /// What there is once the server serves.
    struct Parts: Sendable {
        let application: Application
        /// What is served of the project.
        let definitions: CurrentDefinitions
        let resolution: ConfigurationResolver.Resolution
        let pool: UserPool?
        let files: FileService
        let outbox: Outbox
        let functions: RunningFunctions?
        let queues: Queues
        let events: Events
        let workflows: Workflows
        let schedules: RunningSchedules
        let items: ItemService
        let log: Log
        let addresses: [SocketAddress]
        let startedMilliseconds: Int64
    }

    private let known = Mutex<KnownSchema?>(nil)
    private let madeVersion = Mutex<String?>(nil)

    init(_ parts: Parts) { self.parts = parts }

    var configuration: Configuration { parts.resolution.configuration }

    // MARK: What is served

    var engine: Engine { parts.application.engine }
    var realtime: Realtime { parts.application.realtime }
    var pool: UserPool? { parts.pool }
    var outbox: Outbox { parts.outbox }
    var files: FileService { parts.files }

    func api(on loop: EventLoop) -> (engine: Engine, shard: EngineShard) {
        let callers = parts.application.shard(on: loop).callers
        return (callers.api, callers.engine)
    }

    func poolShard(on loop: EventLoop) -> PoolShard { parts.application.shard(on: loop).pool }

    func recognise(_ authorization: String, on loop: EventLoop) async -> Result<Identity, Refusal> {
        let fields = ListedFields([("authorization", authorization)], source: .thisMachine)
        return await parts.application.shard(on: loop).callers.recognised(
            CredentialRequest(path: Route.graphql.path, fields: fields, body: Array("{}".utf8)))
    }

    // MARK: The schema

    /// What is read of the schema's files for the API that is served, and not for each request.
    private struct KnownSchema: Sendable {
        let version: String
        let schema: ProjectSchema?
    }

    /// The files of the schema with all that is to be said of them; nil where they cannot be read any more.
    func schema() -> ProjectSchema? {
        let version = schemaVersion
        if let known = known.withLock({ $0 }), known.version.utf8.elementsEqual(version.utf8) { return known.schema }
        let schema = try? ProjectSchema.read(parts.definitions.value.resolution)
        known.withLock { $0 = KnownSchema(version: version, schema: schema) }
        return schema
    }

    func schemaTexts() -> (sources: [Source], api: String) {
        let schema = schema()
        let api = schema?.reading.hasAPI == true ? schema?.api?.printedStandalone(authDirectives: false) : nil
        return (schema?.reading.sources ?? [], api ?? "")
    }

    var schemaVersion: String {
        guard !configuration.hasNodes else { return sharedVersion }
        return "\(String(parts.startedMilliseconds, radix: 36))-\(parts.application.generation)"
    }
}

extension ConsoleHouse {
    /// The version of a schema that no node changes while it runs: the same at all of them, since a page may ask any.
    private var sharedVersion: String {
        madeVersion.withLock { version in
            if let version { return version }
            let sources = (try? ProjectSchema.read(parts.definitions.value.resolution))?.reading.sources ?? []
            let digest = Digest.sha256.of(sources.flatMap { $0.bytes + [0] })
            let made = "nodes-\(Hexadecimal.text(of: digest).prefix(16))"
            version = made
            return made
        }
    }
}

extension Console {
    /// The console of a configuration; nil where there is none.
    ///
    /// Without a word about it, it is there where nobody else reaches the server.
    static func of(
        _ resolution: ConfigurationResolver.Resolution, over store: Store, schemaAt place: String,
        environment: [String: String]
    ) -> Console? {
        let configuration = resolution.configuration
        guard configuration.hasConsole ?? configuration.isForThisMachineOnly else { return nil }
        let instance = Hexadecimal.text(of: store.secret(for: "the console's instance")).prefix(8)
        return Console(
            ConsoleSettings(
                name: ConsoleName.of(place), version: Version.number, instance: String(instance),
                isDevelopment: configuration.isForThisMachineOnly, hasNodes: configuration.hasNodes,
                environment: environment),
            over: store)
    }
}
