import Access
import Events
import JSON

/// The rights that calls of EventBridge need, in IAM's names.
enum EventDemand {
    private static let service = "events"

    static func demands(_ operation: String, _ input: JSONValue) -> [RightsDemand] {
        let action = "\(service):\(operation)"
        switch operation {
        case "PutEvents":
            let buses = (input["Entries"]?.array ?? []).map { bus($0["EventBusName"]) }
            let each = buses.eachOnce()
            return each.isEmpty
                ? [RightsDemand(action, .all(of: service))]
                : each.map { RightsDemand(action, PolicyResource(service, "event-bus/", $0)) }
        case "DescribeEventBus":
            return [RightsDemand(action, PolicyResource(service, "event-bus/", bus(input["Name"])))]
        case "DescribeRule", "ListTargetsByRule":
            let (bus, name) = (bus(input["EventBusName"]), input["Name"]?.string ?? input["Rule"]?.string ?? "*")
            let place = bus == Events.usualBus ? name : "\(bus)/\(name)"
            return [RightsDemand(action, PolicyResource(service, "rule/", place))]
        default: return [RightsDemand(action, .all(of: service))]
        }
    }

    /// The name of a bus that is given by its name or its ARN, as the service itself reads it.
    private static func bus(_ value: JSONValue?) -> String {
        guard let text = value?.string else { return Events.usualBus }
        let parts = text.parts(separatedBy: ":")
        let kind = "event-bus/"
        guard text.hasPrefix("arn:aws:events:"), parts.count == 6, parts[5].hasPrefix(kind) else { return text }
        return String(parts[5].dropFirst(kind.count))
    }
}
