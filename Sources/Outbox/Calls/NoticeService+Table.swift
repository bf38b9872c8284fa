import Access
import Cloud
import JSON

/// The operations of SNS.
extension NoticeService {
    private typealias Member = MemberShape.Member

    /// A text whose constraints have words of their own.
    static let anyText = MemberShape.text(0...OutboxLimits.bodyBytesMax)
    static let service = "sns"
    private static let topic = Member("TopicArn", anyText, isRequired: true)
    private static let subscription = Member("SubscriptionArn", anyText, isRequired: true)
    private static let resource = Member("ResourceArn", anyText, isRequired: true)
    private static let label = Member("Label", anyText, isRequired: true)
    private static let nextToken = Member("NextToken", anyText)
    private static let settings = MemberShape.map(
        anyText, keyMax: OutboxLimits.bodyBytesMax, max: OutboxLimits.parametersMax)
    private static let attributes = Member("Attributes", settings)
    private static let setting = [
        Member("AttributeName", anyText, isRequired: true), Member("AttributeValue", anyText),
    ]

    private static func names(_ name: String) -> Member {
        Member(name, .list(anyText, max: OutboxLimits.parametersMax), isRequired: true)
    }

    private static func tags(isRequired: Bool = false) -> Member {
        Member(
            "Tags",
            .list(.object([Member("Key", anyText), Member("Value", anyText)]), max: OutboxLimits.parametersMax),
            isRequired: isRequired)
    }

    /// The members of what is published.
    private static func message(isRequired: Bool = false) -> [Member] {
        let attribute = MemberShape.object([
            Member("DataType", anyText, isRequired: true), Member("StringValue", anyText),
            Member("BinaryValue", anyText),
        ])
        return [
            Member("Message", anyText, isRequired: isRequired), Member("Subject", anyText),
            Member("MessageStructure", anyText),
            Member(
                "MessageAttributes",
                .map(attribute, keyMax: OutboxLimits.bodyBytesMax, max: OutboxLimits.parametersMax),
                form: .init("MessageAttributes")),
            Member("MessageDeduplicationId", anyText), Member("MessageGroupId", anyText),
        ]
    }

    private static let entries = Member(
        "PublishBatchRequestEntries",
        .list(
            .object([Member("Id", anyText, isRequired: true)] + message(isRequired: true)),
            max: OutboxLimits.parametersMax))

    package var table: ServiceTable {
        ServiceTable(
            "SNS", service: Self.service, sdk: "Sns",
            form: FormWire(
                namespace: "http://sns.amazonaws.com/doc/2010-03-31/", parametersMax: OutboxLimits.parametersMax,
                nestingMax: OutboxLimits.nestingMax, maps: ["Attributes"]),
            isBesideLoop: true, MailService.limits,
            ServiceWords(
                invalid: CloudError("ValidationError", ""),
                unreadable: CloudError("SerializationException", code: "MalformedInput", ""), missing: "Value null",
                refusedStatus: 403, denied: "AuthorizationError"), topicRows + subscriptionRows)
    }

