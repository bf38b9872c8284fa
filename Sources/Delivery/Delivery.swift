import Network

/// Delivery: hands over what waits in the database, and again later where that fails. It knows nothing of what it delivers. This is
/// the room's front page.
///
///     source ──due──▶ DeliveryEngine ──deliver──▶ DeliveryOutcome ──settle──▶ source
///        ▲                  │                                                   │
///        └─ wake: new work  └─ nobody answered, no database: a pause        ended, later, given up
///
/// - `DeliveryEngine` begins deliveries, a limited number at the same time, pauses and stops.
/// - `DeliveryOutcome` is the result of one; `DeliveryEngine+Calls` has that of a call of a function, `BatchAnswer` that of its answer
///   to a batch.
/// - `RetryPolicy` decides when something is delivered again, and when it is given up.
///
/// The invariant: an outcome is in the database before the source hands out what comes behind it, so a server that is killed
/// delivers something twice and loses nothing. The source keeps the order: it hands out one part of a group (a key of a bucket, a
/// group of an ordered queue, a table's stream) and the next one once that is settled. A part that fails has a time of its own, and
/// holds up no other group.
///
/// The sources are queues and events of functions (`QueueConsumer`), events of files (`FileEventSender`) and changes of tables
/// (`TableStreamReader`), mails, texts and the messages of topics (`MailSender`). Two others go by rules of their own: a workflow's
/// tasks (`WorkflowRunner`) are steps of a machine that says itself when each is tried again, and events that no database keeps
/// (`LaterCalls`) are gone when the server ends.
package protocol DeliverySource: AnyObject, Sendable {
    associatedtype Part: DeliveryPart

    var engine: DeliveryEngine { get }

    /// The next parts to deliver. On the loop, as all of these.
    ///
    /// - Parameters:
    ///   - max: how many parts may begin.
    ///   - besides: the numbers of the parts that are under way.
    func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part>

    /// Hands a part over. What fails is in the outcome.
    func deliver(_ part: Part) async -> DeliveryOutcome

    /// Writes down what became of a part: it has ended, or has another time. The engine delivers a part again that cannot be settled.
    func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws

    /// True if nothing waits from before: the source is looked through when it is woken, and not before.
    var isKnownToBeEmpty: Bool { get }

    /// Puts away what only deliveries need, behind the last one.
    func rest() async

    /// Says in the log that what is due cannot be read.
    func report(unread error: any Error)

    /// Says in the log that an outcome cannot be written.
    func report(unsettled part: Part, _ error: any Error)
}

extension DeliverySource {
    package var loop: EventLoop { engine.loop }

    package var isKnownToBeEmpty: Bool { false }

    package func rest() async {}

    /// Begins, with what waits from before. From any thread, as all of these.
    package func start() { engine.start(self) }

    /// Says that there may be something new.
    package func wake() { engine.wake() }

    /// Ends the deliveries, and waits for that. What is under way is delivered again by the next start.
    package func stop() async { await engine.stop() }
}

/// Something that is delivered at once: a mail, an event, a batch of messages.
package protocol DeliveryPart: Sendable {
    /// Tells it from others that are under way.
    var number: Int64 { get }
}

/// The parts that a source has to deliver, and the time of the next ones.
package struct DueParts<Part: DeliveryPart>: Sendable {
    package let parts: [Part]
    /// When there is more, in milliseconds since 1970; nil: not before the source is woken.
    package let next: Int64?

    package init(_ parts: [Part] = [], next: Int64?) {
        self.parts = parts
        self.next = next
    }
}
