import Access
import Blueprint
import Cloud
import Console
import Crypto
import Engine
import Events
import Files
import Glibc
import GraphQL
import Items
import JSON
import KeyManagement
import Language
import Network
import Parameters
import Store
import Synchronization
import Threads
import UserPool

/// A server from its start to its end: listens, serves, and stops when a signal says so.
///
///     listen ─▶ schema ─▶ database, seed ─▶ TLS ─▶ loops ─▶ accept ─▶ banner ─▶ serve ─┬─ SIGHUP: certificate read again
///                                                                                    ├─ SIGTERM, SIGINT: finish and end
///                                                                                    └─ a second one: end at once
///
/// What runs beside what until then:
///
///     here     sockets ─┬─ schema read ──────────┬─ its API made ────────┬─ tables made ─ engine ─ loops ─ accept
///     beside            ├─ file opened ──────────┴─ tables that it wants ┘
///                       └─ OpenSSL woken, the rules of GraphQL asked of the schema
///
/// `bench/start` measures what each of them is worth. Two seconds after the start the pages that only it needed are given
/// back, for memory's sake (`StartPages`).
///
/// A stop that takes longer than `limits.stopMilliseconds`, and a moment to close what is open, ends by itself.
/// Who connects while the server starts waits for it, instead of trying again and again.
struct ServerProcess {
    let resolution: ConfigurationResolver.Resolution
    /// The same without what the project says.
    let own: ConfigurationResolver.Resolution
    /// The project around the schema, or why it cannot be read.
    let project: Result<ProjectResources, UnreadableSchema>
    let environment: [String: String]
    let output: CommandOutput
    /// What is run while the server serves; nil: it serves until it is told to stop.
    let guest: GuestCommand?
    let started: MonotonicTime
    /// Whether the start prints all that is called by a name.
    let isVerbose: Bool

    private var configuration: Configuration { resolution.configuration }

    /// How long after the last request the server may take to close the database and what else is open.
    private static let closeMilliseconds = 1_000
    /// How long the last line may take.
    private static let lastLineMilliseconds = 200

    func run() -> ExitCode {
        // Before any thread is made: every thread inherits what is blocked, and only the one that waits gets signals.
        SignalWait.block()
        DescriptorLimit.raise()
        let queue = LogQueue(configuration.log.format)
        let log = Log(
            configuration.log, to: queue, hasColours: TerminalColours.areWanted(on: 2, environment: environment))
        defer { queue.stop() }
        for warning in resolution.warnings { log.warning(warning) }
        if configuration.auth.explainsDenials { log.warning(DenialExplainer.warning) }
        let progress = StopProgress()
        do throws(StartError) {
            return try serve(log, try signals(log, progress), progress)
        } catch {
            queue.flush()
            StartReport(output, log).refused(error)
            return error.code
        }
    }

    /// From here on a signal is heard, and the process ends in time after it.
    private func signals(_ log: Log, _ progress: StopProgress) throws(StartError) -> SignalWait {
        let requests = min(configuration.http.stopMilliseconds, Int.max - Self.closeMilliseconds)
        let signals = SignalWait(
            stopMilliseconds: requests + Self.closeMilliseconds, whenRepeated: { [guest] in guest?.endNow() }
        ) { [guest] in
            guest?.endNow()
            log.error(
                "the server did not stop in time, and is ended: what was acknowledged is on the disk",
                ["running": .string(progress.description)])
            log.queue.flush(milliseconds: Self.lastLineMilliseconds)
            ProcessEnd.now(.stopTookTooLong)
        }
        do throws(SystemError) { try signals.begin() } catch { throw StartError(threads: error) }
        return signals
    }

