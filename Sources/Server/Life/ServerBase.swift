import Blueprint
import Console
import Engine
import JSON
import Network
import Parameters
import Project
import Store
import UserPool

/// The base that a server is built around: its names, its certificate, who recognises callers, and what the project says.
final class ServerBase {
    let resolution: ConfigurationResolver.Resolution
    let environment: [String: String]
    let isWatching: Bool
    let engine: Engine
    let reading: ProjectReading
    let resources: Project
    let definitions: CurrentDefinitions
    let places: FilesSettings
    let pool: PoolIdentifiers?
    let userPool: UserPool?
    let tls: ReloadableTLSContext?
    let recognition: CallerRecognition
    let loops: EventLoopGroup
    let addresses: [SocketAddress]
    let console: Console?
    let announced: AnnouncedServer
    let place: ServedDefinitions.Place
    let running: (configuration: Configuration, models: [UInt8]?, rights: GivenRights)
    let startedMilliseconds: Int64
    let tests: TestControl?
    /// How worlds of this server are started; nil: it is one.
    let worlds: WorldCommand?
    /// The hold on a database on a server; nil for one in a file or in memory.
    let hold: ServerHold?
    let log: Log

    var configuration: Configuration { resolution.configuration }

    @inline(never)
    init(
        _ process: ServerProcess, _ pool: PoolIdentifiers?, places: FilesSettings, over engine: Engine,
        of reading: ProjectReading, in resources: Project, on sockets: ListeningSockets,
        _ loops: EventLoopGroup, _ runningFile: RunningFile?, _ tests: TestControl?, _ hold: ServerHold?, _ log: Log
    ) throws(StartError) {
        let configuration = process.configuration
        let environment = process.environment
        tls = try ServerCertificate.context(for: configuration, environment, log)
        recognition = CallerRecognition(configuration, pool, loops: loops.loops.count, log)
        userPool = BuiltInPool.open(
            configuration, pool, over: engine.store, groupsWithRoles: places.groups, on: loops.loops[0], log)
        let definitions = ProjectDefinitions(resolution: process.resolution, resources: resources)
        let console = Console.of(
            process.resolution, over: engine.store, schemaAt: reading.place, environment: environment)
        if console?.keepsOutlines == true { log.queue.tail.keepAlways() }
        let startedMilliseconds = Timestamp.now.millisecondsSince1970
        let announced = AnnouncedServer(
            addresses: sockets.addresses, pool: pool, isSecure: tls != nil, testKey: tests?.key,
            hasConsole: console != nil, isWatching: process.isWatching)
        let place = ServedDefinitions.Place(
            identifiers: pool, addresses: sockets.addresses, environment: environment,
            writesUsualOutputs: process.guest == nil,
            isPut: { [store = engine.store] in ParameterStore.hasParameter($0, in: store) },
            announce: { definitions, blueprint, place in
                runningFile?.write(
                    announced.banner(
                        definitions.resolution.configuration, definitions.resources, blueprint, from: place),
                    startedMilliseconds: startedMilliseconds)
            })
        running = ServedDefinitions.running(definitions, places, at: place, of: reading, engine.blueprint, log)
        CloudAddressNotices.begin(running.configuration.functionsHere, log)
        MissingPackageNotices.begin(
            running.configuration.functionsHere, sdk: RunningFunctions.sdkFolder(configuration.data), log)
        (resolution, self.environment, isWatching) = (process.resolution, environment, process.isWatching)
        (self.engine, self.reading, self.resources) = (engine, reading, resources)
        self.definitions = CurrentDefinitions(definitions)
        (self.places, self.pool, self.loops, addresses) = (places, pool, loops, sockets.addresses)
        (self.console, self.announced, self.place) = (console, announced, place)
        (self.startedMilliseconds, self.tests, self.log) = (startedMilliseconds, tests, log)
        self.hold = hold
        worlds = tests == nil ? nil : process.worldCommand
    }

    /// Where this server is, for what it asks of itself: `http://127.0.0.1:20002`; empty: nowhere.
    var base: String { addresses.first.map { "\(tls == nil ? "http" : "https")://\($0.usable)" } ?? "" }
}
