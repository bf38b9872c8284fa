import Crypto
import EventPatterns
import JSON
import Queues

/// The operations of EventBridge, by their names. Buses and rules are the project's: they are told, not made.
package struct EventCalls: Sendable {
    let events: Events

    package init(_ events: Events) { self.events = events }

    package func answer(_ operation: String, _ input: JSONValue) async throws(EventError) -> JSONObject {
        switch operation {
        case "PutEvents": return try await put(input)
        case "TestEventPattern":
            return try await MatchingSteps.work { steps throws(EventError) in
                try EventError.of { () throws(EventPatternError) in
                    try steps.spend(Self.bytes(of: input, ["EventPattern", "Event"]))
                }
                let written = try Self.parsed(input, "EventPattern")
                let pattern = try EventError.of { () throws(EventPatternError) in try EventPattern(written) }
                let event = try Self.parsed(input, "Event")
                guard event.object != nil, Self.demanded.allSatisfy({ event[$0]?.isNull == false }) else {
                    throw .invalid("Parameter Event is not valid.")
                }
                let isMatch = try EventError.of { () throws(EventPatternError) in try pattern.matches(event, steps) }
                return JSONObject([("Result", .bool(isMatch))])
            }
        case "ListEventBuses":
            let start = input["NamePrefix"]?.string ?? ""
            let names = events.rules.keys.sorted().filter { $0.string.hasPrefix(start) }
            return JSONObject([("EventBuses", .array(names.map { .object(shown($0.string)) }))])
        case "DescribeEventBus":
            let name = input["Name"]?.string ?? Events.usualBus
            guard let bus = events.bus(name) else { throw Self.noBus(name) }
            return shown(bus)
        case "ListRules":
            let bus = try bus(input)
            let start = input["NamePrefix"]?.string ?? ""
            let rules = (events.rules[bus] ?? []).filter { $0.name.hasPrefix(start) }
            return JSONObject([("Rules", .array(rules.map { .object(shown($0)) }))])
        case "DescribeRule": return shown(try rule(input, "Name"))
        case "ListTargetsByRule":
            let targets = try rule(input, "Rule").targets
            return JSONObject([("Targets", .array(targets.enumerated().map { .object(shown($1, $0)) }))])
        default:
            throw EventError(
                "UnknownOperationException",
                operation.isEmpty
                    ? "The request names no operation."
                    : "The operation \(operation) is not one of those of EventBridge that are served here: rules and buses are the project's."
            )
        }
    }

    /// The members that every event has, also one that a pattern is tried on.
    private static let demanded = ["id", "account", "source", "time", "region", "detail-type"]

    private static func parsed(_ input: JSONValue, _ name: String) throws(EventError) -> JSONValue {
        guard let text = input[name]?.string else {
            throw .invalid(
                "1 validation error detected: Value null at '\(name.prefix(1).lowercased())\(name.dropFirst())' failed to satisfy constraint: Member must not be null"
            )
        }
        guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits) else {
            throw name == "EventPattern"
                ? EventError("InvalidEventPatternException", "Event pattern is not valid. Reason: it is no JSON")
                : .invalid("Parameter \(name) is not valid: it is no JSON.")
        }
        return value
    }

    private static let limits = JSONLimits(bytesMax: EventLimits.bodyBytesMax, nestingMax: EventLimits.nestingMax)

    // MARK: Events

    private func put(_ input: JSONValue) async throws(EventError) -> JSONObject {
        let entries = input["Entries"]?.array ?? []
        guard (1...EventLimits.entriesMax).contains(entries.count) else {
            throw .invalid(
                "1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length "
                    + (entries.isEmpty
                        ? "greater than or equal to 1" : "less than or equal to \(EventLimits.entriesMax)"))
        }
        let bytes = entries.reduce(0) { $0 + Self.bytes(of: $1, ["Source", "DetailType", "Detail"]) }
        guard bytes <= EventLimits.entriesBytesMax else {
            throw .invalid("Total size of the entries in the request is over the limit.")
        }
        let told = try await MatchingSteps.work { steps throws(EventError) -> Told in
            try self.told(entries, steps)
        }
        do throws(QueueError) { try await events.queues.deliver(told.deliveries) } catch {
            throw EventError("InternalException", "The events cannot be passed on: \(error.message)", status: 500)
        }
        return JSONObject([("FailedEntryCount", .integer(told.failed)), ("Entries", .array(told.answers))])
    }

    /// The results of the events of a call.
    private struct Told: Sendable {
        var answers: [JSONValue] = []
        var deliveries: [Queues.Delivery] = []
        var failed: Int64 = 0
    }

    private func told(_ entries: [JSONValue], _ steps: MatchingSteps) throws(EventError) -> Told {
        var told = Told()
        for entry in entries {
            let id = UUIDText.random()
            do throws(EventError) {
                let bytes = Self.bytes(of: entry, ["Detail"])
                try EventError.of { () throws(EventPatternError) in try steps.spend(bytes) }
                let (event, bus) = try event(entry, id)
                // A bus that nobody has takes what it is told, and passes it on to nobody.
                if let bus = events.bus(bus) {
                    told.deliveries += try EventError.of { () throws(EventPatternError) in
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

    private func event(_ entry: JSONValue, _ id: String) throws(EventError) -> (event: JSONValue, bus: String) {
        func text(_ name: String) throws(EventError) -> String {
            guard let text = entry[name]?.string, !text.isEmpty else {
                throw EventError(
                    "InvalidArgument", "Parameter \(name) is not valid. Reason: \(name) is a required argument.")
            }
            return text
        }
        let (source, type) = (try text("Source"), try text("DetailType"))
        guard !source.hasPrefix("aws.") else {
            throw EventError("NotAuthorizedForSourceException", "Not authorized for the source.")
        }
        let detail = try text("Detail")
        guard let detail = try? JSONReader.value(of: Array(detail.utf8), limits: Self.limits), detail.object != nil
        else {
            throw EventError("MalformedDetail", "Detail is malformed.")
        }
        let seconds = entry["Time"]?.number.flatMap { $0.isFinite && abs($0) < 1e11 ? Int64($0) : nil }
        // Without the milliseconds, of which there are none.
        let time = "\(Timestamp(seconds: seconds ?? events.clock() / 1_000).text.dropLast(".000Z".utf8.count))Z"
        let event: JSONValue = [
            "version": "0", "id": .string(id), "detail-type": .string(type), "source": .string(source),
            "account": .string(events.accountID), "time": .string(time), "region": .string(events.region),
            "resources": .array((entry["Resources"]?.array ?? []).filter { $0.string != nil }), "detail": detail,
        ]
        return (event, entry["EventBusName"]?.string ?? Events.usualBus)
    }

    // MARK: What there is

    private static func noBus(_ name: String) -> EventError {
        EventError("ResourceNotFoundException", "Event bus \(name) does not exist.")
    }

    private func bus(_ input: JSONValue) throws(EventError) -> String {
        let name = input["EventBusName"]?.string ?? Events.usualBus
        guard let bus = events.bus(name) else { throw Self.noBus(name) }
        return bus
    }

    private func rule(_ input: JSONValue, _ member: String) throws(EventError) -> EventRule {
        let (bus, name) = (try bus(input), input[member]?.string ?? "")
        guard let rule = (events.rules[bus] ?? []).first(where: { $0.name == name }) else {
            throw EventError("ResourceNotFoundException", "Rule \(name) does not exist on EventBus \(bus).")
        }
        return rule
    }

    private func shown(_ bus: String) -> JSONObject {
        JSONObject([("Name", .string(bus)), ("Arn", .string(events.arn("event-bus/\(bus)")))])
    }

    private func shown(_ rule: EventRule) -> JSONObject {
        var shown = JSONObject([
            ("Name", .string(rule.name)), ("Arn", .string(events.arn(of: rule))),
            ("State", rule.isEnabled ? "ENABLED" : "DISABLED"), ("EventBusName", .string(rule.bus)),
        ])
        if let pattern = rule.pattern { shown.set("EventPattern", to: .string(JSONWriter.text(of: pattern.source))) }
        if let schedule = rule.schedule { shown.set("ScheduleExpression", to: .string(schedule)) }
        return shown
    }

    private func shown(_ target: EventTarget, _ number: Int) -> JSONObject {
        let arn =
            switch target.place {
            case .function(let name): "arn:aws:lambda:\(events.region):\(events.accountID):function:\(name)"
            case .stateMachine(let name): "arn:aws:states:\(events.region):\(events.accountID):stateMachine:\(name)"
            case .queue(let name, _): "arn:aws:sqs:\(events.region):\(events.accountID):\(name)"
            }
        return JSONObject([("Id", .string("Target\(number)")), ("Arn", .string(arn))])
    }
}
