import Access
import Blueprint
import Crypto
import Engine
import Glibc
import GraphQL
import JSON
import Network
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
    let environment: [String: String]
    let output: CommandOutput
    let started: MonotonicTime

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
        let signals = SignalWait(stopMilliseconds: requests + Self.closeMilliseconds) {
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
        let loops = max(1, configuration.eventLoops ?? EventLoopGroup.usableCores)
        let sockets = try listeningSockets(loops: loops)
        step("the sockets listen", log)
        // Beside, from here on: the file is opened, and OpenSSL reads its configuration, as when it is asked the first time.
        let opening = StoreOpening(configuration, log)
        defer { opening.cancel() }
        _ = WorkAside { _ = HMACKey([]) }
        let reading = try self.reading()
        // Beside, from here on: the tables that the blueprint wants are worked out. A refused schema leaves the file as it is.
        if let blueprint = reading.reading.blueprint { opening.expect(blueprint) }
        let design = try self.design(of: reading, log)
        if let signal = signals.stopSignal {
            log.info("stopping before the database is touched", ["signal": .string(signal)])
            return .success
        }
        step("the schema is read: \(Counted.text(design.blueprint.models.count, "model"))", log)
        let store = try opening.store(for: design.blueprint, configuration, log)
        step("the database is open", log)
        let code: ExitCode
        do throws(StartError) {
            try SeededStore.fill(store, of: design.blueprint, from: configuration.seed, log)
            code = try serve(
                Engine(design, over: store), from: reading.place, on: sockets, loops: loops, log, signals, progress)
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
        _ engine: Engine, from place: String, on sockets: ListeningSockets, loops count: Int, _ log: Log,
        _ signals: SignalWait, _ progress: StopProgress
    ) throws(StartError) -> ExitCode {
        let tls = try ServerCertificate.context(for: configuration, log)
        let pool = try BuiltInPool.identifiers(of: configuration)
        let authenticators = try authenticators(for: engine.blueprint.settings.modes, pool, count: count, log)
        let loops: EventLoopGroup
        do throws(SystemError) { loops = try EventLoopGroup(count: count) } catch { throw StartError(threads: error) }
        defer { loops.stop() }
        let limits = configuration.http
        let bounds = SharedBounds(limits)
        let options = HTTPServerOptions(
            limits: limits, bounds: bounds, tls: tls, identifierField: "x-amzn-requestid",
            report: { log.warning("\($0)") })
        let places = try filePlaces(besideSchema: place, pool, log)
        let userPool = BuiltInPool.open(
            configuration, pool, over: engine.store, groupsWithRoles: places.groups, log)
        let files = BuiltInFiles.open(configuration, places, userPool, over: engine.store, log)
        let application = Application(
            configuration, engine: engine, boundTo: sockets.addresses, on: loops, log: log,
            authenticators: authenticators, bounds: bounds, pool: userPool, files: files)
        let server = HTTPServer(application, options: options, on: loops)
        let first = loops.loops[0]
        if let error = first.wait(for: { await Self.begin(server, on: sockets) }) { throw StartError(listening: error) }
        Task(executorPreference: first) { await files.sweep() }
        printBanner(server.addresses, of: engine.blueprint, pool, from: place, isSecure: tls != nil, log)
        StartPages.releaseLater()
        DataNotices.begin(engine.store, engine.blueprint, log)
        if let sweep = engine.sweep { first.execute { Self.keepSwept(sweep, on: first) } }

        let messages = userPool.map { PoolMessages($0, configuration, on: first, log) }
        let events = files.eventSender(by: OutsideClient(on: first), on: first)
        events?.start()

        let cutOff = AwaitedValue<Int>()
        step("requests are served", log)
        progress.enter(.serving)
        signals.serve(
            reload: { ServerCertificate.reload(tls, log) },
            stop: { name in
                log.info("stopping", ["signal": .string(name), "connections": .integer(Int64(server.connections))])
                progress.ask(loops.loops)
                // Not waited for here: this thread has to take the second signal, and to look at the time.
                application.stop()
                Task(executorPreference: first) { cutOff.finish(with: await server.stop()) }
            })
        let count = cutOff.wait()
        if let messages { first.wait(for: { await messages.stop() }) }
        if let events { first.wait(for: { await events.stop() }) }
        application.close()
        if count > 0 { log.warning("connections were cut off", ["count": .integer(Int64(count))]) }
        return .success
    }

    /// How far the start has come, and how long that took.
    private func step(_ name: String, _ log: Log) {
        log.debug(
            "start: \(name)",
            ["microseconds": .integer(Int64(clamping: MonotonicTime.now.nanoseconds(since: started) / 1_000))])
    }

    /// The places for files: the configuration's, or those of the project around the schema.
    private func filePlaces(
        besideSchema place: String, _ pool: PoolIdentifiers?, _ log: Log
    ) throws(StartError) -> FilesSettings {
        guard configuration.files.buckets.isEmpty else { return try FilesSettings(configuration, .none, pool) }
        let (storage, diagnostics) = ProjectStorage.read(besideSchema: place)
        for diagnostic in diagnostics where diagnostic.isError { log.warning("\(diagnostic)") }
        if case .refused = storage {
            log.warning("the project's rules for files are refused, so nobody may put or get any until they are right")
        }
        return try FilesSettings(configuration, storage, pool)
    }

    private func reading() throws(StartError) -> ProjectReading {
        do throws(UnreadableSchema) { return try ProjectReading(resolution) } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// Makes the schema's API. What is wrong with the schema stands in the output as `homeport check` prints it.
    private func design(of reading: ProjectReading, _ log: Log) throws(StartError) -> EngineDesign {
        let schema = ProjectSchema(reading)
        let report = StartReport(output, log)
        report.tell(schema.diagnostics)
        var settings = configuration.engine
        settings.givenFunctionNames = reading.givenNames
        settings.report = { log.warning($0) }
        settings.trace = log.trace
        do throws(SchemaErrors) {
            if let design = try schema.design(settings) {
                report.tell(ProjectNotices.all(of: schema, resolution, now: Timestamp.now.seconds))
                return design
            }
        } catch {
            report.tell([ProjectSchema.refusal(error)])
        }
        throw StartError(.failure, "the schema has errors")
    }

    /// Who recognises callers: one for each loop.
    private func authenticators(
        for modes: [AuthMode], _ pool: PoolIdentifiers?, count: Int, _ log: Log
    ) throws(StartError) -> [Authenticator] {
        let settings = CredentialSettings(configuration, modes: modes, pool: pool)
        let memory = AuthorizerMemory()
        do {
            return try (0..<count).map { _ in
                try Authenticator(settings, sharing: memory, report: { log.warning($0) })
            }
        } catch {
            throw StartError(.configuration, "a regular expression under auth is none: \(error)")
        }
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

    private static func keepSwept(_ sweep: LogSweep, on loop: EventLoop) {
        sweep.run()
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: sweepMilliseconds)) { keepSwept(sweep, on: loop) }
    }

    private static func begin(_ server: HTTPServer, on sockets: ListeningSockets) async -> SystemError? {
        do throws(SystemError) {
            try await server.start(on: sockets)
            return nil
        } catch {
            return error
        }
    }

    private func printBanner(
        _ addresses: [SocketAddress], of blueprint: Blueprint, _ pool: PoolIdentifiers?, from place: String,
        isSecure: Bool, _ log: Log
    ) {
        let schemes = isSecure ? ["http", "https"] : ["http"]
        let urls = addresses.flatMap { address in schemes.map { "\($0)://\(address.usable)\(Route.graphql.path)" } }
        let milliseconds = Double(MonotonicTime.now.nanoseconds(since: started)) / 1_000_000
        let banner = Banner(
            configuration, blueprint, pool, from: place, urls: urls, now: Timestamp.now.seconds,
            startMilliseconds: milliseconds)
        StartReport(output, log).serving(
            banner, hasColours: TerminalColours.areWanted(on: 1, environment: environment))
    }
}

extension SocketAddress {
    /// The address by which a person can reach what listens on this one: 0.0.0.0 is none.
    fileprivate var usable: SocketAddress {
        guard isUnspecified else { return self }
        switch host {
        case .version4: return .loopback(port: port)
        case .version6: return SocketAddress(host: .version6(high: 0, low: 1, scope: 0), port: port)
        }
    }
}
