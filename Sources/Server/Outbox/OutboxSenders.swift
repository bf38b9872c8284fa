import Access
import Blueprint
import Delivery
import Events
import JSON
import Network
import Outbox
import Project
import Queues
import Store
import Synchronization

/// The outbox and who empties it: mails go out by the server of `mail.smtp`, texts to telephones by the service of `sms.webhook`, and
/// functions and queues that follow topics are told. What nobody sends is kept to be looked at.
final class OutboxSenders: Sendable {
    let outbox: Outbox
    private let makeWork: @Sendable () -> Work
    /// Nil where none was begun, or all have ended.
    private let work = Mutex<Work?>(nil)

    /// The senders, from a beginning to an end.
    private struct Work: Sendable {
        let senders: [MailSender]
        /// Publishes the events that rules pass on to topics.
        let publisher: QueueConsumer
    }

    init(
        _ configuration: Configuration, _ addresses: FunctionAddresses, _ queues: Queues, over store: Store,
        region: String, functions: RunningFunctions?, on loop: EventLoop, _ log: Log
    ) {
        var media: Set<OutboxMessage.Medium> = [.function]
        if configuration.mail.smtp != nil, configuration.mail.from != nil { media.insert(.email) }
        if configuration.sms.webhook != nil { media.insert(.sms) }
        let outbox = Outbox(
            over: store, sending: media, region: region, accountID: IAMPrincipal.exampleAccountID)
        let report: @Sendable (String) -> Void = { log.warning("messages of functions: \($0)") }
        let calls = MessageCalls(OutsideClient(on: loop, functions: functions?.functions, trace: log.trace))
        let (mail, webhook) = (configuration.mail, configuration.sms.webhook)
        makeWork = {
            func queue(_ medium: OutboxMessage.Medium) -> OutboxQueue { OutboxQueue(outbox, medium, report: report) }
            let limits = store.nodes == nil ? MailSenderLimits() : .amongNodes
            func sender(_ medium: OutboxMessage.Medium, _ carrier: any MailCarrier) -> MailSender {
                MailSender(of: queue(medium), by: carrier, on: loop, limits: limits, report: report)
            }
            var senders = [sender(.function, FollowerCarrier(addresses, calls, queues, on: loop))]
            if let server = mail.smtp, let from = mail.from {
                let client = SMTPClient(on: loop, server: server)
                senders.append(MailSender(of: queue(.email), from: from, by: client, limits: limits, report: report))
            }
            if let webhook { senders.append(sender(.sms, TelephoneCarrier(webhook, calls))) }
            let publisher = QueueConsumer(
                ConsumerSettings(
                    eventsOf: Events.publishing, address: "", callsAtOnce: TopicPublisher.callsAtOnce,
                    timeoutSeconds: TopicPublisher.timeoutSeconds),
                of: queues, by: TopicPublisher(outbox), on: loop,
                report: { _, text in log.warning("an event is not published: \(text)") })
            return Work(senders: senders, publisher: publisher)
        }
        self.outbox = outbox
        outbox.tellOfMessages { [weak self] in self?.wake() }
    }

    private func wake() {
        for sender in work.withLock({ $0?.senders }) ?? [] { sender.wake() }
    }

    /// Hears of what other nodes put into the outbox; does nothing where this server is the only one.
    func followNodes() {
        outbox.store.nodes?.onWake { [weak self] wakes in
            if wakes.contains(.outbox) || wakes.contains(.everything) { self?.wake() }
        }
    }

    /// Makes the topics of a project.
    func make(_ topics: [TopicResource], _ log: Log) async {
        for topic in topics {
            do throws(OutboxError) {
                try await outbox.keepTopic(topic.name, followedBy: topic.followers.map(\.kept))
            } catch {
                log.warning("the topic \(topic.name) cannot be made as the project says: \(error.message)")
            }
        }
    }

    /// Begins with what waits, also again behind `stop`.
    func start() {
        let begun = makeWork()
        work.withLock { $0 = begun }
        for sender in begun.senders { sender.start() }
        begun.publisher.start()
    }

    /// Looks anew where another time or other data hold from now on. From any thread.
    func lookAnew() { work.withLock { $0?.publisher }?.engine.beginAnew() }

