import Cloud
import Crypto
import EventPatterns
import JSON
import Queues
import Schedules
import Store

/// Events: what the app's parts tell each other, as EventBridge passes it on. This is the room's front page.
///
///     call ─▶ EventCalls ─▶ one event ─▶ rules of its bus ─▶ targets ─▶ transactions of Queues ─▶ functions, queues
///
/// - `Calls/` is what clients call.
/// - `Inputs/` is what targets get of an event.
/// - `Data/` has the rules: `EventRuleBook` all that hold, `MadeRuleStore` those that calls make, in the database.
///
/// The patterns of rules are the room EventPatterns.
///
/// Invariants: an event that was acknowledged is delivered to all targets of all rules that it matches, and one that was not may
/// have been delivered to some; the work of patterns is counted (`MatchingSteps`).
package struct Events: Sendable {
    let queues: Queues
    let region: String
    let accountID: String
    let book: EventRuleBook
    let made: MadeRuleStore
    let clock: @Sendable () -> Int64

    package static let usualBus = "default"

    /// - Parameters:
    ///   - buses: those of the project beside the usual one.
    ///   - functions: by each name that callers have for one, the name for which its events are kept.
    ///   - machines: the names of the state machines that targets may name.
    ///   - clock: milliseconds since 1970.
    package init(
        over queues: Queues, buses: [String], rules: [EventRule], functions: [ByteText: String] = [:],
        machines: [String] = [], region: String, accountID: String,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.queues = queues
        self.region = region
        self.accountID = accountID
        self.clock = clock
        book = EventRuleBook(buses, rules, functions, machines)
        made = MadeRuleStore(over: queues.store)
    }

    /// Goes on with the rules that calls have made, as the database has them. Answers which of them cannot be read, and are left out.
    @discardableResult
    package func readMade() async throws(CloudError) -> [String] {
        let reading = book.beginReading()
        var buses: [ByteText: EventRuleBook.MadeBus] = [:]
        var rules: [ByteText: [ByteText: MadeRule]] = [:]
        var unread: [String] = []
        for (place, content) in try await made.all() {
            guard let name = place.rule else {
                buses[ByteText(place.bus)] = EventRuleBook.MadeBus(
                    description: content["Description"]?.string, created: content["Created"]?.integer ?? 0)
                continue
            }
            do throws(CloudError) {
                rules[ByteText(place.bus), default: [:]][ByteText(name)] = try MadeRule(
                    name, on: place.bus, content, of: self)
            } catch {
                unread.append("\(name): \(error.message)")
            }
        }
        await book.take(buses, rules, of: reading)
        return unread
    }

    /// By the name of the bus.
    var rules: [ByteText: [EventRule]] { book.rules }

    /// Takes over other buses, rules, functions and state machines. They hold for events that come from now on.
    package func adopt(
        buses: [String], rules: [EventRule], functions: [ByteText: String] = [:], machines: [String] = []
    ) {
        book.set(buses, rules, functions, machines)
    }

    /// By what an event is kept for a state machine, until an execution has begun with it. No name of a function has a slash.
    package static func starting(_ machine: String) -> String { "stateMachine/\(machine)" }

    /// By what an event is kept for a topic, until it is published: the text is that of `publication`.
    package static let publishing = "topics/publish"

    private static func publication(of text: String, to topic: String) -> String {
        JSONWriter.text(of: ["topic": .string(topic), "message": .string(text)])
    }

    /// The queue, the function, the state machine, the topic or the bus that the ARN of a target names; nil: this server has none of that
    /// name. A topic or a bus that is not there yet gets nothing until it is.
    func place(ofARN text: String, group: String?) -> EventTarget.Place? {
        if let name = queues.name(ofARN: text) { return .queue(name, group: group) }
        if let arn = ARN(text, of: "states"), arn.region == region, arn.account == accountID,
            let name = arn.name(behind: EventRights.machineKind)
        {
            return book.content.machines.contains(ByteText(name)) ? .stateMachine(name) : nil
        }
        if let arn = ARN(text, of: "sns"), arn.region == region, arn.account == accountID {
            return arn.parts.count == 1 && !arn.resource.isEmpty ? .topic(arn.resource) : nil
        }
        if let arn = ARN(text, of: EventRights.service), arn.region == region, arn.account == accountID,
            arn.parts.count == 1, let name = arn.name(behind: EventRights.busKind)
        {
            return .bus(name)
        }
        guard let arn = ARN(text, of: "lambda"), arn.region == region, arn.account == accountID,
            let name = EventRights.functionName(in: arn)
        else { return nil }
        return book.content.functions[name].map { .function($0) }
    }

    /// The name of a bus, which may be told by its ARN; nil: there is none.
    func bus(_ text: String) -> String? {
        var name = text
        if text.hasPrefix("arn:aws:events:") {
            guard let arn = ARN(text, of: EventRights.service), arn.account == accountID, arn.parts.count == 1,
                let own = arn.name(behind: "event-bus/")
            else { return nil }
            name = own
        }
        return rules[name] == nil ? nil : name
    }

    func arn(_ resource: String) -> String { arn(resource, of: EventRights.service) }

    func arn(_ resource: String, of service: String) -> String {
        ARN(service, region: region, account: accountID, resource).description
    }

    func arn(of rule: EventRule) -> String { ruleARN(rule.name, on: rule.bus) }

    func ruleARN(_ name: String, on bus: String) -> String {
        arn("rule/\(ByteText(bus) == ByteText(Self.usualBus) ? "" : "\(bus)/")\(name)")
    }

    /// The deliveries to the targets of the rules that an event matches. Throws where matching takes too long.
    func deliveries(
        of event: JSONValue, bytes: Int, on bus: String, _ steps: MatchingSteps
    ) throws(EventPatternError) -> [Queues.Delivery] {
        var buses: [String] = []
        let subject = try EventSubject(event, steps)
        let own = try deliveries(of: event, subject, bytes: bytes, on: bus, &buses, steps)
        return try own + forwarded(event, subject, bytes: bytes, from: bus, to: buses, steps)
    }

    /// - Parameter buses: takes up those that are targets.
    private func deliveries(
        of event: JSONValue, _ subject: EventSubject, bytes: Int, on bus: String, _ buses: inout [String],
        _ steps: MatchingSteps
    ) throws(EventPatternError) -> [Queues.Delivery] {
        var deliveries: [Queues.Delivery] = []
        for rule in rules[bus] ?? [] {
            guard rule.isEnabled, try rule.pattern?.matches(subject, steps) == true else { continue }
            deliveries += try self.deliveries(of: event, bytes: bytes, by: rule, &buses, steps)
        }
        return deliveries
    }

    /// The deliveries of an event that rules pass on to other buses. Each of these gets it once, and passes it on to no third one, so an
    /// event meets each rule once at the most.
    private func forwarded(
        _ event: JSONValue, _ subject: EventSubject, bytes: Int, from bus: String, to buses: [String],
        _ steps: MatchingSteps
    ) throws(EventPatternError) -> [Queues.Delivery] {
        var (deliveries, thirds): ([Queues.Delivery], [String]) = ([], [])
        for other in buses.eachOnce() where ByteText(other) != ByteText(bus) {
            deliveries += try self.deliveries(of: event, subject, bytes: bytes, on: other, &thirds, steps)
        }
        return deliveries
    }

    private func deliveries(
        of event: JSONValue, bytes: Int, by rule: EventRule, _ buses: inout [String], _ steps: MatchingSteps
    ) throws(EventPatternError) -> [Queues.Delivery] {
        var deliveries: [Queues.Delivery] = []
        for target in rule.targets {
            // Writing the delivered text costs a step a byte.
            try steps.spend(bytes)
            guard let told = target.input.told(of: event, ruleARN: arn(of: rule), ruleName: rule.name) else { continue }
            // A template can say a part of the event several times.
            try steps.spend(told.utf8.count - bytes)
            switch target.place {
            case .function(let name): deliveries.append(.event(told, function: name))
            case .queue(let name, let group): deliveries.append(.message(told, queue: name, group: group))
            case .stateMachine(let name): deliveries.append(.event(told, function: Self.starting(name)))
            case .topic(let name):
                deliveries.append(.event(Self.publication(of: told, to: name), function: Self.publishing))
            case .bus(let name): buses.append(name)
            }
        }
        return deliveries
    }

    // MARK: Rules of the clock

    /// The schedules of the enabled rules that calls have made, by the names of the rules.
    package var schedules: [(name: String, schedule: Schedule)] {
        book.content.schedules.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }

    /// Calls `body` from now on where those schedules have changed, and waits for it.
    package func followSchedules(_ body: @escaping @Sendable () async -> Void) { book.follow(body) }

    /// Passes the event of a rule's time to the targets of the rule. A rule that has gone since passes on nothing.
    package func passOn(
        _ schedule: Schedule, of name: String, at seconds: Int64, once tick: Queues.Tick? = nil
    ) async throws(CloudError) {
        guard let rule = rules[Self.usualBus]?.first(where: { $0.name == name }), rule.isEnabled, rule.schedule != nil
        else { return }
        let bytes = schedule.event(
            named: name, at: seconds, id: UUIDText.random(), region: region, accountID: accountID)
        let event = (try? JSONReader.value(of: bytes)) ?? .null
        let deliveries = try await MatchingSteps.work { steps throws(CloudError) in
            try CloudError.of { () throws(EventPatternError) in
                var buses: [String] = []
                let own = try self.deliveries(of: event, bytes: bytes.count, by: rule, &buses, steps)
                guard !buses.isEmpty else { return own }
                let subject = try EventSubject(event, steps)
                return try own
                    + self.forwarded(event, subject, bytes: bytes.count, from: Self.usualBus, to: buses, steps)
            }
        }
        do throws(QueueError) { try await queues.deliver(deliveries, at: tick) } catch {
            throw CloudError("InternalException", "The event cannot be passed on: \(error.message)", status: 500)
        }
    }
}

/// A rule of a bus.
package struct EventRule: Sendable {
    package let name: String
    package let bus: String
    /// Nil: it is one of the clock.
    package let pattern: EventPattern?
    package let schedule: String?
    package let isEnabled: Bool
    package let targets: [EventTarget]

    package init(
        _ name: String, on bus: String, pattern: EventPattern?, schedule: String? = nil, isEnabled: Bool = true,
        targets: [EventTarget]
    ) {
        self.name = name
        self.bus = bus
        self.pattern = pattern
        self.schedule = schedule
        self.isEnabled = isEnabled
        self.targets = targets
    }
}

/// A target of a rule, and its input.
package struct EventTarget: Sendable {
    package enum Place: Sendable {
        case function(String)
        case queue(String, group: String?)
        case stateMachine(String)
        case topic(String)
        /// Another bus, whose rules pass the event on, but to no third bus.
        case bus(String)
    }

    package let place: Place
    package let input: EventInput

    package init(_ place: Place, _ input: EventInput = .whole) {
        self.place = place
        self.input = input
    }
}
