import Cloud
import Crypto
import JSON
import Network
import Store

extension QueueService {
    // MARK: Sending

    private func message(_ input: CallInput, _ place: Place) throws(QueueError) -> NewMessage {
        let body = try input.entryText("MessageBody")
        guard !body.isEmpty else { throw .missing("MessageBody") }
        guard XMLCharacters.canHold(body) else { throw .badContents }
        var message = NewMessage(
            body, try MessageAttributes(input.value("MessageAttributes")), sender: queues.accountID)
        guard message.byteCount <= QueueLimits.messageBytesMax else {
            throw .invalid(
                "One or more parameters are invalid. Reason: Message must be shorter than \(QueueLimits.messageBytesMax) bytes."
            )
        }
        message.trace = try Self.sentTrace(input) ?? place.trace.flatMap { Self.isTrace($0) ? $0 : nil }
        message.delayMilliseconds = try input.number(
            "DelaySeconds", from: QueueLimits.delaySeconds,
            "DelaySeconds must be >= 0 and <= \(QueueLimits.delaySeconds.upperBound)."
        ).map { 1_000 * $0 }
        message.group = try Self.label(input, "MessageGroupId")
        message.deduplication = try Self.label(input, "MessageDeduplicationId")
        return message
    }

    private static func systemAttributes(_ input: CallInput) throws(QueueError) -> JSONObject? {
        let system = input.object("MessageSystemAttributes") ?? JSONObject()
        guard !system.isEmpty else { return nil }
        guard system.keys == ["AWSTraceHeader"] else {
            throw .invalid("AWSTraceHeader is the only message system attribute that can be sent.")
        }
        return system
    }

    /// The trace that is sent as an attribute.
    private static func sentTrace(_ input: CallInput) throws(QueueError) -> String? {
        guard let trace = try systemAttributes(input)?["AWSTraceHeader"]?["StringValue"]?.string else { return nil }
        guard isTrace(trace) else {
            throw .invalid(
                "AWSTraceHeader has at most \(QueueLimits.traceBytesMax) characters, all of them of ASCII.")
        }
        return trace
    }

