import Access
import JSON
import Network
import Store
import Synchronization

/// Tells one function of the messages of one queue.
///
///     message ─▶ table ──receive──▶ call ──▶ taken: deleted
///                  ▲                  ├────▶ failed: again when its time is over, and at last a dead letter
///                  └──── wake ────────└────▶ nobody answers: again later, and that does not count
///
/// A message with which the function fails is hidden meanwhile, so the others go on. What a process was at when it ended comes
/// again when its time is over.
package final class QueueConsumer: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let loop: EventLoop
    private let settings: ConsumerSettings
    private let queues: Queues
    private let outside: any OutsideService
    private let clock: any MailClock
    private let report: @Sendable (_ function: String, _ text: String) -> Void
    private let rounds: WorkRounds
    private var calls: [Int: Task<Void, Never>] = [:]
    private var lastCall = 0
    /// Until when nothing is begun, and how often in a row nobody answered.
    private var pausedUntil = Int64.min
    private var misses: Int64 = 0
    private var isRetired = false
    private let place = Mutex<QueueWatchers.Token?>(nil)

    /// - Parameters:
    ///   - outside: the loop's own.
    ///   - report: is told for the log what has failed.
    package init(
        _ settings: ConsumerSettings, of queues: Queues, by outside: any OutsideService, on loop: EventLoop,
        clock: any MailClock = SystemMailClock(),
        report: @escaping @Sendable (_ function: String, _ text: String) -> Void
    ) {
        self.settings = settings
        self.queues = queues
        self.outside = outside
        self.loop = loop
        self.clock = clock
        self.report = report
        rounds = WorkRounds(on: loop, clock: clock)
    }

    /// Begins, with what waits from before. From any thread.
    package func start() {
        let token = queues.watchers.stand(at: settings.queue) { [weak self] in self?.wake() }
        place.withLock { $0 = token }
        rounds.start { [self] in WorkRounds.Rest(until: await round()) }
    }

    /// Says that there may be something new. From any thread.
    private func wake() { loop.execute { [self] in rounds.wake() } }

    /// Has it begin anew where another time or other data hold: nothing is waited for that was.
    package func beginAnew() {
        loop.execute { [self] in
            pausedUntil = .min
            rounds.wake()
        }
    }

    /// Begins nothing any more, since another has its place. What is on its way ends as it would have.
    package func retire() async {
        if let token = place.withLock({ $0.take() }) { queues.watchers.leave(token) }
        await loop.run { [self] in isRetired = true }
    }

    /// True if nothing is on its way.
    package var isIdle: Bool { get async { await loop.run { [self] in calls.isEmpty } } }

    /// Ends the telling, and waits for that. What is on its way comes again by the next start.
    package func stop() async {
        await rounds.stop { [self] in Array(calls.values) }
    }

    // MARK: Rounds

    /// Begins what there is to be done, and answers when there is more; nil: not before somebody says so.
    private func round() async -> Int64? {
        guard !isRetired else { return nil }
        let now = clock.milliseconds
        guard now >= pausedUntil else { return pausedUntil }
        guard calls.count < settings.callsAtOnce else { return nil }
        do throws(QueueError) {
            let (found, visibility) = try await queues.take(settings)
            guard !found.messages.isEmpty else { return found.next }
            lastCall += 1
            let (number, hidden) = (lastCall, clock.milliseconds + visibility)
            calls[number] = Task(executorPreference: loop) {
                await self.carryOut(found.messages, hiddenUntil: hidden)
                self.checkLoop()
                self.calls[number] = nil
                self.rounds.wake()
            }
            return clock.milliseconds
        } catch {
            if !rounds.isStopping {
                report(settings.function, "the queue \(settings.queue) cannot be read: \(error.message)")
            }
            pausedUntil = clock.milliseconds + QueueLimits.pauseMilliseconds
            return pausedUntil
        }
    }

    private func carryOut(_ messages: [QueuedMessage], hiddenUntil time: Int64) async {
        let fate = await tell(messages)
        do throws(QueueError) {
            try await settle(messages, fate, hiddenUntil: time)
        } catch {
            // They come again when their time is over.
            if !rounds.isStopping {
                report(settings.function, "what became of \(count(messages)) cannot be written: \(error.message)")
            }
        }
    }

    private func count(_ messages: [QueuedMessage]) -> String {
        let what = settings.form == .events ? "event" : "message"
        return messages.count == 1 ? "1 \(what)" : "\(messages.count) \(what)s"
    }

    private enum Fate: Sendable {
        case taken
        /// The function has taken all but these.
        case takenBut(Set<ByteText>, String)
        case failed(String)
        case unreachable(String)
        case cancelled
    }

    private func settle(_ messages: [QueuedMessage], _ fate: Fate, hiddenUntil time: Int64) async throws(QueueError) {
        let now = clock.milliseconds
        if case .unreachable = fate {} else { misses = 0 }
        switch fate {
        case .cancelled: return try await queues.giveBack(messages, until: now)
        case .taken: return try await queues.end(messages)
        case .unreachable(let problem):
            if misses == 0 { report(settings.function, "\(count(messages)) of \(shownQueue) wait: \(problem)") }
            let old = messages.filter {
                settings.form == .events && now - $0.sent > QueueLimits.eventMilliseconds
            }
            if !old.isEmpty { report(settings.function, "an event is given up: \(problem)") }
            try await queues.end(old)
            pausedUntil = now + Self.backOff.delay(after: misses)
            misses += 1
            try await queues.giveBack(
                messages.filter { message in !old.contains { $0.number == message.number } }, until: pausedUntil)
        case .takenBut(let ids, let problem):
            let failed = messages.filter { ids.contains(ByteText($0.id)) }
            try await queues.end(messages.filter { !ids.contains(ByteText($0.id)) })
            try await fail(failed, problem, hiddenUntil: time, now: now)
        case .failed(let problem): try await fail(messages, problem, hiddenUntil: time, now: now)
        }
    }

    private func fail(
        _ messages: [QueuedMessage], _ problem: String, hiddenUntil time: Int64, now: Int64
    ) async throws(QueueError) {
        guard settings.form != .events else {
            for message in messages {
                guard message.received < QueueLimits.eventTriesMax,
                    QueueLimits.eventDelayMilliseconds.indices.contains(Int(message.received) - 1)
                else {
                    report(settings.function, "an event is given up")
                    try await queues.end([message])
                    continue
                }
                let delay = QueueLimits.eventDelayMilliseconds[Int(message.received) - 1]
                report(settings.function, "an event is told again in \(delay / 1_000) seconds")
                try await queues.hide([message], until: now + delay)
            }
            return
        }
        let until = max(now, time)
        report(
            settings.function,
            "\(count(messages)) of \(shownQueue) may be told again in \((until - now + 999) / 1_000) seconds: \(problem)"
        )
        try await queues.hide(messages, until: until)
    }

    private var shownQueue: String { settings.form == .events ? "the function" : "the queue \(settings.queue)" }

    private static let backOff = BackOff(
        firstMilliseconds: QueueLimits.firstDelayMilliseconds,
        longestMilliseconds: QueueLimits.longestDelayMilliseconds)

    // MARK: One call

    private func tell(_ messages: [QueuedMessage]) async -> Fate {
        let payload: [UInt8]
        if settings.form == .events {
            payload = Array((messages.first?.body ?? "").utf8)
        } else {
            let records = messages.map { queues.record(of: $0, in: settings.queue) }
            payload = JSONWriter.bytes(of: ["Records": .array(records)])
        }
        do throws(OutsideError) {
            let response = try await outside.invoke(
                FunctionInvocation(
                    settings.address, payload, isEvent: settings.form == .events, isKept: true,
                    timeoutMilliseconds: QueueLimits.answerMilliseconds, answerBytesMax: QueueLimits.answerBytesMax))
            if response.field("x-amz-function-error") != nil { return .failed("the function has failed") }
            guard (200..<300).contains(response.status) else {
                return .unreachable("the function answers with status \(response.status)")
            }
            guard case .batches(tellsFailures: true) = settings.form else { return .taken }
            return fate(of: messages, response.body)
        } catch {
            if rounds.isStopping { return .cancelled }
            switch error {
            case .timedOut, .tooLarge: return .failed("the function answers too late or with too much")
            case .unreachable, .invalidURL: return .unreachable("the function cannot be called: \(error)")
            }
        }
    }

    /// Reads the function's answer to a batch. An answer of another form takes no message, and is reported.
    private func fate(of messages: [QueuedMessage], _ body: [UInt8]) -> Fate {
        guard let answer = try? JSONReader.value(of: body) else { return .failed("its answer is no JSON") }
        guard let listed = answer["batchItemFailures"], !listed.isNull else { return .taken }
        guard let failures = listed.array else { return .failed("its batchItemFailures are no list") }
        guard !failures.isEmpty else { return .taken }
        let ids = Set(failures.compactMap { $0["itemIdentifier"]?.text })
        let known = Set(messages.map { ByteText($0.id) })
        guard ids.count == failures.count, ids.isSubset(of: known) else {
            return .failed("its batchItemFailures name no messages of the batch")
        }
        return .takenBut(ids, "the function did not take them")
    }
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