    private func serve(
        _ log: Log, _ signals: SignalWait, _ progress: StopProgress
    ) throws(StartError) -> ExitCode {
        let tests = try TestControl.of(configuration, hasGuest: guest != nil)
        let loops = max(1, configuration.eventLoops ?? EventLoopGroup.usableCores)
        let sockets = try listeningSockets(loops: loops)
        step("the sockets listen", log)
        // Beside, from here on: the file is opened.
        if let obstacle = BackupRestore.obstacle(in: configuration.data) {
            throw StartError(.unreadableInput, obstacle)
        }
        var lock = try serverLock()
        // Behind the store: closing the file would end SQLite's locks.
        defer { withExtendedLifetime(lock) {} }
        let opening = StoreOpening(configuration)
        defer { opening.cancel() }
        let designer = ProjectDesigner(
            resolution: resolution, log: log, assistants: LanguageAssistants(report: { log.warning("\($0)") }),
            resolvers: ResolverBackend())
        let reading = try designer.reading()
        // Beside, from here on: the tables that the blueprint wants are worked out. A refused schema leaves the file as it is.
        if let blueprint = reading.reading.blueprint { opening.expect(blueprint) }
        let resources = try readableProject()
        let design = try designer.design(of: reading, output)
        try tell(of: resources, log)
        if let signal = signals.stopSignal {
            log.info("stopping before the database is touched", ["signal": .string(signal.name)])
            return .success
        }
        step("the schema is read: \(Counted.text(design.blueprint.models.count, "model"))", log)
        let store = try opening.store(for: design.blueprint, configuration, log)
        if lock == nil {
            do throws(StartError) { lock = try serverLock() } catch {
                try? store.close()
                throw error
            }
        }
        step("the database is open", log)
        let code: ExitCode
        do throws(StartError) {
            try SeededStore.fill(store, of: design.blueprint, from: configuration.seed, log)
            code = try serve(
                Engine(design, over: store), of: reading, in: resources, designer, on: sockets, loops: loops, tests,
                log, signals,
                progress)
        } catch {
            // The file is whole even so: the next start need not check it.
            try? store.close()
            throw error
        }
        progress.enter(.closingDatabase)
        do throws(StoreError) {
            try store.close()
        } catch {
            throw StartError(.unwritableOutput, "the database could not be closed: \(error)")
        }
        return code
    }