    private static func isTrace(_ text: String) -> Bool {
        text.utf8.count <= QueueLimits.traceBytesMax && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func label(_ input: CallInput, _ name: String) throws(QueueError) -> String? {
        guard let text = input.text(name) else { return nil }
        guard (1...QueueLimits.labelBytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .invalid(
                text, of: name,
                "\(name) can only include alphanumeric and punctuation characters. 1 to \(QueueLimits.labelBytesMax) in length."
            )
        }
        return text
    }

    private static func answer(
        _ sent: SentMessageMark, to message: NewMessage, _ input: CallInput
    ) throws(QueueError) -> JSONObject {
        var answer = JSONObject([
            ("MessageId", .string(sent.id)), ("MD5OfMessageBody", .string(digest(of: message.body))),
        ])
        if let digest = message.attributes.digest { answer.set("MD5OfMessageAttributes", to: .string(digest)) }
        if let trace = try sentTrace(input), let digest = digest(ofTrace: trace) {
            answer.set("MD5OfMessageSystemAttributes", to: .string(digest))
        }
        if let sequence = sent.sequence { answer.set("SequenceNumber", to: .string(sequence)) }
        return answer
    }

    private static func digest(ofTrace trace: String) -> String? {
        let attributes: JSONValue = ["AWSTraceHeader": ["DataType": "String", "StringValue": .string(trace)]]
        return (try? MessageAttributes(attributes))?.digest
    }

    static func digest(of body: String) -> String { Hexadecimal.text(of: SpreadingDigest.of(Array(body.utf8))) }

    func send(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        let message = try message(input, place)
        let sent = try await queues.write { transaction in
            transaction.expectSending()
            return try transaction.send(message, to: try transaction.demanded(name, isCounted: false))
        }
        queues.watchers.tell(name)
        return try Self.answer(sent, to: message, input)
    }

    func sendBatch(_ input: CallInput, _ kind: String, _ place: Place) async throws(QueueError) -> JSONObject {
        let bytes = (input.list("Entries") ?? []).reduce(0) {
            $0 + ($1["MessageBody"]?.string?.utf8.count ?? 0)
                + MessageAttributes.byteCount(of: $1["MessageAttributes"])
        }
        guard bytes <= QueueLimits.messageBytesMax else { throw .batchTooLong(bytes) }
        return try await batch(input, kind, check: Self.checkGroups) { [self] transaction, queue, entry in
            let message = try message(entry, place)
            return try Self.answer(try transaction.send(message, to: queue), to: message, entry)
        }
    }

    /// Throws where an entry lacks what orders it: then none of a batch is sent.
    private static func checkGroups(_ queue: StoredQueue, _ entries: [CallInput]) throws(QueueError) {
        guard queue.settings.isOrdered else { return }
        guard entries.allSatisfy({ $0.text("MessageGroupId") != nil }) else { throw .noGroupInBatch }
        guard queue.settings.namesByContent || entries.allSatisfy({ $0.text("MessageDeduplicationId") != nil }) else {
            throw .noDeduplication
        }
    }

    // MARK: Receiving

    func receive(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        let count = try input.number(
            "MaxNumberOfMessages", from: 1...QueueLimits.receiveMax,
            "Must be between 1 and \(QueueLimits.receiveMax), if provided.")
        let visibility = try input.number("VisibilityTimeout", from: QueueLimits.visibilitySeconds).map { 1_000 * $0 }
        let wait = try input.number(
            "WaitTimeSeconds", from: QueueLimits.waitSeconds,
            "Must be >= 0 and <= \(QueueLimits.waitSeconds.upperBound), if provided."
        ).map { 1_000 * $0 }
        guard let loop = place.loop else { throw QueueError("InternalFailure", "Nobody waits there.", status: 500) }
        // A long call is answered beside the loop; who waits for messages sleeps on it.
        let messages = try await withTaskExecutorPreference(loop) { () async throws(QueueError) in
            try await queues.receive(
                from: name, max: Int(count ?? 1), visibility: visibility, wait: wait, on: loop)
        }
        guard !messages.isEmpty else { return JSONObject() }
        // The newer name of the member, and the older one.
        let system = (input.texts("MessageSystemAttributeNames") ?? []) + (input.texts("AttributeNames") ?? [])
        let named = input.texts("MessageAttributeNames") ?? []
        // Digests are made of all their bytes, and each name is compared with each attribute.
        let bytes = messages.reduce(0) { $0 + Int(clamping: $1.bytes) }
        let names = (system.count + named.count) * messages.count * QueueLimits.attributesMax
        guard bytes + names > QueueLimits.shownAtOnceMax else {
            return Self.shown(messages, system: system, named: named)
        }
        return await Task.detached { Self.shown(messages, system: system, named: named) }.value
    }

    private static func shown(_ messages: [QueuedMessage], system: [String], named: [String]) -> JSONObject {
        let list = messages.map { JSONValue.object(shown($0, system: system, named: named)) }
        return JSONObject([("Messages", .array(list))])
    }

    private static func shown(_ message: QueuedMessage, system: [String], named: [String]) -> JSONObject {
        var shown = JSONObject([
            ("MessageId", .string(message.id)), ("ReceiptHandle", .string(message.handle.text)),
            ("MD5OfBody", .string(digest(of: message.body))), ("Body", .string(message.body)),
        ])
        let wanted = message.systemAttributes.members.filter { system.contains("All") || system.contains($0.key) }
        if !wanted.isEmpty {
            shown.set("Attributes", to: .object(JSONObject(wanted.map { ($0.key, $0.value) })))
        }
        let attributes = message.messageAttributes.filtered(by: named)
        if let digest = attributes.digest {
            shown.set("MessageAttributes", to: .object(attributes.json))
            shown.set("MD5OfMessageAttributes", to: .string(digest))
        }
        return shown
    }
}

extension QueuedMessage {
    /// As they were checked when it was sent.
    var messageAttributes: MessageAttributes {
        (try? MessageAttributes(attributes.map(JSONValue.object))) ?? MessageAttributes()
    }
}

extension Queues {
    /// Receives what there is, or waits for it. Who has gone meanwhile gets nothing, and nothing is hidden for it.
    func receive(
        from name: String, max: Int, visibility: Int64?, wait: Int64?, on loop: EventLoop
    ) async throws(QueueError) -> [QueuedMessage] {
        let began = Timestamp.monotonicMilliseconds
        let nap = WakeableSleep(on: loop, clock: SystemMailClock())
        var watch: QueueWatchers.Token?
        defer {
            if let watch { watchers.end(watch) }
            // What this one was told of is somebody else's.
            if Task.isCancelled { watchers.tell(name) }
        }
        while true {
            nap.begin()
            let (found, standing) = try await write { transaction in
                let queue = try transaction.demanded(name, isCounted: false)
                let received = try transaction.receive(
                    from: queue, max: max, visibility: visibility ?? queue.settings.visibilityMilliseconds)
                return (received, queue.settings.waitMilliseconds)
            }
            let left = began + (wait ?? standing) - Timestamp.monotonicMilliseconds
            guard found.messages.isEmpty, left > 0, !Task.isCancelled else {
                // Other nodes say once that there are messages, not how many: the next one looks too.
                if !found.messages.isEmpty, store.nodes != nil { watchers.tell(name) }
                return found.messages
            }
            guard watch == nil else {
                await sleep(nap, until: found.next, atMost: left, on: loop)
                continue
            }
            // What came before anybody watched for it is looked for once more.
            guard let token = watchers.wait(for: name, { loop.execute { nap.wake() } }) else { throw .throttled }
            watch = token
        }
    }

    private func sleep(_ nap: WakeableSleep, until time: Int64?, atMost left: Int64, on loop: EventLoop) async {
        await withTaskCancellationHandler {
            await nap.sleep(until: time, atMost: left)
        } onCancel: {
            loop.execute { nap.wake() }
        }
    }
}
