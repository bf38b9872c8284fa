import JSON
import Network

/// The operations that clients call.
enum QueueOperation: String, CaseIterable {
    case createQueue = "CreateQueue"
    case getQueueURL = "GetQueueUrl"
    case listQueues = "ListQueues"
    case getQueueAttributes = "GetQueueAttributes"
    case setQueueAttributes = "SetQueueAttributes"
    case deleteQueue = "DeleteQueue"
    case purgeQueue = "PurgeQueue"
    case listQueueTags = "ListQueueTags"
    case tagQueue = "TagQueue"
    case untagQueue = "UntagQueue"
    case listDeadLetterSourceQueues = "ListDeadLetterSourceQueues"
    case sendMessage = "SendMessage"
    case sendMessageBatch = "SendMessageBatch"
    case receiveMessage = "ReceiveMessage"
    case deleteMessage = "DeleteMessage"
    case deleteMessageBatch = "DeleteMessageBatch"
    case changeMessageVisibility = "ChangeMessageVisibility"
    case changeMessageVisibilityBatch = "ChangeMessageVisibilityBatch"
}

/// The operations of SQS, by their names and with the members of the newer protocol.
package struct QueueService: Sendable {
    let queues: Queues

    /// The caller, and its address.
    package struct Place: Sendable {
        /// Under which the caller knows the server: `http://127.0.0.1:20002`.
        let endpoint: String
        /// On which the caller waits for messages.
        let loop: EventLoop
        /// The trace that the call belongs to, which its messages belong to as well.
        let trace: String?

        package init(endpoint: String, loop: EventLoop, trace: String? = nil) {
            self.endpoint = endpoint
            self.loop = loop
            self.trace = trace
        }
    }

    package init(_ queues: Queues) { self.queues = queues }

    package func answer(
        _ operation: String, _ value: JSONValue, at place: Place
    ) async throws(QueueError) -> JSONObject {
        guard let known = QueueOperation(rawValue: operation) else { throw .unknown(operation) }
        let input = QueueInput(value)
        switch known {
        case .createQueue: return try await create(input, place)
        case .getQueueURL:
            let name = try input.demanded("QueueName")
            _ = try await queues.known(name)
            return JSONObject([("QueueUrl", .string(queues.url(of: name, at: place.endpoint)))])
        case .listQueues: return try await list(input, place)
        case .getQueueAttributes: return try await attributes(input)
        case .setQueueAttributes:
            let changes = try input.object("Attributes")
            guard !changes.isEmpty else { throw .missing("Attributes") }
            try await queues.set(changes, of: try input.queue(of: queues))
        case .deleteQueue: try await queues.remove(try input.queue(of: queues))
        case .purgeQueue: try await queues.purge(try input.queue(of: queues))
        case .listQueueTags:
            let queue = try await queues.known(try input.queue(of: queues))
            return queue.tags.isEmpty ? JSONObject() : JSONObject([("Tags", .object(queue.tags))])
        case .tagQueue, .untagQueue:
            let (added, removed) = (try input.object("Tags"), try input.texts("TagKeys"))
            try await queues.tag(try input.queue(of: queues), with: added, without: removed)
        case .listDeadLetterSourceQueues: return try await sources(input, place)
        case .sendMessage: return try await send(input, place)
        case .sendMessageBatch: return try await sendBatch(input, place)
        case .receiveMessage: return try await receive(input, place)
        case .deleteMessage:
            let handle = try ReceiptHandle(try input.demanded("ReceiptHandle"))
            let name = try input.queue(of: queues)
            try await queues.write { transaction in
                try transaction.delete(handle, from: try transaction.demanded(name))
            }
            queues.watchers.tell(name)
        case .deleteMessageBatch:
            return try await batch(input, "DeleteMessageBatchRequestEntry") { transaction, queue, entry in
                try transaction.delete(try ReceiptHandle(try entry.demanded("ReceiptHandle")), from: queue)
                return JSONObject()
            }
        case .changeMessageVisibility:
            let handle = try ReceiptHandle(try input.demanded("ReceiptHandle"))
            let milliseconds = try Self.visibility(input)
            let name = try input.queue(of: queues)
            try await queues.write { transaction in
                try transaction.hide(handle, in: try transaction.demanded(name), for: milliseconds)
            }
            queues.watchers.tell(name)
        case .changeMessageVisibilityBatch:
            return try await batch(input, "ChangeMessageVisibilityBatchRequestEntry") { transaction, queue, entry in
                try transaction.hide(
                    try ReceiptHandle(try entry.demanded("ReceiptHandle")), in: queue, for: try Self.visibility(entry))
                return JSONObject()
            }
        }
        return JSONObject()
    }

    private static func visibility(_ input: QueueInput) throws(QueueError) -> Int64 {
        let reason = "Must be between 0 and \(QueueLimits.visibilitySeconds.upperBound), if provided."
        guard let seconds = try input.number("VisibilityTimeout", from: QueueLimits.visibilitySeconds, reason) else {
            throw .missing("VisibilityTimeout")
        }
        return 1_000 * seconds
    }

    // MARK: Batches

    /// Does something for each entry, in one transaction. What is wrong with one is told with it, and the others go on.
    func batch(
        _ input: QueueInput, _ kind: String,
        _ work: @escaping @Sendable (QueueTransaction, StoredQueue, QueueInput) throws -> JSONObject
    ) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        let entries = try input.entries(kind)
        let outcome = try await queues.write { transaction in
            let queue = try transaction.demanded(name)
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

extension QueueService {
    /// The name of the queue in a URL, as all operations read it; nil: it names none.
    package static func name(inURL url: String, account: String) -> String? {
        QueueInput.queue(inURL: url, account: account)
    }
}
