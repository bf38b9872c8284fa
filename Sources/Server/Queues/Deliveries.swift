import Access
import Cloud
import Delivery
import Events
import Functions
import JSON
import Network
import Queues
import Store
import Synchronization

/// The queues of a server, and the functions that are told of what is in them: of the messages of queues, and of events that nobody
/// waits for.
final class Deliveries: Sendable {
    let queues: Queues
    let events: Events
    private let outside: OutsideClient
    private let consumers = Mutex<[Consumer]>([])
    private let retired = Mutex<[QueueConsumer]>([])
    private let work = Mutex(Work())
    private let loop: EventLoop
    private let log: Log

    private struct Consumer: Sendable {
        let settings: ConsumerSettings
        let consumer: QueueConsumer
    }

    /// The work that one server does for all of several.
    private struct Work {
        /// How often it was begun or ended: what belongs to an earlier time ends by itself.
        var changes = 0
        var isUnderWay = false
        var beginning: Task<Void, Never>?
    }

    init(
        _ configuration: Configuration, over store: Store, region: String, functions: RunningFunctions?,
        on loop: EventLoop, _ log: Log
    ) throws(StartError) {
        self.loop = loop
        self.log = log
        let accountID = IAMPrincipal.exampleAccountID
        let queues = Queues(
            over: store, declared: try Self.queues(of: configuration, region: region), region: region,
            accountID: accountID)
        events = Events(
            over: queues, buses: configuration.eventBuses, rules: Self.rules(of: configuration, log),
            functions: Self.names(of: configuration), machines: Array(configuration.stateMachines.keys),
            region: region, accountID: accountID)
        self.queues = queues
        outside = OutsideClient(on: loop, functions: functions?.functions, trace: log.trace)
        let made = Self.consumers(of: configuration).map { Consumer(settings: $0, consumer: makeConsumer($0)) }
        consumers.withLock { $0 = made }
        functions?.functions.keepEvents { request in await Self.keep(request, in: queues, log) }
    }

    /// The queues of a configuration; an error names the one that cannot be.
    static func queues(
        of configuration: Configuration, region: String
    ) throws(StartError) -> [(name: String, settings: QueueSettings)] {
        var queues: [(name: String, settings: QueueSettings)] = []
        for (name, setting) in configuration.declaredQueues {
            do throws(QueueError) {
                let settings = try setting.settings(named: name) {
                    ARN("sqs", region: region, account: IAMPrincipal.exampleAccountID, $0).description
                }
                queues.append((name, settings))
            } catch {
                throw StartError(.configuration, "queues.\(name): \(error.message)")
            }
        }
        return queues
    }

    /// The consumers: each function gets the messages of its queues, and its events.
    private static func consumers(of configuration: Configuration) -> [ConsumerSettings] {
        configuration.functions.sorted { $0.key < $1.key }.flatMap { name, function in
            let address = function.address(of: name)
            let events = ConsumerSettings(
                eventsOf: name, address: address, callsAtOnce: function.concurrency,
                timeoutSeconds: function.timeoutSeconds)
            let sources = function.queues.map { source in
                ConsumerSettings(
                    queue: source.queue, function: name, address: address, batch: source.batch,
                    tellsFailures: source.tellsFailures, callsAtOnce: source.callsAtOnce,
                    timeoutSeconds: function.timeoutSeconds)
            }
            return sources + [events]
        }
    }

    private func makeConsumer(_ settings: ConsumerSettings) -> QueueConsumer {
        QueueConsumer(settings, of: queues, by: outside, on: loop) { [log] function, text in
            log.warning(text, ["function": .string(function)])
        }
    }

    /// Goes on with the queues, the functions and the rules of another configuration.
    func adopt(_ configuration: Configuration) async throws(StartError) {
        // First the queues, then who takes from them and who puts into them.
        let declared = try Self.queues(of: configuration, region: queues.region)
        do throws(QueueError) { try await queues.declare(declared) } catch { log.warning("queues: \(error.message)") }
        let wanted = Self.consumers(of: configuration)
        let (former, new) = consumers.withLock { known in
            let former = known.filter { one in !wanted.contains(one.settings) }
            let new = wanted.filter { settings in !known.contains { $0.settings == settings } }
                .map { Consumer(settings: $0, consumer: makeConsumer($0)) }
            known = known.filter { wanted.contains($0.settings) } + new
            return (former, new)
        }
        // One queue has one who takes its messages for a function.
        for one in former { await one.consumer.retire() }
        for one in new { one.consumer.start() }
        await keep(former.map(\.consumer))
        events.adopt(
            buses: configuration.eventBuses, rules: Self.rules(of: configuration, log),
            functions: Self.names(of: configuration), machines: Array(configuration.stateMachines.keys))
        // Rules that calls have made may name functions that have come or gone.
        await readRules()
    }

    /// Ends those who have no calls on their way, and keeps the others to be ended later.
    private func keep(_ former: [QueueConsumer]) async {
        var busy: [QueueConsumer] = []
        for one in retired.withLock({ $0 }) + former {
            if await one.engine.isIdle { await one.stop() } else { busy.append(one) }
        }
        retired.withLock { [busy] in $0 = busy }
    }

    /// The rules by which events are passed on. One with which something is wrong is told of, and left out.
    private static func rules(of configuration: Configuration, _ log: Log) -> [EventRule] {
        let names = names(of: configuration)
        var rules: [EventRule] = []
        for (name, setting) in configuration.eventRules.sorted(by: { $0.key < $1.key }) {
            do throws(EventRuleSetting.Fault) {
                rules.append(
                    try setting.rule(name) { names[FunctionAddresses.bareName(of: $0)] })
            } catch {
                log.warning("the rule \(name) of events is left out: \(error.message)")
            }
        }
        return rules
    }