    /// Ends the sending, and waits for that.
    func stop() async {
        guard let ended = work.withLock({ $0.take() }) else { return }
        await ended.publisher.retire()
        await ended.publisher.stop()
        for sender in ended.senders { await sender.stop() }
    }
}

extension TopicResource.Follower {
    fileprivate var kept: KeptFollower {
        switch filter {
        case .none: KeptFollower(function)
        case .attributes(let policy): KeptFollower(function, policy: JSONWriter.text(of: .object(policy)))
        case .body(let policy):
            KeptFollower(function, policy: JSONWriter.text(of: .object(policy)), isPolicyOfBody: true)
        case .unread: KeptFollower(function, isUnread: true)
        }
    }
}

/// Publishes events to topics: who consumes the events of functions calls this in the place of one.
private final class TopicPublisher: OutsideService {
    private let topics: NoticeService

    static let callsAtOnce = 10
    static let timeoutSeconds = 30

    init(_ outbox: Outbox) { topics = NoticeService(outbox) { _ in nil } }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        throw .invalidURL(request.url)
    }

    /// - Parameter call: its payload names the topic, and has the message.
    func invoke(_ call: FunctionInvocation) async throws(OutsideError) -> OutsideResponse {
        let event = try? JSONReader.value(of: call.payload)
        do throws(OutboxError) {
            try await topics.publish(event?["message"]?.string ?? "", to: event?["topic"]?.string ?? "")
            return OutsideResponse(status: 202, body: [])
        } catch {
            // What is wrong with the event, or its topic, is wrong however often it is told; all else may come right.
            guard error.status >= 500 else {
                return OutsideResponse(
                    status: 200, fields: [("x-amz-function-error", error.code)], body: Array(error.message.utf8))
            }
            throw .unreachable(error.message)
        }
    }
}

/// Calls functions that follow a topic, and sends to queues that do.
private final class FollowerCarrier: MailCarrier {
    private let addresses: FunctionAddresses
    private let calls: MessageCalls
    private let queues: Queues
    private let service: QueueService
    private let place: QueueService.Place

    /// The host of a queue's URL is nobody's business here.
    private static let endpoint = "http://127.0.0.1"

    init(_ addresses: FunctionAddresses, _ calls: MessageCalls, _ queues: Queues, on loop: EventLoop) {
        self.addresses = addresses
        self.calls = calls
        self.queues = queues
        service = QueueService(queues)
        place = QueueService.Place(endpoint: Self.endpoint, loop: loop)
    }

    func rest() async {}

    func carry(_ mail: QueuedMail) async throws(Undelivered) {
        if let queue = queues.name(ofARN: mail.to) { return try await send(mail.text, to: queue) }
        guard let address = addresses.address(of: mail.to) else {
            throw Undelivered("there is no function \(mail.to) any more", isPermanent: true)
        }
        try await calls.invoke(address, Array(mail.text.utf8))
    }

    private func send(_ text: String, to queue: String) async throws(Undelivered) {
        guard var message = (try? JSONReader.value(of: text))?.object else {
            throw Undelivered("the message cannot be read", isPermanent: true)
        }
        message.set("QueueUrl", to: .string(queues.url(of: queue, at: Self.endpoint)))
        do throws(QueueError) {
            _ = try await service.answer("SendMessage", .object(message), at: place)
        } catch {
            // A queue that is full may have room later.
            throw Undelivered(
                "the queue \(queue) does not take it: \(error.message)",
                isPermanent: error.status < 500 && ByteText(error.type) != "OverLimit")
        }
    }
}

/// Hands texts to the service for telephones.
private final class TelephoneCarrier: MailCarrier {
    private let webhook: Webhook
    private let calls: MessageCalls

    init(_ webhook: Webhook, _ calls: MessageCalls) {
        self.webhook = webhook
        self.calls = calls
    }

    func rest() async {}

    func carry(_ mail: QueuedMail) async throws(Undelivered) {
        let data = JSONObject([
            ("to", .string(mail.to)), ("text", .string(mail.text)), ("kind", "notice"), ("user", .string(mail.to)),
        ])
        try await calls.post(
            data, type: "message.sms", to: webhook, created: mail.created,
            identifier: "outbox-\(mail.created)-\(mail.id)")
    }
}