    private var topicRows: [CloudOperation] {
        let (rights, tagged) = (Self.rights("TopicArn"), Self.rights("ResourceArn"))
        return [
            CloudOperation(
                "Publish",
                [
                    Member("TopicArn", Self.anyText), Member("TargetArn", Self.anyText),
                    Member("PhoneNumber", Self.anyText),
                ]
                    + Self.message(isRequired: true), rights: Self.publishing, of: publish),
            // Several messages are what each of them is.
            CloudOperation(
                "PublishBatch", as: "Publish", [Self.topic, Self.entries], rights: rights, of: publishBatch),
            CloudOperation(
                "CreateTopic", [Member("Name", Self.anyText, isRequired: true), Self.attributes, Self.tags()],
                rights: { action, input in Self.rights(action, to: input.given("Name")) }, of: createTopic),
            CloudOperation("DeleteTopic", [Self.topic], rights: rights) { (call: CloudCall) async throws(CloudError) in
                try await outbox.removeTopic(try topic(call.input.demanded("TopicArn")))
                return JSONObject()
            },
            CloudOperation("ListTopics", [Self.nextToken], of: listTopics),
            CloudOperation("GetTopicAttributes", [Self.topic], rights: rights, of: topicAttributes),
            CloudOperation(
                "SetTopicAttributes", [Self.topic] + Self.setting, rights: rights, of: setTopicAttribute),
            CloudOperation(
                "AddPermission",
                [Self.topic, Self.label, Self.names("AWSAccountId"), Self.names("ActionName")], rights: rights,
                of: addPermission),
            CloudOperation("RemovePermission", [Self.topic, Self.label], rights: rights, of: removePermission),
            CloudOperation(
                "TagResource", [Self.resource, Self.tags(isRequired: true)], rights: tagged, of: tagResource),
            CloudOperation(
                "UntagResource",
                [
                    Self.resource,
                    Member("TagKeys", .list(Self.anyText, max: OutboxLimits.parametersMax), isRequired: true),
                ], rights: tagged, of: untagResource),
            CloudOperation("ListTagsForResource", [Self.resource], rights: tagged, of: listTags),
            CloudOperation(
                "SetSMSAttributes", [Member("attributes", Self.settings, isRequired: true)], of: setTelephoneAttributes),
            CloudOperation(
                "CheckIfPhoneNumberIsOptedOut", [Member("phoneNumber", Self.anyText, isRequired: true)]
            ) { (_: CloudCall) async throws(CloudError) in JSONObject([("isOptedOut", .bool(false))]) },
        ]
    }

    private var subscriptionRows: [CloudOperation] {
        let (rights, followed) = (Self.rights("TopicArn"), Self.rights("SubscriptionArn"))
        return [
            CloudOperation(
                "Subscribe",
                [
                    Self.topic, Member("Protocol", Self.anyText, isRequired: true),
                    Member("Endpoint", Self.anyText, isRequired: true), Self.attributes,
                    Member("ReturnSubscriptionArn", .boolean),
                ], rights: rights, of: subscribe),
            CloudOperation(
                "ConfirmSubscription",
                [
                    Self.topic, Member("Token", Self.anyText, isRequired: true),
                    Member("AuthenticateOnUnsubscribe", Self.anyText),
                ], rights: rights, of: confirmSubscription),
            CloudOperation("Unsubscribe", [Member("SubscriptionArn", Self.anyText)], rights: followed) {
                (call: CloudCall) async throws(CloudError) in
                let place = try subscription(call.input.text("SubscriptionArn"))
                try await outbox.unfollow(place.topic, id: place.id)
                return JSONObject()
            },
            CloudOperation(
                "ListSubscriptionsByTopic", [Self.topic, Self.nextToken], rights: rights, of: listSubscriptions),
            CloudOperation("ListSubscriptions", [Self.nextToken], of: listAllSubscriptions),
            CloudOperation(
                "GetSubscriptionAttributes", [Self.subscription], rights: followed, of: subscriptionAttributes),
            CloudOperation(
                "SetSubscriptionAttributes", [Self.subscription] + Self.setting, rights: followed,
                of: setSubscriptionAttribute),
        ]
    }

    // MARK: Rights

    private static func rights(_ action: String, to name: String?) -> [RightsDemand] {
        [RightsDemand(action, name.map { PolicyResource(service, $0) } ?? .all(of: service))]
    }

    /// The action on the topic that a member names, by its own ARN or by that of a subscription.
    private static func rights(_ member: String) -> CloudOperation.Rights {
        { action, input in rights(action, to: input.given(member).flatMap(name)) }
    }

    private static func name(in arn: String) -> String? { ARN(arn, of: service)?.parts.first }

    /// A number is no resource: a caller who may publish to any topic may send a text to it.
    private static func publishing(_ action: String, _ input: CallInput) -> [RightsDemand] {
        guard input.given("PhoneNumber") == nil else { return rights(action, to: nil) }
        return rights(action, to: (input.given("TopicArn") ?? input.given("TargetArn")).flatMap(name))
    }
}
