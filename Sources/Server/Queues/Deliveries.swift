import Access
import Events
import Functions
import JSON
import Network
import Queues
import Store

/// The queues of a server, and the functions that are told of what is in them: of the messages of queues, and of events that nobody
/// waits for.
final class Deliveries: Sendable {
    let queues: Queues
    let events: Events
    private let consumers: [QueueConsumer]
    private let loop: EventLoop
    private let log: Log

    init(
        _ configuration: Configuration, over store: Store, region: String, functions: RunningFunctions?,
        on loop: EventLoop, _ log: Log
    ) throws(StartError) {
        self.loop = loop
        self.log = log
        let accountID = IAMPrincipal.exampleAccountID
        var declared: [(name: String, settings: QueueSettings)] = []
        for (name, setting) in configuration.declaredQueues {
            do throws(QueueError) {
                declared.append(
                    (name, try setting.settings(named: name) { "arn:aws:sqs:\(region):\(accountID):\($0)" }))
            } catch {
                throw StartError(.configuration, "queues.\(name): \(error.message)")
            }
        }
        let queues = Queues(over: store, declared: declared, region: region, accountID: accountID)
        events = Events(
            over: queues, buses: configuration.eventBuses, rules: Self.rules(of: configuration, log), region: region,
            accountID: accountID)
        let outside = OutsideClient(on: loop, functions: functions?.functions, trace: log.trace)
        let report: @Sendable (String, String) -> Void = { function, text in
            log.warning(text, ["function": .string(function)])
        }
        var consumers: [QueueConsumer] = []
        for (name, function) in configuration.functions.sorted(by: { $0.key < $1.key }) {
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
            consumers += (sources + [events]).map {
                QueueConsumer($0, of: queues, by: outside, on: loop, report: report)
            }
        }
        self.queues = queues
        self.consumers = consumers
        functions?.functions.keepEvents { request in await Self.keep(request, in: queues, log) }
    }

    /// The rules by which events are passed on. One with which something is wrong is told of, and left out.
    private static func rules(of configuration: Configuration, _ log: Log) -> [EventRule] {
        let addresses = FunctionAddresses(configuration)
        var rules: [EventRule] = []
        for (name, setting) in configuration.eventRules.sorted(by: { $0.key < $1.key }) {
            do throws(EventRuleSetting.Fault) {
                rules.append(
                    try setting.rule(name) { function in
                        guard let address = addresses.address(of: function) else { return nil }
                        // A function at a URL goes by the name of its key.
                        return FunctionAddress.name(in: address)
                            ?? configuration.functions.first { $0.value.url == address }?.key
                    })
            } catch {
                log.warning("the rule \(name) of events is left out: \(error.message)")
            }
        }
        return rules
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

    /// Begins with what waits.
    func start() {
        Task(executorPreference: loop) { [self] in
            do throws(QueueError) { try await queues.begin() } catch { log.warning("queues: \(error.message)") }
            for consumer in consumers { consumer.start() }
            loop.execute { self.keepSwept() }
        }
    }

    private func keepSwept() {
        Task(executorPreference: loop) { [self] in
            do throws(QueueError) { try await queues.sweep() } catch { log.warning("queues: \(error.message)") }
        }
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: QueueLimits.sweepMilliseconds)) { [weak self] in
            self?.keepSwept()
        }
    }

    /// Begins anew where another time or other data hold from now on. From any thread.
    func beginAnew() {
        queues.beginAnew()
        for consumer in consumers { consumer.beginAnew() }
    }

    /// Ends the telling, and waits for that.
    func stop() async { for consumer in consumers { await consumer.stop() } }
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
