import Cloud
import Crypto
import JSON

/// SNS: texts to telephones, and what is published to topics.
package struct NoticeService: Sendable {
    let outbox: Outbox
    /// The name by which a function is called that an ARN or a name means; nil: there is none.
    private let function: @Sendable (String) -> String?

    package init(_ outbox: Outbox, function: @escaping @Sendable (String) -> String?) {
        self.outbox = outbox
        self.function = function
    }

    // MARK: Topics

    private static let nameBytesMax = 256

    private static func isName(_ name: String) -> Bool {
        (1...nameBytesMax).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
            }
    }

    static func invalid(_ name: String) -> OutboxError {
        OutboxError("InvalidParameter", "Invalid parameter: \(name)")
    }

    /// The parts of what an ARN of the service names, `TOPIC` or `TOPIC:ID`.
    static func parts(of text: String, _ member: String) throws(OutboxError) -> [String] {
        if let arn = ARN(text, of: service) { return arn.parts }
        let count = text.parts(at: ":", keepingEmpty: true).count
        throw invalid(
            count < 6 ? "\(member) Reason: An ARN must have at least 6 elements, not \(count)" : member)
    }

    static let noTopic = OutboxError("NotFound", "Topic does not exist", status: 404)

    func arn(of topic: String) -> String {
        ARN(Self.service, region: outbox.region, account: outbox.accountID, topic).description
    }

    func topic(_ arn: String) throws(OutboxError) -> String {
        let parts = try Self.parts(of: arn, "TopicArn")
        guard parts.count == 1, Self.isName(parts[0]) else { throw Self.invalid("TopicArn") }
        return parts[0]
    }

    func createTopic(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let name = input.demanded("Name")
        guard Self.isName(name) else { throw Self.invalid("Topic Name") }
        let (details, title) = try Self.details(of: input)
        // Their names tell topics of the two kinds apart.
        guard name.hasSuffix(Self.orderedEnding) == details.isOrdered,
            !name.dropLast(details.isOrdered ? Self.orderedEnding.utf8.count : 0).utf8.contains(UInt8(ascii: "."))
        else { throw Self.invalid("Topic Name") }
        try await outbox.addTopic(name, details, title: title)
        return JSONObject([("TopicArn", .string(arn(of: name)))])
    }

    /// The name that a page begins behind.
    private static func place(in input: CallInput) throws(OutboxError) -> String {
        try NameToken.name(of: input.text("NextToken"), orElse: invalid("NextToken"))?.string ?? ""
    }

    func listTopics(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let names = try await outbox.topics(behind: try Self.place(in: input), max: OutboxLimits.pageMax)
        let list = names.map { JSONValue.object(JSONObject([("TopicArn", .string(arn(of: $0)))])) }
        var answer = JSONObject([("Topics", .array(list))])
        if names.count == OutboxLimits.pageMax, let last = names.last {
            answer["NextToken"] = NameToken.text(behind: ByteText(last))
        }
        return answer
    }

    func subscribe(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("TopicArn"))
        let way = input.demanded("Protocol")
        let endpoint = input.demanded("Endpoint")
        guard let details = try await outbox.details(of: topic) else { throw Self.noTopic }
        guard !details.isOrdered || way == "sqs" else {
            throw Self.invalid("Invalid parameter: Invalid protocol type: \(way)")
        }
        switch way {
        case "email", "email-json": _ = try MailWish.party(endpoint)
        case "sms":
            guard Self.isTelephone(endpoint) else {
                throw OutboxError("InvalidParameter", "Invalid SMS endpoint: \(endpoint)")
            }
        case "lambda": guard function(endpoint) != nil else { throw Self.invalid("Lambda endpoint ARN") }
        case "sqs": try checkQueue(endpoint, isOrdered: details.isOrdered)
        default:
            throw OutboxError(
                "InvalidParameter", "Invalid parameter: Amazon SNS does not support this protocol string: \(way)")
        }
        let filter = try Self.filter(of: input, topic: topic)
        guard let kept = try await outbox.follow(topic, way, endpoint, filter: filter) else { throw Self.noTopic }
        return JSONObject([("SubscriptionArn", .string("\(arn(of: topic)):\(kept)"))])
    }

    /// A queue of this server; one that is not there yet gets nothing until it is.
    private func checkQueue(_ text: String, isOrdered: Bool) throws(OutboxError) {
        guard let arn = ARN(text, of: "sqs"), arn.account == outbox.accountID, arn.parts.count == 1,
            !arn.resource.isEmpty
        else { throw Self.invalid("SQS endpoint ARN") }
        guard isOrdered || !arn.resource.hasSuffix(Self.orderedEnding) else {
            throw Self.invalid(
                "Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics")
        }
    }

    func listSubscriptions(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("TopicArn"))
        guard let followers = try await outbox.followers(of: topic) else { throw Self.noTopic }
        return JSONObject([("Subscriptions", .array(followers.map { description(of: $0, following: topic) }))])
    }

    private func description(of follower: TopicFollower, following topic: String) -> JSONValue {
        .object(
            JSONObject([
                ("SubscriptionArn", .string("\(arn(of: topic)):\(follower.id)")),
                ("Owner", .string(outbox.accountID)), ("Protocol", .string(follower.way)),
                ("Endpoint", .string(follower.endpoint)), ("TopicArn", .string(arn(of: topic))),
            ]))
    }

    /// The subscriptions of all topics, page by page: a topic has them all on one page.
    func listAllSubscriptions(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        var list: [JSONValue] = []
        var last = try Self.place(in: input)
        while true {
            let names = try await outbox.topics(behind: last, max: OutboxLimits.pageMax)
            for name in names {
                list += (try await outbox.followers(of: name) ?? []).map { description(of: $0, following: name) }
                last = name
                guard list.count < OutboxLimits.pageMax else {
                    return JSONObject([
                        ("Subscriptions", .array(list)), ("NextToken", NameToken.text(behind: ByteText(last))),
                    ])
                }
            }
            guard names.count == OutboxLimits.pageMax else {
                return JSONObject([("Subscriptions", .array(list))])
            }
        }
    }

    // MARK: Publishing

    /// As E.164 writes a number.
    private static func isTelephone(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Publishes a text to a topic for somebody within the server.
    package func publish(_ text: String, to topic: String) async throws(OutboxError) {
        let members = [("TopicArn", JSONValue.string(arn(of: topic))), ("Message", .string(text))]
        _ = try await publish(CallInput(JSONObject(members)))
    }

    func publish(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let id = Outbox.makeNoticeIdentifier()
        if let number = input.given("PhoneNumber") {
            let message = input.demanded("Message")
            guard !message.isEmpty else { throw Self.invalid("Empty message") }
            guard Self.isTelephone(number) else {
                throw Self.invalid("PhoneNumber Reason: \(number) is not valid to publish to")
            }
            guard message.utf8.count <= OutboxLimits.textBytesMax else { throw Self.invalid("Message too long") }
            try await outbox.queue([OutgoingLetter(text: message, to: number, id: id)])
            return JSONObject([("MessageId", .string(id))])
        }
        guard let arn = input.text("TopicArn") ?? input.text("TargetArn") else {
            throw Self.invalid("TopicArn or TargetArn Reason: no value for required parameter")
        }
        // Apps on telephones are no targets here, so there is no such endpoint.
        if input.text("TopicArn") == nil, ARN(arn, of: Self.service)?.resource.hasPrefix("endpoint/") == true {
            throw Self.invalid("TargetArn Reason: No endpoint found for the target arn specified")
        }
        let topic = try topic(arn)
        guard let details = try await outbox.details(of: topic) else { throw Self.noTopic }
        let notice = try Self.notice(input, id: id, topic: arn, details, time: outbox.now)
        let readers = try await readers(of: topic)
        guard notice.order != nil else {
            let letters = try readers.letters(notice, now: outbox.now)
            if !letters.isEmpty { try await outbox.queue(letters) }
            return JSONObject([("MessageId", .string(id))])
        }
        let now = outbox.now
        let placed = try await outbox.queue { session in
            try Self.placed(notice, topic, readers, in: session, now: now)
        }
        return Self.told(placed)
    }

    private func readers(of topic: String) async throws(OutboxError) -> NoticeReaders {
        guard let followers = try await outbox.followers(of: topic) else { throw Self.noTopic }
        return try NoticeReaders(followers, title: try await outbox.title(of: topic))
    }

    /// Several messages to one topic: what is wrong with one refuses them all.
    func publishBatch(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let arn = input.demanded("TopicArn")
        let topic = try topic(arn)
        let entries = try Self.entries(input.list("PublishBatchRequestEntries") ?? [])
        let readers = try await readers(of: topic)
        guard let details = try await outbox.details(of: topic) else { throw Self.noTopic }
        var notices: [(id: String, notice: Notice)] = []
        for entry in entries {
            let notice = try Self.notice(
                entry.input, id: Outbox.makeNoticeIdentifier(), topic: arn, details, time: outbox.now)
            _ = notice.order == nil ? try readers.letters(notice, now: outbox.now) : []
            notices.append((entry.id, notice))
        }
        let (now, wanted) = (outbox.now, notices)
        let placed = try await outbox.queue { session in
            var (letters, placed): ([OutgoingLetter], [Notice]) = ([], [])
            for (_, notice) in wanted {
                let (more, one) = try Self.placed(notice, topic, readers, in: session, now: now)
                letters += more
                placed.append(one)
            }
            return (letters, placed)
        }
        let successes = zip(notices, placed).map { entry, notice -> JSONValue in
            .object(JSONObject([("Id", .string(entry.id))] + Self.told(notice).members.map { ($0.key, $0.value) }))
        }
        return JSONObject([("Successful", .array(successes)), ("Failed", .array([]))])
    }

    /// The messages of a batch, each with the name that it has there.
    private static func entries(_ list: [JSONValue]) throws(OutboxError) -> [(id: String, input: CallInput)] {
        guard !list.isEmpty else {
            throw OutboxError("EmptyBatchRequest", "The batch request doesn't contain any entries.")
        }
        guard list.count <= OutboxLimits.batchMax else {
            throw OutboxError(
                "TooManyEntriesInBatchRequest", "The batch request contains more entries than permissible.")
        }
        var entries: [(id: String, input: CallInput)] = []
        var (ids, bytes): (Set<ByteText>, Int) = ([], 0)
        for value in list {
            let input = CallInput(value.object ?? JSONObject())
            let id = input.demanded("Id")
            try checkEntry(id)
            guard ids.insert(ByteText(id)).inserted else {
                throw OutboxError(
                    "BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id.")
            }
            // Attributes that are wrong are told of their entry.
            let attributes = try? NoticeAttributes(input.object("MessageAttributes"))
            bytes += input.demanded("Message").utf8.count + (attributes?.bytes ?? 0)
            entries.append((id, input))
        }
        guard bytes <= OutboxLimits.noticeBytesMax else {
            throw OutboxError(
                "BatchRequestTooLong", "The length of all the messages put together is more than the limit.")
        }
        return entries
    }

    private static func checkEntry(_ id: String) throws(OutboxError) {
        let fault: String? =
            if id.isEmpty {
                "doesn't abide by the specification."
            } else if id.utf8.count > OutboxLimits.entryIDBytesMax {
                "is too long: \(id)"
            } else if !isName(id) || id.utf8.contains(UInt8(ascii: ".")) {
                "contains an impermissible character: \(id)"
            } else {
                nil
            }
        guard let fault else { return }
        throw OutboxError("InvalidBatchEntryId", "The Id of a batch entry in the batch request \(fault)")
    }

    /// Whoever follows a topic here has confirmed it, so no token is right.
    func confirmSubscription(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        _ = try topic(input.demanded("TopicArn"))
        let token = input.demanded("Token").utf8
        let isToken =
            token.count >= OutboxLimits.tokenDigitsMin
            && token.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        throw isToken ? Self.invalid("Token") : OutboxError("InvalidParameter", "Invalid token")
    }
}
