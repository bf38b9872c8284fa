import Access
import Cloud
import JSON
import Network

/// The operations of SQS, as a table for both of its protocols.
package struct QueueService: Sendable {
    let queues: Queues

    /// The caller, and its address.
    package typealias Place = CallOrigin

    private var made: ServiceTable?

    package init(_ queues: Queues) {
        self.queues = queues
        made = table
    }

    /// Answers a call of the server's own, or of somebody who may make it.
    package func answer(
        _ operation: String, _ value: JSONValue, at place: Place
    ) async throws(QueueError) -> JSONObject { try await table.answer(operation, value, from: place) }

    // MARK: The table

    private typealias Member = MemberShape.Member

    private static let anyText = MemberShape.text(0...QueueLimits.bodyBytesMax)
    private static let names = MemberShape.list(anyText, max: QueueLimits.bodyBytesMax)
    private static let map = MemberShape.map(anyText, keyMax: QueueLimits.bodyBytesMax, max: QueueLimits.bodyBytesMax)
    private static let url = Member("QueueUrl", anyText, isRequired: true)
    private static let name = Member("QueueName", anyText, isRequired: true)
    private static let handle = Member("ReceiptHandle", anyText, isRequired: true)
    private static let page = [Member("MaxResults", .anyInteger), Member("NextToken", anyText)]

    private static func attributes(isRequired: Bool = false) -> Member {
        Member("Attributes", map, isRequired: isRequired, form: .init("Attribute"))
    }

    private static func tags(_ name: String = "Tags", isRequired: Bool = false) -> Member {
        Member(name, map, isRequired: isRequired, form: .init("Tag", key: "Key"))
    }

    /// Attributes with their types, whose constraints have words of their own.
    private static func messageAttributes(_ name: String, _ form: String) -> Member {
        let value = MemberShape.object([
            Member("DataType", anyText), Member("StringValue", anyText), Member("BinaryValue", anyText),
        ])
        return Member(
            name, .map(value, keyMax: QueueLimits.bodyBytesMax, max: QueueLimits.bodyBytesMax), form: .init(form))
    }

    /// The properties that a message is sent with beside its body.
    private static let sending = [
        Member("DelaySeconds", .anyInteger), Member("MessageGroupId", anyText),
        Member("MessageDeduplicationId", anyText),
        messageAttributes("MessageAttributes", "MessageAttribute"),
        messageAttributes("MessageSystemAttributes", "MessageSystemAttribute"),
    ]

    private static func entries(_ kind: String, _ members: [Member]) -> Member {
        Member(
            "Entries", .list(.object([Member("Id", anyText)] + members), max: QueueLimits.bodyBytesMax),
            form: .init(kind))
    }

    private static let sendingEntry = "SendMessageBatchRequestEntry"
    private static let deletionEntry = "DeleteMessageBatchRequestEntry"
    private static let visibilityEntry = "ChangeMessageVisibilityBatchRequestEntry"

    private static let words = ServiceWords(
        invalid: .invalid(""), unreadable: CloudError("SerializationException", code: "MalformedInput", ""),
        absence: { .missing($0) }, space: "com.amazonaws.sqs#", exceptionSpace: "com.amazon.coral.service#",
        hasQueryErrors: true, refusedStatus: 403)
    private static let limits = JSONLimits(bytesMax: QueueLimits.bodyBytesMax, nestingMax: QueueLimits.nestingMax)

    package var table: ServiceTable {
        made
            ?? ServiceTable(
                "SQS", service: QueueRights.service, sdk: "Sqs", target: "AmazonSQS", json: "1.0", form: QueueForm.wire,
                Self.limits, Self.words, queueOperations + messageOperations + policyOperations + moveOperations)
    }

    private var queueOperations: [CloudOperation] {
        let rights: CloudOperation.Rights = { QueueRights.queue($0, $1, account: queues.accountID) }
        return [
            CloudOperation(
                "CreateQueue", [Self.name, Self.attributes(), Self.tags(), Self.tags("tags")], rights: rights
            ) { (call: CloudCall) async throws(CloudError) in try await create(call.input, call.origin) },
            CloudOperation("GetQueueUrl", [Self.name, Member("QueueOwnerAWSAccountId", Self.anyText)], rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                let name = call.input.demanded("QueueName")
                _ = try await queues.known(name)
                return JSONObject([("QueueUrl", .string(queues.url(of: name, at: call.origin.endpoint)))])
            },
            CloudOperation("ListQueues", [Member("QueueNamePrefix", Self.anyText)] + Self.page, rights: rights) {
                (call: CloudCall) async throws(CloudError) in try await list(call.input, call.origin)
            },
            CloudOperation(
                "GetQueueAttributes", [Self.url, Member("AttributeNames", Self.names, form: .init("AttributeName"))],
                rights: rights, of: attributes),
            CloudOperation("SetQueueAttributes", [Self.url, Self.attributes(isRequired: true)], rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                let changes = call.input.object("Attributes") ?? JSONObject()
                guard !changes.isEmpty else { throw .missing("Attributes") }
                try await queues.set(changes, of: try call.input.queue(of: queues))
                return JSONObject()
            },
            CloudOperation("DeleteQueue", [Self.url], rights: rights) { (call: CloudCall) async throws(CloudError) in
                try await queues.remove(try call.input.queue(of: queues))
                return JSONObject()
            },
            CloudOperation("PurgeQueue", [Self.url], rights: rights) { (call: CloudCall) async throws(CloudError) in
                try await queues.purge(try call.input.queue(of: queues))
                return JSONObject()
            },
            CloudOperation("ListQueueTags", [Self.url], rights: rights) { (call: CloudCall) async throws(CloudError) in
                let queue = try await queues.known(try call.input.queue(of: queues))
                return queue.tags.isEmpty ? JSONObject() : JSONObject([("Tags", .object(queue.tags))])
            },
            CloudOperation("TagQueue", [Self.url, Self.tags(isRequired: true)], rights: rights, of: tag),
            CloudOperation(
                "UntagQueue",
                [Self.url, Member("TagKeys", Self.names, isRequired: true, form: .init("TagKey"))], rights: rights,
                of: tag),
            CloudOperation("ListDeadLetterSourceQueues", [Self.url] + Self.page, rights: rights) {
                (call: CloudCall) async throws(CloudError) in try await sources(call.input, call.origin)
            },
        ]
    }

    private var policyOperations: [CloudOperation] {
        let rights: CloudOperation.Rights = { QueueRights.queue($0, $1, account: queues.accountID) }
        let label = Member("Label", Self.anyText, isRequired: true)
        return [
            CloudOperation(
                "AddPermission",
                [
                    Self.url, label,
                    Member("AWSAccountIds", Self.names, isRequired: true, form: .init("AWSAccountId")),
                    Member("Actions", Self.names, isRequired: true, form: .init("ActionName")),
                ], rights: rights, of: addPermission),
            CloudOperation("RemovePermission", [Self.url, label], rights: rights, of: removePermission),
        ]
    }

    private var moveOperations: [CloudOperation] {
        let rights: CloudOperation.Rights = { QueueRights.move($0, $1, queues) }
        let source = Member("SourceArn", Self.anyText, isRequired: true)
        return [
            CloudOperation(
                "StartMessageMoveTask",
                [source, Member("DestinationArn", Self.anyText), Member("MaxNumberOfMessagesPerSecond", .anyInteger)],
                rights: rights
            ) { (call: CloudCall) async throws(CloudError) in try await startMove(call.input, call.origin) },
            CloudOperation(
                "ListMessageMoveTasks", [source, Member("MaxResults", .anyInteger)], rights: rights, of: moves),
            CloudOperation(
                "CancelMessageMoveTask", [Member("TaskHandle", Self.anyText, isRequired: true)], rights: rights,
                of: cancelMove),
        ]
    }

    private var messageOperations: [CloudOperation] {
        let rights: CloudOperation.Rights = { QueueRights.queue($0, $1, account: queues.accountID) }
        let body = Member("MessageBody", Self.anyText, isRequired: true)
        let visibility = Member("VisibilityTimeout", .anyInteger)
        return [
            CloudOperation("SendMessage", [Self.url, body] + Self.sending, rights: rights) {
                (call: CloudCall) async throws(CloudError) in try await send(call.input, call.origin)
            },
            CloudOperation(
                "SendMessageBatch", as: "SendMessage",
                [Self.url, Self.entries(Self.sendingEntry, [Member("MessageBody", Self.anyText)] + Self.sending)],
                rights: rights
            ) { (call: CloudCall) async throws(CloudError) in
                try await sendBatch(call.input, Self.sendingEntry, call.origin)
            },
            CloudOperation(
                "ReceiveMessage",
                [
                    Self.url, visibility, Member("MaxNumberOfMessages", .anyInteger),
                    Member("WaitTimeSeconds", .anyInteger), Member("ReceiveRequestAttemptId", Self.anyText),
                    Member("AttributeNames", Self.names, form: .init("AttributeName")),
                    Member("MessageSystemAttributeNames", Self.names, form: .init("MessageSystemAttributeName")),
                    Member("MessageAttributeNames", Self.names, form: .init("MessageAttributeName")),
                ], rights: rights, isWaiting: true
            ) { (call: CloudCall) async throws(CloudError) in try await receive(call.input, call.origin) },
            CloudOperation("DeleteMessage", [Self.url, Self.handle], rights: rights) {
                (call: CloudCall) async throws(CloudError) in
                let name = try call.input.queue(of: queues)
                let handle = call.input.demanded("ReceiptHandle")
                try await queues.write { transaction in
                    let queue = try transaction.demanded(name, isCounted: false)
                    try transaction.delete(try ReceiptHandle(handle), from: queue)
                }
                queues.watchers.tell(name)
                return JSONObject()
            },
            CloudOperation(
                "DeleteMessageBatch", as: "DeleteMessage",
                [Self.url, Self.entries(Self.deletionEntry, [Member("ReceiptHandle", Self.anyText)])], rights: rights
            ) { (call: CloudCall) async throws(CloudError) in
                try await batch(call.input, Self.deletionEntry) { transaction, queue, entry in
                    try transaction.delete(try ReceiptHandle(try entry.entryText("ReceiptHandle")), from: queue)
                    return JSONObject()
                }
            },
            CloudOperation(
                "ChangeMessageVisibility",
                [Self.url, Self.handle, Member("VisibilityTimeout", .anyInteger, isRequired: true)], rights: rights
            ) { (call: CloudCall) async throws(CloudError) in
                let handle = try ReceiptHandle(call.input.demanded("ReceiptHandle"))
                let milliseconds = try Self.visibility(call.input)
                let name = try call.input.queue(of: queues)
                try await queues.write { transaction in
                    try transaction.hide(handle, in: try transaction.demanded(name), for: milliseconds)
                }
                queues.watchers.tell(name)
                return JSONObject()
            },
            CloudOperation(
                "ChangeMessageVisibilityBatch", as: "ChangeMessageVisibility",
                [Self.url, Self.entries(Self.visibilityEntry, [Member("ReceiptHandle", Self.anyText), visibility])],
                rights: rights
            ) { (call: CloudCall) async throws(CloudError) in
                try await batch(call.input, Self.visibilityEntry) { transaction, queue, entry in
                    try transaction.hide(
                        try ReceiptHandle(try entry.entryText("ReceiptHandle")), in: queue,
                        for: try Self.visibility(entry))
                    return JSONObject()
                }
            },
        ]
    }

    private static func visibility(_ input: CallInput) throws(QueueError) -> Int64 {
        let reason = "Must be between 0 and \(QueueLimits.visibilitySeconds.upperBound), if provided."
        guard let seconds = try input.number("VisibilityTimeout", from: QueueLimits.visibilitySeconds, reason) else {
            throw .missing("VisibilityTimeout")
        }
        return 1_000 * seconds
    }

    private func tag(_ input: CallInput) async throws(QueueError) -> JSONObject {
        let (added, removed) = (input.object("Tags"), input.texts("TagKeys"))
        guard added.map({ !$0.isEmpty }) ?? true else { throw .missing("Tags") }
        guard removed.map({ !$0.isEmpty }) ?? true else {
            throw .invalid("Tag keys must be between 1 and 128 characters in length.")
        }
        try await queues.tag(try input.queue(of: queues), with: added ?? JSONObject(), without: removed ?? [])
        return JSONObject()
    }

    // MARK: Batches

    /// Does something for each entry, in one transaction. What is wrong with one is told with it, and the others go on.
    ///
    /// - Parameter check: throws where all of them are refused.
    func batch(
        _ input: CallInput, _ kind: String,
        check: @escaping @Sendable (StoredQueue, [CallInput]) throws(QueueError) -> Void = { _, _ in },
        _ work: @escaping @Sendable (QueueTransaction, StoredQueue, CallInput) throws -> JSONObject
    ) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        let entries = try input.entries(kind)
        let outcome = try await queues.write { transaction in
            let queue = try transaction.demanded(name, isCounted: false)
            try check(queue, entries.map(\.input))
            var (done, failed): ([JSONValue], [JSONValue]) = ([], [])
            for (id, entry) in entries {
                do {
                    var answer = JSONObject([("Id", .string(id))])
                    for member in try work(transaction, queue, entry).members {
                        answer.set(member.key, to: member.value)
                    }
                    done.append(.object(answer))
                } catch let error as QueueError where error.status < 500 {
                    failed.append([
                        "Id": .string(id), "SenderFault": true, "Code": .string(error.code),
                        "Message": .string(error.message),
                    ])
                }
            }
            return (done, failed)
        }
        queues.watchers.tell(name, count: outcome.0.count)
        var answer = JSONObject([("Successful", .array(outcome.0))])
        if !outcome.1.isEmpty { answer.set("Failed", to: .array(outcome.1)) }
        return answer
    }
}
