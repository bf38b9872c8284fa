import Access
import Cloud
import JSON

/// The rights that callers of EventBridge need, in IAM's names.
enum EventRights {
    static let service = "events"

    /// Each bus that gets an event.
    @Sendable static func buses(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let each = (input.list("Entries") ?? []).map { name(of: $0["EventBusName"]) }.eachOnce()
        return each.isEmpty
            ? [RightsDemand(action, .all(of: service))]
            : each.map { RightsDemand(action, PolicyResource(service, "event-bus/", $0)) }
    }

    @Sendable static func bus(_ action: String, _ input: CallInput) -> [RightsDemand] {
        [RightsDemand(action, PolicyResource(service, "event-bus/", name(of: input.members["Name"])))]
    }

    /// The bus whose policy a call is for.
    @Sendable static func policy(_ action: String, _ input: CallInput) -> [RightsDemand] {
        [RightsDemand(action, PolicyResource(service, "event-bus/", name(of: input.members["EventBusName"])))]
    }

    /// The rule or the bus whose tags a call is for.
    @Sendable static func tagged(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let resource = ARN(input.demanded("ResourceARN"), of: service)?.resource
        return [RightsDemand(action, resource.map { PolicyResource(service, $0) } ?? .all(of: service))]
    }

    @Sendable static func rule(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let (bus, name) = (name(of: input.members["EventBusName"]), input.text("Name") ?? input.text("Rule") ?? "*")
        let place = bus == Events.usualBus ? name : "\(bus)/\(name)"
        return [RightsDemand(action, PolicyResource(service, "rule/", place))]
    }

    static let machineKind = "stateMachine:"
    static let busKind = "event-bus/"

    /// A rule, and each queue, function, state machine, topic and bus that gets its events: a caller without the right to send to a queue
    /// cannot have events sent there, and one without the right to call a function, to start executions, to publish or to put events cannot
    /// have that done.
    @Sendable static func targets(_ action: String, _ input: CallInput) -> [RightsDemand] {
        rule(action, input)
            + (input.list("Targets") ?? []).compactMap { $0["Arn"]?.string }.eachOnce().map { arn -> RightsDemand in
                if let function = ARN(arn, of: "lambda") {
                    let name = functionName(in: function)
                    return RightsDemand(
                        "lambda:InvokeFunction",
                        name.map { PolicyResource("lambda", "function:", $0) } ?? .all(of: "lambda"))
                }
                if let machine = ARN(arn, of: "states") {
                    let name = machine.name(behind: machineKind)
                    return RightsDemand(
                        "states:StartExecution",
                        name.map { PolicyResource("states", machineKind, $0) } ?? .all(of: "states"))
                }
                if let topic = ARN(arn, of: "sns") {
                    return RightsDemand("sns:Publish", PolicyResource("sns", topic.resource))
                }
                if let bus = ARN(arn, of: service) {
                    let name = bus.name(behind: busKind)
                    return RightsDemand(
                        "events:PutEvents", name.map { PolicyResource(service, busKind, $0) } ?? .all(of: service))
                }
                let name = ARN(arn, of: "sqs").map(\.resource)
                return RightsDemand("sqs:SendMessage", name.map { PolicyResource("sqs", $0) } ?? .all(of: "sqs"))
            }
    }

    /// The name in the ARN of a function, which may go on with a version.
    static func functionName(in arn: ARN) -> String? {
        let parts = arn.parts
        guard (2...3).contains(parts.count), parts[0] == "function", !parts[1].isEmpty else { return nil }
        return parts[1]
    }

    /// The name of a bus that is given by its name or its ARN, as the service itself reads it.
    private static func name(of value: JSONValue?) -> String {
        guard let text = value?.string else { return Events.usualBus }
        guard let arn = ARN(text, of: service), arn.parts.count == 1 else { return text }
        return arn.name(behind: "event-bus/") ?? text
    }
}