    /// By each name that callers have for a function, the name for which its events are kept.
    private static func names(of configuration: Configuration) -> [ByteText: String] {
        let all = configuration.engine.functions.compactMap { name, address -> (String, String)? in
            // A function at a URL goes by the name of its key.
            let kept =
                FunctionAddress.name(in: address) ?? configuration.functions.first { $0.value.url == address }?.key
            return kept.map { (name, $0) }
        }
        return Dictionary(texts: all, uniquingKeysWith: { first, _ in first })
    }

    private static func keep(_ request: FunctionRequest, in queues: Queues, _ log: Log) async -> FunctionRefusal? {
        do throws(Queues.EventRefusal) {
            try await queues.keep(request.payload.isEmpty ? Array("{}".utf8) : request.payload, for: request.name)
            return nil
        } catch {
            switch error {
            case .tooLarge(let bytesMax): return .tooLarge(bytesMax: bytesMax)
            case .tooMany: return .tooMany
            case .failed(let reason):
                log.warning("an event is not kept: \(reason)", ["function": .string(request.name)])
                return .stopping
            }
        }
    }

    /// Hears of what other nodes put into queues; does nothing where this server is the only one.
    func followNodes() {
        guard let nodes = queues.store.nodes else { return }
        nodes.onWake { [weak self, queues] wakes in
            queues.hear(wakes)
            guard wakes.contains(.rules) || wakes.contains(.everything) else { return }
            Task { await self?.readRules() }
        }
        loop.execute {
            self.lookForOthers()
            self.readRulesLater()
        }
    }

    /// Reads the rules that other nodes have made, though none has said so: a node that has joined just now hears nothing yet.
    private func readRulesLater() {
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.rulesLookMilliseconds)) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.loop) { await self.readRules() }
            readRulesLater()
        }
    }

    private static let rulesLookMilliseconds = 10_000

    /// Looks for what other nodes have sent, and what those held that are gone, each few seconds: nothing depends on their wakes.
    private func lookForOthers() {
        Task(executorPreference: loop) { [self] in
            await look()
            loop.execute { self.lookLater() }
        }
    }

    private func lookLater() {
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: QueueLimits.lookMilliseconds)) { [weak self] in
            self?.lookForOthers()
        }
    }

    private func look() async {
        do throws(QueueError) {
            try await queues.lookForOthers()
            if work.withLock({ $0.isUnderWay }) { try await queues.releaseOfOthers() }
        } catch {
            // The next look comes soon, and the database's watch says what is wrong.
            log.debug("queues of other nodes are not looked at: \(error.message)")
        }
    }

    /// Begins with what waits, also again behind `stop`.
    func start() {
        let number = work.withLock { work in
            work.changes += 1
            work.isUnderWay = true
            return work.changes
        }
        let begun = consumers.withLock { known in
            if number > 1 { known = known.map { Consumer(settings: $0.settings, consumer: makeConsumer($0.settings)) } }
            return known
        }
        let beginning = Task(executorPreference: loop) { [self] in
            do throws(QueueError) { try await queues.begin() } catch { log.warning("queues: \(error.message)") }
            for one in begun { one.consumer.start() }
            loop.execute { self.keepSwept(number) }
        }
        work.withLock { $0.beginning = beginning }
    }

    private func keepSwept(_ number: Int) {
        guard work.withLock({ $0.changes == number }) else { return }
        Task(executorPreference: loop) { [self] in
            do throws(QueueError) { try await queues.sweep() } catch { log.warning("queues: \(error.message)") }
        }
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: QueueLimits.sweepMilliseconds)) { [weak self] in
            self?.keepSwept(number)
        }
    }

    /// Goes on with the rules that calls have made, as the database has them.
    func readRules() async {
        do throws(CloudError) {
            for unread in try await events.readMade() {
                log.warning("a rule of events is left out that a call has made: \(unread)")
            }
        } catch {
            log.warning("rules of events: \(error.message)")
        }
    }

    /// Looks anew where another time or other data hold from now on. From any thread.
    func lookAnew() {
        queues.beginAnew()
        for one in consumers.withLock({ $0 }) { one.consumer.engine.beginAnew() }
    }

    /// Ends the telling, and waits for that.
    func stop() async {
        let beginning = work.withLock { work in
            work.changes += 1
            work.isUnderWay = false
            return work.beginning
        }
        // Whoever begins later than it is stopped does not end.
        await beginning?.value
        for one in consumers.withLock({ $0 }) {
            await one.consumer.retire()
            await one.consumer.stop()
        }
        for one in retired.withLock({ $0 }) { await one.stop() }
    }
}

extension Configuration {
    /// The queues of the app: those that are named, and those that functions consume.
    var declaredQueues: [(name: String, setting: QueueSetting)] {
        var all = queues
        for function in functions.values {
            for source in function.queues where all[source.queue] == nil { all[source.queue] = QueueSetting() }
        }
        for target in eventRules.values.flatMap(\.targets) {
            if let name = target.queue, all[name] == nil { all[name] = QueueSetting() }
        }
        // Where dead letters go has to be there too.
        for queue in queues.values {
            if let name = queue.deadLetterQueue, all[name] == nil { all[name] = QueueSetting() }
        }
        return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
