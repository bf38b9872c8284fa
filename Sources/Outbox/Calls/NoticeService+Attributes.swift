import JSON

/// The attributes of topics and their followers. An attribute that is not kept is refused: people would rely on it.
extension NoticeService {
    /// `Attributes.entry.N.key`, `.value`
    static func attributes(of input: JSONValue) throws(OutboxError) -> [(name: String, value: String)] {
        var attributes: [(String, String)] = []
        for entry in input["Attributes"]?.array ?? [] {
            attributes.append(
                (try entry.text("key", in: "attributes"), try entry.text("value", in: "attributes")))
        }
        return attributes
    }

    private static func list(_ attributes: [(String, String)]) -> JSONObject {
        let entries = attributes.map { JSONValue.object(JSONObject([("key", .string($0)), ("value", .string($1))])) }
        return JSONObject([("Attributes", .object(JSONObject([("entry", .array(entries))])))])
    }

    // MARK: Topics

    static func title(_ text: String) throws(OutboxError) -> String {
        _ = try NoticeReaders.sender(text)
        return text
    }

    func topicAttributes(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let arn = try input.text("TopicArn")
        let topic = try topic(arn)
        guard let followers = try await outbox.followers(of: topic) else { throw Self.noTopic }
        return Self.list([
            ("TopicArn", self.arn(of: topic)), ("Owner", outbox.accountID),
            ("DisplayName", try await outbox.title(of: topic) ?? ""), ("SubscriptionsConfirmed", "\(followers.count)"),
            ("SubscriptionsPending", "0"), ("SubscriptionsDeleted", "0"),
        ])
    }

    func setTopicAttribute(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let topic = try topic(try input.text("TopicArn"))
        let name = try input.text("AttributeName")
        guard name == "DisplayName" else { throw Self.invalid("AttributeName Reason: \(name) is not kept here") }
        let title = try Self.title(input["AttributeValue"]?.string ?? "")
        guard try await outbox.setTitle(title, of: topic) else { throw Self.noTopic }
        return JSONObject()
    }

    // MARK: Followers

    private static let noSubscription = OutboxError("NotFound", "Subscription does not exist", status: 404)

    /// `arn:aws:sns:REGION:ACCOUNT:TOPIC:ID`
    func subscription(_ arn: String) throws(OutboxError) -> (topic: String, id: String) {
        let parts = arn.parts(at: ":", keepingEmpty: true)
        guard parts.count == 7, parts[2] == "sns" else { throw Self.invalid("SubscriptionArn") }
        return (parts[5], parts[6])
    }

    /// The filter in a `Subscribe`.
    static func filter(of input: JSONValue) throws(OutboxError) -> FollowerFilter {
        var filter = FollowerFilter()
        for (name, value) in try attributes(of: input) { try set(name, to: value, in: &filter, "Attributes Reason: ") }
        _ = try filter.policy.map { policy throws(OutboxError) in
            try NoticeFilter.read(policy, over: filter.scope ?? .attributes, in: "Attributes Reason: ")
        }
        return filter
    }

    private static func set(
        _ name: String, to value: String, in filter: inout FollowerFilter, _ place: String
    ) throws(OutboxError) {
        switch name {
        case "FilterPolicy": filter.policy = value
        case "FilterPolicyScope":
            guard let scope = NoticeFilter.Scope(rawValue: value) else {
                throw invalid(
                    "\(place)FilterPolicyScope: Invalid value [\(value)]. Please use either MessageBody or MessageAttributes"
                )
            }
            filter.scope = scope
        case "RawMessageDelivery":
            switch value.lowercased() {
            case "true": filter.isRaw = true
            case "false": filter.isRaw = false
            default: throw invalid("\(place)RawMessageDelivery: Invalid value [\(value)]. Must be true or false.")
            }
        default:
            throw invalid(
                place.isEmpty ? "AttributeName Reason: \(name) is not kept here" : "\(place)\(name) is not kept here")
        }
    }

    func subscriptionAttributes(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let arn = try input.text("SubscriptionArn")
        let place = try subscription(arn)
        guard let follower = try await outbox.followers(of: place.topic)?.first(where: { $0.id == place.id }) else {
            throw Self.noSubscription
        }
        var attributes = [
            ("SubscriptionArn", "\(self.arn(of: place.topic)):\(follower.id)"),
            ("TopicArn", self.arn(of: place.topic)), ("Protocol", follower.way), ("Endpoint", follower.endpoint),
            ("Owner", outbox.accountID), ("ConfirmationWasAuthenticated", "true"), ("PendingConfirmation", "false"),
            ("RawMessageDelivery", follower.isRaw ? "true" : "false"),
        ]
        if let policy = follower.policy {
            attributes += [("FilterPolicy", policy), ("FilterPolicyScope", follower.scope.rawValue)]
        }
        return Self.list(attributes)
    }

    func setSubscriptionAttribute(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let place = try subscription(try input.text("SubscriptionArn"))
        var filter = FollowerFilter()
        try Self.set(
            try input.text("AttributeName"), to: input["AttributeValue"]?.string ?? "", in: &filter, "")
        guard try await outbox.setFilter(filter, of: place.topic, id: place.id) else { throw Self.noSubscription }
        return JSONObject()
    }
}
