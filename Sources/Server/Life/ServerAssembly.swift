import Access
import Cloud
import Console
import Engine
import Events
import Files
import JSON
import KeyManagement
import Language
import Network
import Parameters
import UserPool

/// All parts of a server, put together. Whoever makes one begins and ends what lives beside requests (`parts`).
struct ServerAssembly {
    let parts: [any ServedPart]
    /// The project that the parts begin with.
    let project: ServedProject
    let application: Application
    let server: HTTPServer
    let files: FileService
    let stacks: StackCalls
    /// Set where the server is one of several.
    let nodes: ServedNodes?

    /// Prepares the parts as well: the first request may be for what they make.
    @inline(never)
    init(_ frame: ServerBase, _ functions: RunningFunctions?, _ designer: ProjectDesigner) throws(StartError) {
        let (configuration, log, region) = (frame.configuration, frame.log, frame.places.region)
        let (store, first) = (frame.engine.store, frame.loops.loops[0])
        let (pool, running) = (frame.userPool, frame.running.configuration)
        let given = GivenCredentials(pool, functions)
        let files = BuiltInFiles.open(configuration, frame.places, given, frame.running.rights, over: store, log)
        let addresses = FunctionAddresses(configuration)
        let deliveries = try Deliveries(
            configuration, over: store, region: region, functions: functions, on: first, log)
        let outbox = OutboxSenders(
            configuration, addresses, deliveries.queues, over: store, region: region, functions: functions, on: first,
            log)
        let items = BuiltInItems.open(
            over: store, region: region, decisionMilliseconds: configuration.engine.limits.mutationMilliseconds, log)
        let parameters = ParameterStore(over: store)
        let stacks = StackCalls(region: region)
        // With several nodes, a call of a service that is not known to work there is refused by the service's name.
        let hasNodes = configuration.hasNodes
        let tables = ServedTables(
            queues: deliveries.queues, events: deliveries.events, outbox: outbox.outbox,
            function: { addresses.address(of: $0) }, parameters: parameters,
            given: EnvironmentSecrets(
                in: configuration.data, environment: frame.environment,
                functions: configuration.functions.keys.sorted()),
            keys: KeyRing(in: configuration.database == .memory ? nil : configuration.data), stacks: stacks,
            region: region
        ).rows.filter { !hasNodes || NodeCheck.serves($0.route) }
        let workflows = RunningWorkflows(
            running, over: store, region: region, items: items, deliveries.queues, tables: tables.map(\.table),
            hasNodes && configuration.files.sharedFolder == nil ? nil : files, addresses, functions: functions,
            on: first, log)
        let schedules = RunningSchedules(
            over: store, region: region, functions: functions?.functions, workflows.workflows, deliveries.events,
            deliveries.queues, on: first, log)
        let gateway = GatewayRoute(
            configuration, addresses, given, try GatewayUsers(configuration, frame.recognition))

        // What is asked by requests.
        let sources = SourceRoles()
        let callers = ServiceCallers(configuration, GivenCredentials(functions?.roles, sources))
        let language = Language(configuration.language, HTTPClient(on: first))
        let base = frame.base
        designer.assistants?.begin(language, endpoint: base.isEmpty ? "" : "\(base)/graphql")
        let invocations = InvocationCalls(addresses, functions, region: region)
        var services: [any CloudService] = [
            ItemRoute(items, configuration, callers), gateway,
            TableService(
                .functions, invocations.table, callers, others: invocations.others(pool?.temporaryCredentials)),
            LanguageRoute(language, callers), EvaluationRoute(callers), SchemaRoute(callers),
        ]
        services += ServedTables.services(tables, workflows.workflows, callers) as [any CloudService]
        if let introspection = functions?.introspection { services.append(introspection) }
        let nodes = ServedNodes(configuration, frame.engine, at: base, on: first, log)
        self.nodes = nodes
        if hasNodes {
            let calls = KeeperCalls(workflows.workflows, over: store, by: OutsideClient(on: first, trace: log.trace))
            workflows.workflows.passCalls(calls.pass)
            services.append(calls)
        }
        let cloud = CloudServices(services.filter { !hasNodes || NodeCheck.serves($0.route) })
        designer.resolvers?.begin(
            ResolverBackend.Parts(
                items: items, events: EventCalls(deliveries.events).table, language: language, base: base,
                sources: sources, services: Set(texts: cloud.regionalServices)))
        let project = ServedProject(
            configuration, running: running, models: frame.running.models, rights: frame.running.rights,
            defaultMode: frame.engine.blueprint.settings.defaultMode, buckets: frame.places,
            topics: frame.resources.topics, log)
        let channels = try ChannelService(
            project, frame.recognition, isRenewable: frame.isWatching, tests: frame.tests)
        let health = ServerHealth(
            database: store.isLocal ? store.path : nil, on: frame.hold, nodes: nodes, files: files.folderPath,
            makesBackups: configuration.backup.seconds != nil,
            reservedBytes: UInt64(clamping: configuration.files.freeBytes))
        let bounds = SharedBounds(configuration.http)
        let application = Application(
            configuration, engine: frame.engine, isRenewable: frame.isWatching || nodes != nil,
            boundTo: frame.addresses,
            on: frame.loops, log: log,
            authenticators: try frame.recognition.authenticators(for: frame.engine.blueprint.settings.modes),
            bounds: bounds, pool: pool, files: files, cloud: cloud, functions: functions,
            given: given, tests: frame.tests, console: frame.console, channels: channels, health: health)
        let options = HTTPServerOptions(
            limits: configuration.http, bounds: bounds, tls: frame.tls, identifierField: "x-amzn-requestid",
            report: { log.warning("\($0)") })
        server = HTTPServer(
            frame.tests.map { TestedApplication(application, $0) } ?? application, options: options, on: frame.loops)
        (self.application, self.files, self.stacks) = (application, files, stacks)

        // What lives beside requests: first what is called, then what calls it.
        let outside: @Sendable () -> OutsideClient = { OutsideClient(on: first, functions: functions?.functions) }
        var parts: [any ServedPart] = functions.map { [$0] } ?? []
        parts += [
            addresses, sources, outbox,
            ItemPart(items: items, tables: ProjectTables(running, in: items, log), loop: first),
            ParameterPart(store: parameters), deliveries, workflows, schedules,
            GatewayPart(gateway: gateway, recognition: frame.recognition),
            FilePart(files, on: first) { [isWatching = frame.isWatching] in
                files.eventSender(by: outside(), on: first, isRenewable: isWatching)
            },
        ]
        if let pool {
            parts.append(
                PoolPart(pool, frame.pool) {
                    PoolMessages(pool, configuration, functions: functions?.functions, on: first, log)
                })
        }
        if let channels { parts.append(ChannelPart(channels, frame.recognition, project)) }
        if nodes != nil {
            let hasFiles = configuration.files.sharedFolder != nil
            parts = parts.filter { NodeCheck.serves($0) && (hasFiles || !($0 is FilePart)) }
        }
        first.wait(for: { [parts] in await parts.prepare(project) })
        // Changes of the tables that are there by now.
        let streams = try TableStreams.start(
            configuration, of: frame.engine.blueprint, over: store, items, region: configuration.region(frame.pool),
            by: outside(), on: first, isRenewable: frame.isWatching, log)
        if let streams { parts.append(StreamPart(streams: streams)) }
        let backups = BackupSchedule(
            configuration, database: store.path, files: files.folderPath, on: first, log, health)
        if let backups { parts.append(backups) }
        if let nodes {
            nodes.lead(parts)
            parts.append(nodes)
        }
        (self.parts, self.project) = (parts, project)

        frame.tests?.serve(
            application, pool, files, items, outbox.outbox, parts, configuration, worlds: frame.worlds, on: first, log)
        frame.console?.serve(
            ConsoleHouse(
                ConsoleHouse.Parts(
                    application: application, definitions: frame.definitions, resolution: frame.resolution, pool: pool,
                    files: files,
                    outbox: outbox.outbox, functions: functions, queues: deliveries.queues, events: deliveries.events,
                    workflows: workflows.workflows, schedules: schedules, items: items, log: log,
                    addresses: frame.addresses, startedMilliseconds: frame.startedMilliseconds)))
    }
}
