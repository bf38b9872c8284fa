import Access
import Delivery
import JSON
import Network
import Store
import Synchronization

/// Delivers the messages of one queue to one function.
///
///     message ─▶ table ──receive──▶ call ──▶ taken: deleted
///                  ▲                  ├────▶ failed: again when its time is over, and at last a dead letter
///                  └──── wake ────────└────▶ nobody answers: again later, and that does not count
///
/// A message with which the function fails is hidden meanwhile, so the others go on. What a process was at when it ended comes
/// again when its time is over.
package final class QueueConsumer: DeliverySource, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let engine: DeliveryEngine
    private let settings: ConsumerSettings
    private let queues: Queues
    private let outside: any OutsideService
    private let log: @Sendable (_ function: String, _ text: String) -> Void
    private var lastPart: Int64 = 0
    private let place = Mutex<QueueWatchers.Token?>(nil)

    /// The messages of one call.
    package struct Part: DeliveryPart {
        package let number: Int64
        fileprivate let messages: [QueuedMessage]
        /// Until when they are nobody else's.
        fileprivate let hiddenUntil: Int64
    }

    /// - Parameters:
    ///   - outside: the loop's own.
    ///   - report: writes a failure into the log.
    package init(
        _ settings: ConsumerSettings, of queues: Queues, by outside: any OutsideService, on loop: EventLoop,
        clock: any MailClock = SystemMailClock(),
        report: @escaping @Sendable (_ function: String, _ text: String) -> Void
    ) {
        self.settings = settings
        self.queues = queues
        self.outside = outside
        log = report
        let limits = DeliveryLimits(
            atOnce: settings.callsAtOnce, pauseMilliseconds: QueueLimits.pauseMilliseconds, missed: QueueLimits.missed)
        engine = DeliveryEngine(limits, on: loop, clock: clock)
    }

    /// Begins, with what waits from before. From any thread.
    package func start() {
        let token = queues.watchers.stand(at: settings.queue) { [weak engine] in engine?.wake() }
        place.withLock { $0 = token }
        engine.start(self)
    }

    /// Begins nothing any more, since another has its place. What is on its way ends as it would have.
    package func retire() async {
        if let token = place.withLock({ $0.take() }) { queues.watchers.leave(token) }
        await engine.retire()
    }

    // MARK: Deliveries

    package var isKnownToBeEmpty: Bool { !queues.store.knows(QueueTables.all) }

    package func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part> {
        // Taking makes the tables.
        guard !isKnownToBeEmpty else { return DueParts(next: nil) }
        let (found, visibility) = try await queues.take(settings)
        guard !found.messages.isEmpty else { return DueParts(next: found.next) }
        lastPart += 1
        let now = engine.clock.milliseconds
        return DueParts(
            [Part(number: lastPart, messages: found.messages, hiddenUntil: now + visibility)], next: now)
    }

    package func deliver(_ part: Part) async -> DeliveryOutcome {
        let isEvent = settings.form == .events
        let payload: [UInt8]
        if isEvent {
            payload = Array((part.messages.first?.body ?? "").utf8)
        } else {
            let records = part.messages.map { queues.record(of: $0, in: settings.queue) }
            payload = JSONWriter.bytes(of: ["Records": .array(records)])
        }
        let call = FunctionInvocation(
            settings.address, payload, isEvent: isEvent, isKept: true,
            timeoutMilliseconds: QueueLimits.answerMilliseconds, answerBytesMax: QueueLimits.answerBytesMax)
        guard case .batches(tellsFailures: true) = settings.form else {
            return await engine.call(call, "the function", by: outside)
        }
        return await engine.call(call, "the function", by: outside) { Self.outcome(of: part.messages, $0) }
    }

    /// Reads the function's answer to a batch. An answer of another form takes no message, and is reported.
    private static func outcome(of messages: [QueuedMessage], _ body: [UInt8]) -> DeliveryOutcome {
        switch BatchAnswer(body, to: messages.map(\.id)) {
        case .taken: return .taken
        case .noJSON: return .failed("its answer is no JSON")
        case .noList: return .failed("its batchItemFailures are no list")
        case .takenBut(let places) where Set(places).count == places.count:
            return .takenBut(places, "the function did not take them")
        case .takenBut, .unknownItem: return .failed("its batchItemFailures name no messages of the batch")
        }
    }

    package func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws {
        let (messages, now) = (part.messages, engine.clock.milliseconds)
        switch outcome {
        case .cancelled: try await queues.giveBack(messages, until: now)
        case .taken: try await queues.end(messages)
        case .unreachable(let problem):
            let (until, isFirst) = engine.miss()
            if isFirst { log(settings.function, "\(count(messages)) of \(shownQueue) wait: \(problem)") }
            func isOld(_ message: QueuedMessage) -> Bool {
                settings.form == .events && now - message.sent > QueueLimits.eventMilliseconds
            }
            let old = messages.filter(isOld)
            if !old.isEmpty { log(settings.function, "an event is given up: \(problem)") }
            try await queues.end(old)
            try await queues.giveBack(messages.filter { !isOld($0) }, until: until)
        case .takenBut(let places, let problem):
            let failed = Set(places)
            try await queues.end(messages.indices.filter { !failed.contains($0) }.map { messages[$0] })
            try await fail(places.map { messages[$0] }, problem, hiddenUntil: part.hiddenUntil, now: now)
        case .failed(let problem), .refused(let problem):
            try await fail(messages, problem, hiddenUntil: part.hiddenUntil, now: now)
        }
    }

    private func fail(
        _ messages: [QueuedMessage], _ problem: String, hiddenUntil time: Int64, now: Int64
    ) async throws(QueueError) {
        guard settings.form != .events else {
            for message in messages {
                guard let next = QueueLimits.eventRetries.next(after: message.received - 1, since: now, now: now) else {
                    log(settings.function, "an event is given up")
                    try await queues.end([message])
                    continue
                }
                log(settings.function, "an event is delivered again in \((next - now) / 1_000) seconds")
                try await queues.hide([message], until: next)
            }
            return
        }
        let until = max(now, time)
        log(
            settings.function,
            "\(count(messages)) of \(shownQueue) may be delivered again in \((until - now + 999) / 1_000) seconds: \(problem)"
        )
        try await queues.hide(messages, until: until)
    }

    package func report(unread error: any Error) {
        log(settings.function, "the queue \(settings.queue) cannot be read: \(QueueError.words(of: error))")
    }

    /// They come again when their time is over.
    package func report(unsettled part: Part, _ error: any Error) {
        let what = count(part.messages)
        log(settings.function, "what became of \(what) cannot be written: \(QueueError.words(of: error))")
    }

    private func count(_ messages: [QueuedMessage]) -> String {
        let what = settings.form == .events ? "event" : "message"
        return messages.count == 1 ? "1 \(what)" : "\(messages.count) \(what)s"
    }

    private var shownQueue: String { settings.form == .events ? "the function" : "the queue \(settings.queue)" }
}