    private func serve(
        _ engine: Engine, of reading: ProjectReading, in resources: ProjectResources, _ designer: ProjectDesigner,
        on sockets: ListeningSockets, loops count: Int, _ tests: TestControl?, _ log: Log, _ signals: SignalWait,
        _ progress: StopProgress
    ) throws(StartError) -> ExitCode {
        let tls = try ServerCertificate.context(for: configuration, environment, log)
        let pool = try BuiltInPool.identifiers(of: configuration)
        try KeptFiles.demandOwnUsers(of: pool, in: engine.store, configuration)
        let recognition = CallerRecognition(configuration, pool, loops: count, log)
        let loops: EventLoopGroup
        do throws(SystemError) { loops = try EventLoopGroup(count: count) } catch { throw StartError(threads: error) }
        defer { loops.stop() }
        let limits = configuration.http
        let bounds = SharedBounds(limits)
        let options = HTTPServerOptions(
            limits: limits, bounds: bounds, tls: tls, identifierField: "x-amzn-requestid",
            report: { log.warning("\($0)") })
        let places = try filePlaces(resources, pool)
        let userPool = BuiltInPool.open(
            configuration, pool, over: engine.store, groupsWithRoles: places.groups, on: loops.loops[0], log)
        let definitions = ProjectDefinitions(resolution: resolution, resources: resources)
        let runningFile = guest == nil ? RunningFile(in: configuration.data) : nil
        defer { runningFile?.remove() }
        let console = Console.of(
            resolution, over: engine.store, schemaAt: reading.place, environment: environment)
        if console?.keepsOutlines == true { log.queue.tail.keepAlways() }
        let startedMilliseconds = Timestamp.now.millisecondsSince1970
        let announced = AnnouncedServer(
            addresses: sockets.addresses, pool: pool, isSecure: tls != nil, testKey: tests?.key,
            hasConsole: console != nil, isWatching: isWatching)
        let place = ServedDefinitions.Place(
            identifiers: pool, addresses: sockets.addresses, environment: environment,
            writesUsualOutputs: guest == nil,
            announce: { definitions, blueprint, place in
                runningFile?.write(
                    announced.banner(
                        definitions.resolution.configuration, definitions.resources, blueprint, from: place),
                    startedMilliseconds: startedMilliseconds)
            })
        let running = ServedDefinitions.running(definitions, places, at: place, of: reading, engine.blueprint, log)
        CloudAddressNotices.begin(running.configuration.functionsHere, log)
        MissingPackageNotices.begin(
            running.configuration.functionsHere, sdk: RunningFunctions.sdkFolder(configuration.data), log)
        let functions = try RunningFunctions.start(
            running.configuration, pool, at: sockets.addresses, models: running.models,
            rights: running.rights, isRenewable: isWatching,
            environment: environment, log)
        // Behind all who call them.
        defer { functions?.stop() }
        let given = GivenCredentials(userPool, functions)
        let files = BuiltInFiles.open(configuration, places, given, over: engine.store, log)
        let first = loops.loops[0]
        let addresses = FunctionAddresses(configuration)
        let deliveries = try Deliveries(
            configuration, over: engine.store, region: places.region, functions: functions, on: first, log)
        let outbox = OutboxSenders(
            configuration, addresses, deliveries.queues, over: engine.store, region: places.region,
            functions: functions, on: first, log)
        let items = BuiltInItems.open(
            over: engine.store, region: places.region,
            decisionMilliseconds: configuration.engine.limits.mutationMilliseconds, log)
        let tables = ProjectTables(running.configuration, in: items, log)
        let workflows = RunningWorkflows(
            running.configuration, over: engine.store, region: places.region, items: items, deliveries, outbox.outbox,
            addresses, functions: functions, on: first, log)
        let schedules = RunningSchedules(
            over: engine.store, region: places.region, functions: functions?.functions, workflows.workflows, on: first,
            log)
        let own = ServiceCallers.ownCredential()
        let callers = ServiceCallers(configuration, functions?.roles, own)
        let language = Language(configuration.language, HTTPClient(on: first))
        designer.assistants?.begin(
            language,
            endpoint: sockets.addresses.first.map { "\(tls == nil ? "http" : "https")://\($0.usable)/graphql" } ?? "")
        designer.resolvers?.begin(
            ResolverBackend.Parts(
                items: items, events: EventCalls(deliveries.events).table, language: language,
                base: sockets.addresses.first.map { "\(tls == nil ? "http" : "https")://\($0.usable)" } ?? "",
                credential: own))
        let parameters = ParameterStore(over: engine.store)
        let stacks = StackRoute(callers, region: places.region)
        let gateway = GatewayRoute(configuration, addresses, given, try GatewayUsers(configuration, recognition))
        let served = ServedTables(
            queues: deliveries.queues, events: deliveries.events, parameters: parameters,
            given: EnvironmentSecrets(
                in: configuration.data, environment: environment, functions: configuration.functions.keys.sorted()),
            keys: KeyRing(in: configuration.database == .memory ? nil : configuration.data), region: places.region)
        var services: [any CloudService] = [
            ItemRoute(items, configuration, callers), OutboxRoute(outbox.outbox, addresses, callers),
            WorkflowRoute(workflows.workflows, callers), gateway,
            InvocationRoute(
                addresses, functions, callers, identities: userPool?.temporaryCredentials, region: places.region),
            LanguageRoute(language, callers),
            EvaluationRoute(callers), stacks,
        ]
        services += served.services(callers) as [any CloudService]
        if let introspection = functions?.introspection { services.append(introspection) }
        let channels = try ChannelService.of(
            running.configuration, default: engine.blueprint.settings.defaultMode, recognition,
            rights: running.rights.identities, log, tests: tests)
        let health = ServerHealth(
            database: engine.store.path, files: files.folderPath, makesBackups: configuration.backup.seconds != nil)
        let application = Application(
            configuration, engine: engine, isRenewable: isWatching, boundTo: sockets.addresses, on: loops, log: log,
            authenticators: try recognition.authenticators(for: engine.blueprint.settings.modes), bounds: bounds,
            pool: userPool, files: files, cloud: CloudServices(services), functions: functions, given: given,
            tests: tests, console: console, channels: channels, health: health)
        let server = HTTPServer(
            tests.map { TestedApplication(application, $0) } ?? application, options: options, on: loops)
        // Before the first request: it finds the tables, and what it changes is told.
        first.wait(for: { await tables.make() })
        if configuration.database != .memory,
            let reason = first.wait(for: { [configuration] in await parameters.takeFormerFile(in: configuration.data) })
        {
            log.warning("\(reason)")
        }
        let streams = try TableStreams.start(
            configuration, of: engine.blueprint, over: engine.store, items, region: configuration.region(pool),
            by: OutsideClient(on: first, functions: functions?.functions), on: first, isRenewable: isWatching, log)
        let events = files.eventSender(
            by: OutsideClient(on: first, functions: functions?.functions), on: first, isRenewable: isWatching)
        tests?.serve(
            application, userPool, files, items, tables, streams, functions, outbox.outbox, deliveries, workflows,
            schedules, configuration, log)
        defer { tests?.close() }
        console?.serve(
            ConsoleHouse(
                ConsoleHouse.Parts(
                    application: application, resolution: resolution, pool: userPool, files: files,
                    outbox: outbox.outbox, functions: functions, queues: deliveries.queues, events: deliveries.events,
                    workflows: workflows.workflows, schedules: schedules, items: items, log: log,
                    addresses: sockets.addresses,
                    startedMilliseconds: startedMilliseconds)))
        // Before the first request as well: it may be for one of them.
        if !resources.topics.isEmpty { first.wait(for: { await outbox.make(resources.topics, log) }) }
        if let error = first.wait(for: { await Self.begin(server, on: sockets) }) { throw StartError(listening: error) }
        Task(executorPreference: first) { await files.sweep() }
        Task(executorPreference: first) {
            await items.begin()
        }
        first.execute { Self.keepSwept(items, on: first) }
        let writer = ClientFileWriter(
            resolution, resources, pool, at: server.addresses, writesUsual: true, log)
        if guest == nil { for warning in writer?.warnings ?? [] { log.warning(warning) } }
        stacks.tell { [blueprint = engine.blueprint] in
            guard let file = try? writer?.file(for: reading, blueprint).content(.gen2, .current).value else {
                return nil
            }
            return StackOutputs(file, apiID: ProjectValues.apiID)
        }
        // Only for who reads it: it says all of the schema once more.
        let clientFile = writer.flatMap { guest != nil || $0.writes ? $0.file(for: reading, engine.blueprint) : nil }
        if let warnings = try? clientFile?.warnings() { StartReport(output, log).tell(warnings) }
        if guest == nil, let clientFile { writer?.write(clientFile) }
        if guest == nil {
            if tls == nil, writer?.isForFilesInBrowsers == true { log.warning(CertificateCommand.filesHint) }
            let elapsed = Double(MonotonicTime.now.nanoseconds(since: started)) / 1_000_000
            StartReport(output, log).serving(
                announced.banner(
                    configuration, resources, engine.blueprint, from: reading.place, elapsedMilliseconds: elapsed,
                    console: consoleLink(console, announced.consoleBase(configuration), log)),
                hasColours: TerminalColours.areWanted(on: 1, environment: environment), isVerbose: isVerbose)
            place.announce(definitions, engine.blueprint, reading.place)
        }
        let keep: @Sendable () async -> Void = { [configuration] in
            await KeptFiles.keep(configuration, pool, in: engine.store, log)
        }
        Task(executorPreference: first) { await keep() }
        StartPages.releaseLater()
        DataNotices.begin(engine.store, engine.blueprint, log)
        if isWatching || engine.sweep != nil { first.execute { Self.keepSwept(application, on: first) } }

        let messages = userPool.map { PoolMessages($0, configuration, functions: functions?.functions, on: first, log) }
        outbox.start()
        deliveries.start()
        workflows.start()
        events?.start()
        schedules.start(running.configuration)
        let backups = BackupSchedule(
            configuration, database: engine.store.path, files: files.folderPath, on: first, log, health)
        backups?.start()

        let parts = ServedDefinitions.Parts(
            pool: userPool, files: files, functions: functions, streams: streams, addresses: addresses,
            gateway: gateway, tables: tables, deliveries: deliveries, workflows: workflows, schedules: schedules,
            outbox: outbox, messages: messages)
        let definitionsServed = ServedDefinitions(definitions, parts, at: place, recognition, log)
        let watch = isWatching ? startWatch(reading, definitionsServed, application, designer, log, on: first) : nil

        let cutOff = AwaitedValue<Int>()
        step("requests are served", log)
        progress.enter(.serving)
        let stop: @Sendable () -> Void = {
            progress.ask(loops.loops)
            // Not waited for here: the thread of the signals has to take the second one, and to look at the time.
            application.stop()
            schedules.beginToStop()
            functions?.beginToStop()
            Task(executorPreference: first) { cutOff.finish(with: await server.stop()) }
        }
        signals.serve(
            reload: { ServerCertificate.reload(tls, log) },
            stop: { [guest] signal in
                log.info(
                    "stopping",
                    ["signal": .string(signal.name), "connections": .integer(Int64(server.connections))])
                if let guest { guest.interrupt(signal.number) } else { stop() }
            })
        if let guest {
            run(
                guest, clientFile, writer?.paths ?? [], log, at: server.addresses, over: engine.store, files,
                region: places.region, tests,
                on: first)
            stop()
        }
        let count = cutOff.wait()
        if let backups { first.wait(for: { await backups.stop() }) }
        if let watch { first.wait(for: { await watch.stop() }) }
        if let messages { first.wait(for: { await messages.stop() }) }
        first.wait(for: { await schedules.stop() })
        first.wait(for: { await outbox.stop() })
        first.wait(for: { await workflows.stop() })
        first.wait(for: { await deliveries.stop() })
        if let events { first.wait(for: { await events.stop() }) }
        if let streams { first.wait(for: { await streams.stop() }) }
        progress.enter(.closingDatabase)
        first.wait(for: { await keep() })
        application.close()
        if count > 0 { log.warning("connections were cut off", ["count": .integer(Int64(count))]) }
        return .success
    }

