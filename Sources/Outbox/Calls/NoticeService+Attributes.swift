import Cloud
import JSON

/// The attributes of topics and their followers. Those of topics are kept and given back; policies and keys decide nothing here. An
/// attribute of a follower that is not kept is refused: people would rely on it.
extension NoticeService {
    private static func attributes(of input: CallInput) -> [(name: String, value: String)] {
        (input.object("Attributes")?.members ?? []).map { ($0.key, $0.value.string ?? "") }
    }

    private static func list(_ attributes: [(String, String)]) -> JSONObject {
        JSONObject([("Attributes", .object(JSONObject(attributes.map { ($0, .string($1)) })))])
    }

    // MARK: Topics

    static func title(_ text: String) throws(OutboxError) -> String {
        _ = try NoticeReaders.sender(text)
        return text
    }

    /// The attributes that a topic may have, and whether each is set once and for all.
    private static let known: [(name: String, isFinal: Bool)] =
        [
            ("DeliveryPolicy", false), ("Policy", false), ("KmsMasterKeyId", false), ("SignatureVersion", false),
            ("TracingConfig", false), ("ArchivePolicy", false), ("FifoTopic", true),
            ("ContentBasedDeduplication", false), ("FifoThroughputScope", false),
        ]
        + ["HTTP", "SQS", "Lambda", "Firehose", "Application"].flatMap { way in
            ["SuccessFeedbackRoleArn", "SuccessFeedbackSampleRate", "FailureFeedbackRoleArn"].map {
                ("\(way)\($0)", false)
            }
        }
    private static let orderedAlone = ["ContentBasedDeduplication", "FifoThroughputScope", "ArchivePolicy"]

    /// The attributes of a `CreateTopic`, and the name of the sender in mails.
    static func details(of input: CallInput) throws(OutboxError) -> (TopicDetails, title: String?) {
        var details = TopicDetails()
        var title: String?
        for (name, value) in attributes(of: input) {
            if name == "DisplayName" {
                title = try self.title(value)
            } else {
                guard known.contains(where: { $0.name == name }) else {
                    throw invalid("Attributes Reason: Unknown attribute \(name)")
                }
                let kept = try checked(value, of: name, "Attributes Reason: ")
                // That a topic is none of the other kind need not be kept.
                if name != "FifoTopic" || kept == "true" { details.attributes.append((name, kept)) }
            }
        }
        if let other = details.attributes.first(where: { orderedAlone.contains($0.name) }), !details.isOrdered {
            throw invalid("Attributes Reason: \(other.name) can only be set for FIFO topics")
        }
        if details.isOrdered, details["ContentBasedDeduplication"] == nil {
            details.attributes.append(("ContentBasedDeduplication", "false"))
        }
        details.tags = try tags(of: input)
        return (details, title)
    }

    /// The value as it is kept.
    static func checked(_ value: String, of name: String, _ place: String) throws(OutboxError) -> String {
        guard value.utf8.count <= OutboxLimits.attributeBytesMax else {
            throw invalid("\(place)\(name): the value is too long")
        }
        let values: [String]? =
            switch name {
            case "FifoTopic", "ContentBasedDeduplication": ["true", "false"]
            case "FifoThroughputScope": ["Topic", "MessageGroup"]
            case "SignatureVersion": ["1", "2"]
            case "TracingConfig": ["PassThrough", "Active"]
            default: nil
            }
        guard let values else {
            guard
                name != "Policy" && name != "DeliveryPolicy" || value.isEmpty
                    || (try? JSONReader.value(of: value))?.object != nil
            else { throw invalid("\(place)\(name): the value is no JSON object") }
            return value
        }
        let isFlag = values[0] == "true"
        guard let kept = values.first(where: { $0 == (isFlag ? value.lowercased() : value) }) else {
            throw invalid("\(place)\(name): Invalid value [\(value)]")
        }
        return kept
    }

    private static let deliveryPolicy =
        #"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":20,"maxDelayTarget":20,"numRetries":3,"numMaxDelayRetries":0,"numNoDelayRetries":0,"numMinDelayRetries":0,"backoffFunction":"linear"},"disableSubscriptionOverrides":false,"defaultRequestPolicy":{"headerContentType":"text/plain; charset=UTF-8"}}}"#

