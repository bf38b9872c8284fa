import Access
import Blueprint
import Console
import Crypto
import Engine
import Files
import Glibc
import GraphQL
import JSON
import Language
import Network
import Project
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
    @Boxed private(set) var project: Result<Project, UnreadableSchema>
    let environment: [String: String]
    let output: CommandOutput
    /// What is run while the server serves; nil: it serves until it is told to stop.
    let guest: GuestCommand?
    let started: MonotonicTime
    /// Whether the start prints all that is called by a name.
    let isVerbose: Bool

    var configuration: Configuration { resolution.configuration }

    /// How long after the last request the server may take to close the database and what else is open.
    private static let closeMilliseconds = 1_000
    /// How long the last line may take.
    private static let lastLineMilliseconds = 200

    /// All that a start makes of a project before it has anything of its own: worlds have it in common.
    struct Design {
        let log: Log
        let designer: ProjectDesigner
        let reading: ProjectReading
        let design: EngineDesign
    }

    /// The design without a server: whoever makes it may fork afterwards.
    func design() throws(StartError) -> Design {
        let log = self.log(to: LogQueue(configuration.log.format))
        let designer = designer(log)
        let reading = try designer.reading()
        return Design(
            log: log, designer: designer, reading: reading,
            design: try designer.design(of: reading, output, isStart: true))
    }

    /// A server of the same design for somebody else, with a folder of its own.
    func world(
        in data: String, _ environment: [String: String], _ guest: GuestCommand, _ output: CommandOutput? = nil
    ) -> ServerProcess {
        ServerProcess(
            resolution: resolution.keeping(in: data), own: own.keeping(in: data), project: project,
            environment: environment, output: output ?? self.output, guest: guest, started: .now, isVerbose: isVerbose)
    }

    /// Serves until the guest has ended, and leaves this process as if it had not: with its signals, and without a thread.
    func rehearse(_ made: Design) {
        let log = log(to: LogQueue(configuration.log.format))
        defer { log.queue.stop() }
        let signals = SignalWait(stopMilliseconds: 0) { ProcessEnd.now(.stopTookTooLong) }
        // What is wrong with a start is said by the first world's own.
        _ = try? serve(made, log, signals, StopProgress())
        made.designer.assistants?.end()
        made.designer.resolvers?.end()
    }

    private func log(to queue: LogQueue) -> Log {
        Log(configuration.log, to: queue, hasColours: TerminalColours.areWanted(on: 2, environment: environment))
    }

    private func designer(_ log: Log) -> ProjectDesigner {
        ProjectDesigner(
            resolution: resolution, log: log, assistants: LanguageAssistants(report: { log.warning("\($0)") }),
            resolvers: ResolverBackend())
    }

    /// True if the server is a world.
    private var isWorld: Bool { environment[ExecCommand.worldVariable] != nil }

    /// - Parameter made: what was made of the project before; nil: it is made now.
    func run(_ made: Design? = nil) -> ExitCode {
        // Before any thread is made: every thread inherits what is blocked, and only the one that waits gets signals. A world has no
        // such thread: it keeps nothing that a signal could destroy.
        if isWorld { SignalWait.ignoreFailures() } else { SignalWait.block() }
        DescriptorLimit.raise()
        let log = made?.log ?? log(to: LogQueue(configuration.log.format))
        let queue = log.queue
        defer { queue.stop() }
        for warning in resolution.warnings { log.warning(warning) }
        if configuration.auth.explainsDenials { log.warning(DenialExplainer.warning) }
        let progress = StopProgress()
        do throws(StartError) {
            return try serve(made, log, try signals(log, progress), progress)
        } catch {
            queue.flush()
            StartReport(output, log).refused(error)
            return error.code
        }
    }

    /// From here on a signal is heard, and the process ends in time after it. In a world signals do what they usually do.
    @inline(never)
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
        guard !isWorld else { return signals }
        do throws(SystemError) { try signals.begin() } catch { throw StartError(threads: error) }
        return signals
    }

    /// Keeps nothing on the stack but what the end needs: it is there for as long as the server, and a world has no memory to spare.
    @inline(never)
    private func serve(
        _ made: Design?, _ log: Log, _ signals: SignalWait, _ progress: StopProgress
    ) throws(StartError) -> ExitCode {
        let (ends, storeEnds) = (EndSteps(), EndSteps())
        defer { ends.run() }
        guard let begun = try begin(made, log, signals, progress, ends, storeEnds) else { return .success }
        begun.serve()
        storeEnds.run()
        progress.enter(.closingDatabase)
        do throws(StoreError) {
            try begun.store.close()
        } catch {
            guard !begun.store.isLocal else {
                throw StartError(.unwritableOutput, "the database could not be closed: \(error)")
            }
            // A server keeps by itself what it has acknowledged.
            log.warning("the database did not answer at the end", ["reason": .string(error.message)])
        }
        return .success
    }

    /// A server that has begun.
    private struct Begun {
        let store: Store
        /// Serves until somebody ends that.
        let serve: () -> Void
    }

    /// Nil: a signal has ended the start.
    ///
    /// - Parameters:
    ///   - ends: what is to be done behind the store.
    ///   - storeEnds: what is to be done before it is closed.
    @inline(never)
    private func begin(
        _ made: Design?, _ log: Log, _ signals: SignalWait, _ progress: StopProgress, _ ends: EndSteps,
        _ storeEnds: EndSteps
    ) throws(StartError) -> Begun? {
        // A copy for all uses: each of them would have one of its own on this stack.
        let configuration = configuration
        try ServedDatabase.check(configuration, hasGuest: guest != nil)
        try NodeCheck.check(resolution)
        let tests = try TestControl.of(configuration, hasGuest: guest != nil)
        let loops = max(1, configuration.eventLoops ?? EventLoopGroup.usableCores)
        let sockets = try listeningSockets(loops: loops, log)
        step("the sockets listen", log)
        // Beside, from here on: the file is opened.
        if let obstacle = BackupRestore.obstacle(in: configuration.data) {
            throw StartError(.unreadableInput, obstacle)
        }
        // Behind the store: closing the file would end SQLite's locks.
        ends.lock = try serverLock()
        let hold = try ServedDatabase.hold(of: configuration)
        // Behind the store as well: until then nobody else may write.
        ends.add { hold?.end() }
        let isShared = try ServedDatabase.isShared(hold, configuration)
        if !configuration.hasNodes { try ServedDatabase.watch(hold, log) }
        let opening = StoreOpening(configuration, isWorld: isWorld)
        ends.add { opening.cancel() }
        let designer = made?.designer ?? designer(log)
        let reading = if let made { made.reading } else { try designer.reading() }
        // Beside, from here on: the tables that the blueprint wants are worked out. A refused schema leaves the file as it is.
        if let blueprint = reading.reading.blueprint { opening.expect(blueprint) }
        let resources = try readableProject()
        let design = if let made { made.design } else { try designer.design(of: reading, output, isStart: true) }
        try tell(of: resources, log)
        try NodeCheck.check(configuration, resources)
        if let signal = signals.stopSignal {
            log.info("stopping before the database is touched", ["signal": .string(signal.name)])
            return nil
        }
        step("the schema is read: \(Counted.text(design.blueprint.models.count, "model"))", log)
        let store = try opening.store(for: design.blueprint, configuration, isShared: isShared, log)
        do throws(StartError) {
            if ends.lock == nil { ends.lock = try serverLock() }
            step("the database is open", log)
            try SeededStore.fill(store, of: design.blueprint, from: configuration.seed, log)
            let keys = try ServedDatabase.endOpening(hold, configuration, isShared: isShared)
            if configuration.hasNodes { try ServedDatabase.watch(hold, log) }
            let serve = try begin(
                Engine(design, over: store), design.laterCheck, of: reading, in: resources, designer, on: sockets,
                loops: loops, tests, hold, keys, log, signals, progress, storeEnds)
            return Begun(store: store, serve: serve)
        } catch {
            storeEnds.run()
            // The file is whole even so: the next start need not check it.
            try? store.close()
            throw error
        }
    }

    /// Answers what serves until somebody ends that.
    ///
    /// - Parameter ends: what is to be done behind that.
    @inline(never)
    private func begin(
        _ engine: Engine, _ check: EngineDesign.LaterCheck?, of reading: ProjectReading,
        in resources: Project, _ designer: ProjectDesigner, on sockets: ListeningSockets, loops count: Int,
        _ tests: TestControl?, _ hold: ServerHold?, _ keys: RoleKeys, _ log: Log, _ signals: SignalWait,
        _ progress: StopProgress, _ ends: EndSteps
    ) throws(StartError) -> () -> Void {
        let configuration = configuration
        let pool = try BuiltInPool.identifiers(of: configuration)
        try KeptFiles.demandOwnUsers(of: pool, in: engine.store, configuration)
        let loops: EventLoopGroup
        do throws(SystemError) { loops = try EventLoopGroup(count: count) } catch { throw StartError(threads: error) }
        ends.add { loops.stop() }
        let first = loops.loops[0]
        let runningFile = guest == nil ? RunningFile(in: configuration.data) : nil
        ends.add { runningFile?.remove() }
        let frame = try ServerBase(
            self, pool, places: try filePlaces(resources, pool), over: engine, of: reading, in: resources, on: sockets,
            loops, runningFile, tests, hold, log)
        let functions = try RunningFunctions.start(
            frame.running.configuration, pool, at: sockets.addresses, models: frame.running.models,
            rights: frame.running.rights, isRenewable: isWatching, keys: keys, environment: environment, log)
        // Behind all who call them.
        ends.add { functions?.stop() }
        let assembly = try ServerAssembly(frame, functions, designer)
        ends.add { tests?.close() }
        let server = assembly.server
        if let nodes = assembly.nodes { try first.wait(for: { await nodes.outcome() }).get() }
        if let error = first.wait(for: { await Self.begin(server, on: sockets) }) { throw StartError(listening: error) }
        let client = announce(assembly, frame)
        let keep: @Sendable () async -> Void = {
            await KeptFiles.keep(configuration, pool, in: engine.store, log)
        }
        // Here and not on the loop: the files are small, but they are read.
        let isKept: () -> Bool = { KeptFiles.areKept(configuration, pool, in: engine.store) }
        if !isKept() { Task(executorPreference: first) { await keep() } }
        // A world does so when it rests.
        if !isWorld { StartPages.releaseLater() }
        let application = assembly.application
        // The server of a world says it.
        if !isWorld {
            first.execute {
                _ = first.schedule(at: first.now.advanced(byMilliseconds: Self.firstRequestsMilliseconds)) {
                    DataNotices.begin(application.engine.store, application.engine.blueprint, log)
                    if let check { GeneratedAPICheck.begin(check, log) }
                }
            }
        }
        if isWatching || engine.sweep != nil { first.execute { Self.keepSwept(application, on: first) } }
        let (parts, project) = (assembly.parts, assembly.project)
        // Nobody waits for it here: the address is known by now, and a request may hold the loop.
        let begun = Task(executorPreference: first) { [isAlone = assembly.nodes == nil] in
            await parts.begin(project)
            // One of several does so when it is the keeper.
            if isAlone { await parts.takeUp(project) }
        }
        let served = ServedDefinitions(frame.definitions, parts, at: frame.place, frame.recognition, log)
        let watch = isWatching ? startWatch(reading, served, application, designer, log, on: first) : nil

        let cutOff = AwaitedValue<Int>()
        step("requests are served", log)
        progress.enter(.serving)
        let stop: @Sendable () -> Void = {
            progress.ask(loops.loops)
            // Not waited for here: the thread of the signals has to take the second one, and to look at the time.
            application.stop()
            parts.beginToEnd()
            Task(executorPreference: first) { cutOff.finish(with: await server.stop()) }
        }
        signals.serve(
            reload: { [tls = frame.tls] in ServerCertificate.reload(tls, log) },
            stop: { [guest] signal in
                log.info(
                    "stopping",
                    ["signal": .string(signal.name), "connections": .integer(Int64(server.connections))])
                if let guest { guest.interrupt(signal.number) } else { stop() }
            })
        // On another stack than all this: only what it needs is kept meanwhile.
        let store = engine.store
        var serveGuest: (() -> Void)?
        if let guest {
            serveGuest = guestLife(
                guest, client.file, client.paths, log, at: server.addresses, over: store, assembly.files,
                region: frame.places.region, tests, on: first)
        }
        return { [serveGuest] in
            if let serveGuest {
                serveGuest()
                stop()
            }
            let count = cutOff.wait()
            if let watch { first.wait(for: { await watch.stop() }) }
            first.wait(for: {
                await begun.value
                await parts.end()
            })
            progress.enter(.closingDatabase)
            if !isKept() { first.wait(for: { await keep() }) }
            application.close()
            if count > 0 { log.warning("connections were cut off", ["count": .integer(Int64(count))]) }
        }
    }

    /// How worlds of this server are started; nil: it is one.
    var worldCommand: WorldCommand? {
        guard !isWorld else { return nil }
        let given = (resolution.given.file, resolution.given.options)
        return WorldCommand(given, environment, own.configuration, isWatching: isWatching)
    }

    /// Writes the file that client apps load, and the banner; says for whom the file is.
    @inline(never)
    private func announce(
        _ assembly: ServerAssembly, _ frame: ServerBase
    ) -> (file: ClientFile?, paths: [String]) {
        let (log, blueprint) = (frame.log, frame.engine.blueprint)
        let writer = ClientFileWriter(
            resolution, frame.resources, frame.pool, at: assembly.server.addresses, writesUsual: true, log)
        if guest == nil { for warning in writer?.warnings ?? [] { log.warning(warning) } }
        assembly.stacks.tell { [reading = frame.reading] in
            guard let file = try? writer?.file(for: reading, blueprint).content(.gen2, .current).value else {
                return nil
            }
            return StackOutputs(file, apiID: ProjectValues.apiID)
        }
        // Only for who reads it: it says all of the schema once more.
        let clientFile = writer.flatMap { guest != nil || $0.writes ? $0.file(for: frame.reading, blueprint) : nil }
        if let warnings = try? clientFile?.warnings() { StartReport(output, log).tell(warnings) }
        guard guest == nil else { return (clientFile, writer?.paths ?? []) }
        if let clientFile { writer?.write(clientFile) }
        if frame.tls == nil, writer?.isForFilesInBrowsers == true { log.warning(CertificateCommand.filesHint) }
        let elapsed = Double(MonotonicTime.now.nanoseconds(since: started)) / 1_000_000
        StartReport(output, log).serving(
            frame.announced.banner(
                configuration, frame.resources, blueprint, from: frame.reading.place, elapsedMilliseconds: elapsed,
                console: consoleLink(frame.console, frame.announced.consoleBase(configuration), on: frame.loops, log)),
            hasColours: TerminalColours.areWanted(on: 1, environment: environment), isVerbose: isVerbose)
        frame.place.announce(frame.definitions.value, blueprint, frame.reading.place)
        return (clientFile, writer?.paths ?? [])
    }

    /// Whether the project is read again when it has changed.
    var isWatching: Bool {
        configuration.watches ?? (guest == nil && !configuration.hasNodes && isatty(1) == 1)
    }

    @inline(never)
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
    private func readableProject() throws(StartError) -> Project {
        do throws(UnreadableSchema) { return try project.get() } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// Says what is to be said of the project. One with a mistake in it refuses the start: what it says of rights is not known, and
    /// nothing that is more open may stand in for it.
    private func tell(of resources: Project, _ log: Log) throws(StartError) {
        StartReport(output, log).tell(resources.diagnostics)
        guard resources.isRefused else { return }
        throw StartError(Project.refusal.code, Project.refusal.description)
    }

    /// The places for files: the configuration's, or those of the project around the schema.
    @inline(never)
    private func filePlaces(
        _ resources: Project, _ pool: PoolIdentifiers?
    ) throws(StartError) -> FilesSettings {
        try FilesSettings(
            configuration, configuration.files.buckets.isEmpty ? resources.storage : .none, pool)
    }

    /// Answers what runs the guest to its end.
    @inline(never)
    private func guestLife(
        _ guest: GuestCommand, _ file: ClientFile?, _ paths: [String], _ log: Log, at addresses: [SocketAddress],
        over store: Store, _ files: FileService, region: String, _ tests: TestControl?, on loop: EventLoop
    ) -> () -> Void {
        let outputs = file.flatMap(guest.place.write)
        let isWorld = isWorld
        if let file, !isWorld { guest.place.lend(file, at: paths, in: configuration.data, log) }
        let variables = guest.place.variables(
            environment, configuration, at: addresses.first, database: DataFolder.absolute(store.path),
            files: DataFolder.absolute(files.folderPath), region: region, testKey: tests?.key, hasFile: outputs != nil)
        let life = WorldLife(tests)
        let answers = GuestLines.Answers(
            answer: { order in isWorld ? loop.wait(for: { await life.answer(to: order) }) : WorldLife.refusal },
            rest: { whenUsed in
                isWorld ? loop.wait(for: { await life.rest(store, at: .now, whenUsed: whenUsed) }) : .none
            },
            isOver: { life.isOver(now: .now) })
        return { [environment, output] in
            defer { guest.place.remove() }
            guest.run(
                variables, greeting: GuestLines.greeting(variables, over: environment, outputs: outputs), answers,
                output
            ) {
                loop.wait(for: { await tests?.parts?.data.keepAsStart() })
            }
        }
    }

    /// Keeps a second server away; nil where there is no file yet.
    private func serverLock() throws(StartError) -> ServerLock? {
        guard case .file(let database) = configuration.database else { return nil }
        return try ServerLock.take(of: database)
    }

    private func listeningSockets(loops: Int, _ log: Log) throws(StartError) -> ListeningSockets {
        if configuration.searchesPort, configuration.listen.isEmpty {
            return try PortSearch(host: configuration.host, loops: loops, log).sockets()
        }
        let addresses = try ListenAddress.resolved(configuration.listeners)
        do throws(SystemError) {
            return try ListeningSockets(on: addresses, loops: loops)
        } catch {
            throw StartError(listening: error)
        }
    }

    /// The time from a start to the checks for which no request waits: the first requests are answered by then.
    private static let firstRequestsMilliseconds = 1_000

    /// How long a tombstone may outlive its time at the most, where few records are deleted.
    private static let sweepMilliseconds = 5_000

    private static func keepSwept(_ application: Application, on loop: EventLoop) {
        application.engine.sweep?.run()
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: sweepMilliseconds)) { keepSwept(application, on: loop) }
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
    private func consoleLink(
        _ console: Console?, _ base: String?, on loops: EventLoopGroup, _ log: Log
    ) -> String? {
        guard let console, let url = base else { return nil }
        do throws(StoreError) {
            let token =
                configuration.hasNodes
                ? try loops.loops[0].wait(for: { () async -> Result<String?, StoreError> in
                    do throws(StoreError) { return .success(try await console.sharedSetupToken()) } catch {
                        return .failure(error)
                    }
                }).get()
                : try console.setupToken()
            return "\(url)/\(token.map { "#setup=\($0)" } ?? "")"
        } catch {
            log.warning("the console's password cannot be looked for: \(error)")
            return "\(url)/"
        }
    }
}