    /// Whether the project is read again when it has changed.
    private var isWatching: Bool { configuration.watches ?? (guest == nil && isatty(1) == 1) }

    private func startWatch(
        _ reading: ProjectReading, _ served: ServedDefinitions, _ application: Application,
        _ designer: ProjectDesigner, _ log: Log, on loop: EventLoop
    ) -> ProjectWatch? {
        let elapsed = Int64(clamping: MonotonicTime.now.nanoseconds(since: started) / 1_000_000)
        let parts = ProjectWatch.Server(
            own: own, definitions: served, application: application, designer: designer, log: log,
            beganMilliseconds: SystemClock.machine.milliseconds - elapsed)
        do throws(SystemError) {
            return try loop.wait(for: { () async -> Result<ProjectWatch, SystemError> in
                Result { () throws(SystemError) in try ProjectWatch(parts, reading, on: loop) }
            }).get()
        } catch {
            log.warning("changes of the project are not noticed: \(error)")
            return nil
        }
    }

    /// How far the start has come, and how long that took.
    private func step(_ name: String, _ log: Log) {
        log.debug(
            "start: \(name)",
            ["microseconds": .integer(Int64(clamping: MonotonicTime.now.nanoseconds(since: started) / 1_000))])
    }

    /// The project, where it can be read at all.
    private func readableProject() throws(StartError) -> ProjectResources {
        do throws(UnreadableSchema) { return try project.get() } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// Says what is to be said of the project. One with a mistake in it refuses the start: what it says of rights is not known, and
    /// nothing that is more open may stand in for it.
    private func tell(of resources: ProjectResources, _ log: Log) throws(StartError) {
        StartReport(output, log).tell(resources.diagnostics)
        guard resources.isRefused else { return }
        throw StartError(ProjectResources.refusal.code, ProjectResources.refusal.description)
    }

    /// The places for files: the configuration's, or those of the project around the schema.
    private func filePlaces(
        _ resources: ProjectResources, _ pool: PoolIdentifiers?
    ) throws(StartError) -> FilesSettings {
        try FilesSettings(
            configuration, configuration.files.buckets.isEmpty ? resources.storage : .none, pool)
    }

    /// Runs the guest to its end.
    private func run(
        _ guest: GuestCommand, _ file: ClientFile?, _ paths: [String], _ log: Log, at addresses: [SocketAddress],
        over store: Store, _ files: FileService, region: String, _ tests: TestControl?, on loop: EventLoop
    ) {
        defer { guest.place.remove() }
        let hasFile = file.map(guest.place.write) ?? false
        if let file { guest.place.lend(file, at: paths, in: configuration.data, log) }
        guest.run(
            guest.place.variables(
                environment, configuration, at: addresses.first, database: DataFolder.absolute(store.path),
                files: DataFolder.absolute(files.folderPath), region: region, testKey: tests?.key, hasFile: hasFile),
            output
        ) {
            loop.wait(for: { await tests?.parts?.data.keepAsStart() })
        }
    }

    /// Keeps a second server away; nil where there is no file yet.
    private func serverLock() throws(StartError) -> ServerLock? {
        guard case .file(let database) = configuration.database else { return nil }
        return try ServerLock.take(of: database)
    }

    private func listeningSockets(loops: Int) throws(StartError) -> ListeningSockets {
        let addresses = try ListenAddress.resolved(configuration.listeners)
        do throws(SystemError) {
            return try ListeningSockets(on: addresses, loops: loops)
        } catch {
            throw StartError(listening: error)
        }
    }

    /// How long a tombstone may outlive its time at the most, where few records are deleted.
    private static let sweepMilliseconds = 5_000

    private static func keepSwept(_ application: Application, on loop: EventLoop) {
        application.engine.sweep?.run()
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: sweepMilliseconds)) { keepSwept(application, on: loop) }
    }

    private static func keepSwept(_ items: ItemService, on loop: EventLoop) {
        items.sweep()
        let next = loop.now.advanced(byMilliseconds: Int(TableLimits.sweepMilliseconds))
        _ = loop.schedule(at: next) { keepSwept(items, on: loop) }
    }

    private static func begin(_ server: HTTPServer, on sockets: ListeningSockets) async -> SystemError? {
        do throws(SystemError) {
            try await server.start(on: sockets)
            return nil
        } catch {
            return error
        }
    }

    /// Where the console is: with the token by which its password is made, where there is none yet. Nil: there is no console.
    private func consoleLink(_ console: Console?, _ base: String?, _ log: Log) -> String? {
        guard let console, let url = base else { return nil }
        do throws(StoreError) {
            return try "\(url)/\(console.setupToken().map { "#setup=\($0)" } ?? "")"
        } catch {
            log.warning("the console's password cannot be looked for: \(error)")
            return "\(url)/"
        }
    }
}
