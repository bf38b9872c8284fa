import Access
import Cloud
import Crypto
import EventPatterns
import JSON
import Queues

/// The operations of EventBridge.
package struct EventCalls: Sendable {
    let events: Events

    package init(_ events: Events) { self.events = events }

    // MARK: The table

    private typealias Member = MemberShape.Member

    private static let start = Member("NamePrefix", .text(1...64, .resource))
    private static let bus = Member("EventBusName", .text(1...EventLimits.busCharactersMax))
    static let page = [
        MemberShape.Member("NextToken", .text(1...2_048)),
        MemberShape.Member("Limit", .integer(1...EventLimits.pageMax)),
    ]

    private static func rule(_ name: String) -> Member {
        Member(name, .text(1...64, .resource), isRequired: true)
    }

    private static let entry: [Member] = [
        Member("Time", .number), Member("Source", .text(0...EventLimits.bodyBytesMax)),
        Member("Resources", .list(.text(0...2_048), max: EventLimits.resourcesMax)),
        Member("DetailType", .text(0...EventLimits.bodyBytesMax)),
        Member("Detail", .text(0...EventLimits.bodyBytesMax)), bus, Member("TraceHeader", .text(1...500)),
    ]

    package var table: ServiceTable {
        let words = ServiceWords(missing: "Value null", hint: ": archives, connections and partners are not here")
        let (ofBus, ofRule) = (EventRights.bus, EventRights.rule)
        return ServiceTable(
            "EventBridge", service: EventRights.service, target: "AWSEvents", json: "1.1",
            Self.limits, words,
            [
                CloudOperation(
                    "PutEvents",
                    [
                        Member(
                            "Entries", .list(.object(Self.entry), min: 1, max: EventLimits.entriesMax), isRequired: true
                        ),
                        Member("EndpointId", .text(1...50)),
                    ], rights: EventRights.buses, of: put),
                CloudOperation(
                    "TestEventPattern",
                    [
                        Member("EventPattern", .text(0...EventLimits.bodyBytesMax), isRequired: true),
                        Member("Event", .text(0...EventLimits.bodyBytesMax), isRequired: true),
                    ], of: test),
                CloudOperation(
                    "ListEventBuses", [Member("NamePrefix", .text(1...256, .resourcePath))] + Self.page, of: listBuses),
                CloudOperation(
                    "DescribeEventBus", [Member("Name", .text(1...EventLimits.busCharactersMax))], rights: ofBus,
                    of: describeBus),
                CloudOperation("ListRules", [Self.start, Self.bus] + Self.page, of: listRules),
                CloudOperation("DescribeRule", [Self.rule("Name"), Self.bus], rights: ofRule) {
                    (call: CloudCall) async throws(CloudError) in
                    var shown = self.shown(try self.rule(call.input, "Name"))
                    shown.set("CreatedBy", to: .string(events.accountID))
                    return shown
                },
                CloudOperation(
                    "ListTargetsByRule", [Self.rule("Rule"), Self.bus] + Self.page, rights: ofRule, of: targets),
            ] + changes + notes)
    }

    private static let limits = JSONLimits(bytesMax: EventLimits.bodyBytesMax, nestingMax: EventLimits.nestingMax)

    // MARK: Patterns

    private func test(_ input: CallInput) async throws(CloudError) -> JSONObject {
        try await MatchingSteps.work { steps throws(CloudError) in
            try CloudError.of { () throws(EventPatternError) in
                try steps.spend(Self.bytes(of: input.json, ["EventPattern", "Event"]))
            }
            let written = try Self.parsed(input, "EventPattern")
            let pattern = try CloudError.of { () throws(EventPatternError) in try EventPattern(written) }
            let event = try Self.parsed(input, "Event")
            guard event.object != nil, Self.demanded.allSatisfy({ event[$0]?.isNull == false }) else {
                throw .invalid("Parameter Event is not valid.")
            }
            let isMatch = try CloudError.of { () throws(EventPatternError) in try pattern.matches(event, steps) }
            return JSONObject([("Result", .bool(isMatch))])
        }
    }

    /// The members that every event has, also one that a pattern is tried on.
    private static let demanded = ["id", "account", "source", "time", "region", "detail-type"]

    static func parsed(_ input: CallInput, _ name: String) throws(CloudError) -> JSONValue {
        guard let value = try? JSONReader.value(of: Array(input.demanded(name).utf8), limits: limits) else {
            throw name == "EventPattern"
                ? CloudError("InvalidEventPatternException", "Event pattern is not valid. Reason: it is no JSON")
                : .invalid("Parameter \(name) is not valid.")
        }
        return value
    }

    // MARK: Events

    private func put(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let entries = input.list("Entries") ?? []
        let bytes = entries.reduce(0) { $0 + Self.bytes(of: $1, ["Source", "DetailType", "Detail"]) }
        guard bytes <= EventLimits.entriesBytesMax else {
            throw .invalid("Total size of the entries in the request is over the limit.")
        }
        let told = try await MatchingSteps.work { steps throws(CloudError) -> Told in
            try self.told(entries, steps)
        }
        do throws(QueueError) { try await events.queues.deliver(told.deliveries) } catch {
            throw CloudError("InternalException", "The events cannot be passed on: \(error.message)", status: 500)
        }
        return JSONObject([("FailedEntryCount", .integer(told.failed)), ("Entries", .array(told.answers))])
    }

    /// The results of the events of a call.
    private struct Told: Sendable {
        var answers: [JSONValue] = []
        var deliveries: [Queues.Delivery] = []
        var failed: Int64 = 0
    }

    private func told(_ entries: [JSONValue], _ steps: MatchingSteps) throws(CloudError) -> Told {
        var told = Told()
        for entry in entries {
            let id = UUIDText.random()
            do throws(CloudError) {
                let bytes = Self.bytes(of: entry, ["Detail"])
                try CloudError.of { () throws(EventPatternError) in try steps.spend(bytes) }
                let (event, bus) = try event(entry, id)
                // A bus that nobody has takes what it is told, and passes it on to nobody.
                if let bus = events.bus(bus) {
                    told.deliveries += try CloudError.of { () throws(EventPatternError) in
                        try events.deliveries(of: event, bytes: bytes, on: bus, steps)
                    }
                }
                told.answers.append(["EventId": .string(id)])
            } catch {
                guard !steps.isSpent else { throw error }
                told.failed += 1
                told.answers.append(["ErrorCode": .string(error.type), "ErrorMessage": .string(error.message)])
            }
        }
        return told
    }

    private static func bytes(of object: JSONValue, _ names: [String]) -> Int {
        names.reduce(0) { $0 + (object[$1]?.string?.utf8.count ?? 0) }
    }

    private func event(_ entry: JSONValue, _ id: String) throws(CloudError) -> (event: JSONValue, bus: String) {
        func text(_ name: String) throws(CloudError) -> String {
            guard let text = entry[name]?.string, !text.isEmpty else {
                throw CloudError(
                    "InvalidArgument", "Parameter \(name) is not valid. Reason: \(name) is a required argument.")
            }
            return text
        }
        let (source, type) = (try text("Source"), try text("DetailType"))
        guard !source.hasPrefix("aws.") else {
            throw CloudError("NotAuthorizedForSourceException", "Not authorized for the source.")
        }
        let detail = try text("Detail")
        guard let detail = try? JSONReader.value(of: Array(detail.utf8), limits: Self.limits), detail.object != nil
        else {
            throw CloudError("MalformedDetail", "Detail is malformed.")
        }
        let seconds = entry["Time"]?.number.flatMap { $0.isFinite && abs($0) < 1e11 ? Int64($0) : nil }
        // Without the milliseconds, of which there are none.
        let time = "\(Timestamp(seconds: seconds ?? events.clock() / 1_000).text.dropLast(".000Z".utf8.count))Z"
        let event: JSONValue = [
            "version": "0", "id": .string(id), "detail-type": .string(type), "source": .string(source),
            "account": .string(events.accountID), "time": .string(time), "region": .string(events.region),
            "resources": .array(entry["Resources"]?.array ?? []), "detail": detail,
        ]
        return (event, entry["EventBusName"]?.string ?? Events.usualBus)
    }

    // MARK: What there is

    /// A page of a list in the order of names.
    func page(
        _ all: [(String, JSONValue)], _ member: String, _ input: CallInput
    ) throws(CloudError) -> JSONObject {
        let none = CloudError.invalid("Parameter NextToken is not valid.")
        let after = try NameToken.name(of: input.text("NextToken"), orElse: none)
        let count = Int(input.integer("Limit") ?? EventLimits.pageMax)
        let rest = all.map { (ByteText($0.0), $0.1) }.sorted { $0.0 < $1.0 }
            .filter { entry in after.map { $0 < entry.0 } ?? true }
        let page = rest.prefix(count)
        var answer = JSONObject([(member, .array(page.map(\.1)))])
        if rest.count > page.count, let last = page.last { answer.set("NextToken", to: NameToken.text(behind: last.0)) }
        return answer
    }

    private func listBuses(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let notes = try await events.made.notes()
        let start = input.text("NamePrefix") ?? ""
        let names = events.rules.keys.map(\.string).filter { $0.hasPrefix(start) }
        return try page(names.map { ($0, .object(shown($0, notes))) }, "EventBuses", input)
    }

    private func describeBus(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let bus = try bus(input, "Name")
        return shown(bus, try await events.made.notes())
    }

    private func listRules(_ input: CallInput) throws(CloudError) -> JSONObject {
        let (bus, start) = (try bus(input), input.text("NamePrefix") ?? "")
        let rules = (events.rules[bus] ?? []).filter { $0.name.hasPrefix(start) }
        return try page(rules.map { ($0.name, .object(shown($0))) }, "Rules", input)
    }

    private func targets(_ input: CallInput) throws(CloudError) -> JSONObject {
        let rule = try rule(input, "Rule")
        if let made = madeRule(rule) {
            return try page(made.targets.map { ($0.id, .object($0.members)) }, "Targets", input)
        }
        let targets = rule.targets.enumerated().map { number, target -> (String, JSONValue) in
            let id = "Target\(number)"
            return (id, ["Id": .string(id), "Arn": .string(arn(of: target))])
        }
        return try page(targets, "Targets", input)
    }

    /// A rule as a call has made it; nil: it is the project's.
    func madeRule(_ rule: EventRule) -> MadeRule? {
        let content = events.book.content
        return content.isOfProject(rule.name, on: rule.bus) ? nil : content.made[rule.bus]?[rule.name]
    }

    func bus(_ input: CallInput, _ member: String = "EventBusName") throws(CloudError) -> String {
        let name = input.text(member) ?? Events.usualBus
        guard let bus = events.bus(name) else {
            throw CloudError("ResourceNotFoundException", "Event bus \(name) does not exist.")
        }
        return bus
    }

    private func rule(_ input: CallInput, _ member: String) throws(CloudError) -> EventRule {
        let (bus, name) = (try bus(input), input.demanded(member))
        guard let rule = (events.rules[bus] ?? []).first(where: { $0.name == name }) else {
            throw CloudError("ResourceNotFoundException", "Rule \(name) does not exist on EventBus \(bus).")
        }
        return rule
    }

    private func shown(_ bus: String, _ notes: [ByteText: JSONObject]) -> JSONObject {
        let resource = "event-bus/\(bus)"
        var shown = JSONObject([("Name", .string(bus)), ("Arn", .string(events.arn(resource)))])
        if let policy = notes[ByteText(resource)]?["Policy"] {
            shown.set("Policy", to: .string(JSONWriter.text(of: policy)))
        }
        let made = events.book.content.buses[bus]
        if let description = made?.description { shown.set("Description", to: .string(description)) }
        // Nothing says when those of the project were made.
        let created = JSONValue.double(Double(made?.created ?? 0) / 1_000)
        shown.set("CreationTime", to: created)
        shown.set("LastModifiedTime", to: created)
        return shown
    }

    private func shown(_ rule: EventRule) -> JSONObject {
        var shown = JSONObject([
            ("Name", .string(rule.name)), ("Arn", .string(events.arn(of: rule))),
            ("State", rule.isEnabled ? "ENABLED" : "DISABLED"), ("EventBusName", .string(rule.bus)),
        ])
        if let pattern = rule.pattern { shown.set("EventPattern", to: .string(JSONWriter.text(of: pattern.source))) }
        if let schedule = rule.schedule { shown.set("ScheduleExpression", to: .string(schedule)) }
        if let made = madeRule(rule) {
            if let description = made.description { shown.set("Description", to: .string(description)) }
            if let role = made.role { shown.set("RoleArn", to: .string(role)) }
        }
        return shown
    }

    func arn(of target: EventTarget) -> String {
        switch target.place {
        case .function(let name): events.arn("function:\(name)", of: "lambda")
        case .stateMachine(let name): events.arn("\(EventRights.machineKind)\(name)", of: "states")
        case .queue(let name, _): events.arn(name, of: "sqs")
        case .topic(let name): events.arn(name, of: "sns")
        case .bus(let name): events.arn("\(EventRights.busKind)\(name)")
        }
    }
}