    func topicAttributes(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let arn = input.demanded("TopicArn")
        let topic = try topic(arn)
        guard let followers = try await outbox.followers(of: topic), let details = try await outbox.details(of: topic)
        else { throw Self.noTopic }
        var attributes = [
            ("TopicArn", self.arn(of: topic)), ("Owner", outbox.accountID),
            ("DisplayName", try await outbox.title(of: topic) ?? ""), ("SubscriptionsConfirmed", "\(followers.count)"),
            ("SubscriptionsPending", "0"), ("SubscriptionsDeleted", "0"),
            ("EffectiveDeliveryPolicy", details["DeliveryPolicy"] ?? Self.deliveryPolicy),
        ]
        if details["Policy"] == nil { attributes.append(("Policy", usualPolicy(of: topic))) }
        attributes += details.attributes.map { ($0.name, $0.value) }
        return Self.list(attributes)
    }

    func setTopicAttribute(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("TopicArn"))
        let name = input.demanded("AttributeName")
        let value = input.demanded("AttributeValue")
        if name == "DisplayName" {
            guard try await outbox.setTitle(try Self.title(value), of: topic) else { throw Self.noTopic }
            return JSONObject()
        }
        guard Self.known.contains(where: { $0.name == name && !$0.isFinal }) else {
            throw Self.invalid("AttributeName")
        }
        let kept = value.isEmpty ? "" : try Self.checked(value, of: name, "AttributeValue Reason: ")
        if Self.orderedAlone.contains(name), try await outbox.details(of: topic)?.isOrdered == false {
            throw Self.invalid("AttributeName Reason: \(name) can only be set for FIFO topics")
        }
        guard try await outbox.setAttribute(name, to: kept, of: topic) else { throw Self.noTopic }
        return JSONObject()
    }

    // MARK: Telephones

    private static let telephoneNames = [
        "MonthlySpendLimit", "DeliveryStatusIAMRole", "DeliveryStatusSuccessSamplingRate", "DefaultSenderID",
        "DefaultSMSType", "UsageReportS3Bucket",
    ]

    /// The attributes of texts to telephones are checked, and mean nothing here.
    func setTelephoneAttributes(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        for member in input.object("attributes")?.members ?? [] {
            guard Self.telephoneNames.contains(where: { ByteText($0) == ByteText(member.key) }) else {
                throw OutboxError("InvalidParameter", "\(member.key) is not a valid attribute")
            }
            guard member.key != "DefaultSMSType" || member.value == "Promotional" || member.value == "Transactional"
            else { throw OutboxError("InvalidParameter", "DefaultSMSType is invalid") }
        }
        return JSONObject()
    }

    // MARK: Followers

    private static let noSubscription = OutboxError("NotFound", "Subscription does not exist", status: 404)

    /// `arn:aws:sns:REGION:ACCOUNT:TOPIC:ID`
    func subscription(_ arn: String?) throws(OutboxError) -> (topic: String, id: String) {
        guard let arn else { throw Self.invalid("SubscriptionArn Reason: no value for required parameter") }
        let parts = try Self.parts(of: arn, "SubscriptionArn")
        guard parts.count == 2 else { throw Self.invalid("SubscriptionId") }
        return (parts[0], parts[1])
    }

    /// The filter in a `Subscribe`.
    static func filter(of input: CallInput, topic: String) throws(OutboxError) -> FollowerFilter {
        var filter = FollowerFilter()
        for (name, value) in attributes(of: input) { try set(name, to: value, in: &filter, "Attributes Reason: ") }
        _ = try filter.policy.map { policy throws(OutboxError) in
            try NoticeFilter.read(policy, over: filter.scope ?? .attributes, in: "Attributes Reason: ")
        }
        try checkRedrive(of: filter, topic, in: "Attributes Reason: ")
        return filter
    }

    private static func checkRedrive(
        of filter: FollowerFilter, _ topic: String, in place: String
    ) throws(OutboxError) {
        guard let redrive = filter.redrive else { return }
        try NoticeRedrive.read(redrive, in: place)?.check(topic: topic, in: place)
    }

    private static func set(
        _ name: String, to value: String, in filter: inout FollowerFilter, _ place: String
    ) throws(OutboxError) {
        switch name {
        case "FilterPolicy": filter.policy = value
        case "RedrivePolicy": filter.redrive = value
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

    func subscriptionAttributes(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let arn = input.demanded("SubscriptionArn")
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
        if let redrive = follower.redrive { attributes.append(("RedrivePolicy", redrive)) }
        return Self.list(attributes)
    }

    func setSubscriptionAttribute(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let place = try subscription(input.demanded("SubscriptionArn"))
        var filter = FollowerFilter()
        try Self.set(
            input.demanded("AttributeName"), to: input.demanded("AttributeValue"), in: &filter, "")
        try Self.checkRedrive(of: filter, place.topic, in: "")
        guard try await outbox.setFilter(filter, of: place.topic, id: place.id) else { throw Self.noSubscription }
        return JSONObject()
    }
}