extension Queues {
    /// The next messages of a function, and how long they are hidden from others.
    func take(_ consumer: ConsumerSettings) async throws(QueueError) -> (QueueTransaction.Received, Int64) {
        try await write { transaction in
            guard let queue = try transaction.queue(consumer.queue) else { return (QueueTransaction.Received(), 0) }
            let visibility = queue.settings.visibilityMilliseconds
            let received = try transaction.receive(
                from: queue, max: consumer.batch, bytesMax: QueueLimits.batchBytesMax,
                visibility: max(visibility, consumer.callMilliseconds + Self.graceMilliseconds), isHeld: true)
            return (received, visibility)
        }
    }

    /// The time of a call beside the function's own.
    private static let graceMilliseconds: Int64 = 10_000

    func end(_ messages: [QueuedMessage]) async throws(QueueError) {
        guard !messages.isEmpty else { return }
        try await write { transaction in for message in messages { try transaction.end(message) } }
    }

    func hide(_ messages: [QueuedMessage], until time: Int64) async throws(QueueError) {
        guard !messages.isEmpty else { return }
        try await write { transaction in
            for message in messages { try transaction.putBack(message, until: time, counts: true) }
        }
    }

    func giveBack(_ messages: [QueuedMessage], until time: Int64) async throws(QueueError) {
        guard !messages.isEmpty else { return }
        try await write { transaction in
            for message in messages { try transaction.putBack(message, until: time, counts: false) }
        }
    }

    /// A message as Lambda tells functions of it.
    func record(of message: QueuedMessage, in queue: String) -> JSONValue {
        let attributes = message.messageAttributes
        var record = JSONObject([
            ("messageId", .string(message.id)), ("receiptHandle", .string(message.handle.text)),
            ("body", .string(message.body)), ("attributes", .object(message.systemAttributes)),
            ("messageAttributes", .object(attributes.told)),
            ("md5OfBody", .string(QueueService.digest(of: message.body))),
        ])
        if let digest = attributes.digest { record.set("md5OfMessageAttributes", to: .string(digest)) }
        record.set("eventSource", to: "aws:sqs")
        record.set("eventSourceARN", to: .string(arn(of: queue)))
        record.set("awsRegion", to: .string(region))
        return .object(record)
    }
}

extension MessageAttributes {
    /// As Lambda writes them.
    fileprivate var told: JSONObject {
        JSONObject(
            json.members.map { member in
                var value = JSONObject()
                for (name, told) in [("StringValue", "stringValue"), ("BinaryValue", "binaryValue")] {
                    if let text = member.value[name] { value.set(told, to: text) }
                }
                value.set("stringListValues", to: [])
                value.set("binaryListValues", to: [])
                value.set("dataType", to: member.value["DataType"] ?? "String")
                return (member.key, .object(value))
            })
    }
}
