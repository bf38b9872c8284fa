import Access
import Channels
import Engine
import JSON
import Synchronization

/// What of an event is shown: of a mutation, or of a publish to a channel.
package struct SeenEvent: Sendable {
    /// The field of the mutation type, or the channel.
    package let source: String
    /// The type of the record; `channel` of a publish.
    package let typeName: String
    /// The record's identifier.
    package let identifier: JSONValue?
    /// Its place in the order of commits. Publishes have an order of their own, far behind all commits.
    package let sequence: UInt64

    fileprivate init(_ event: MutationEvent) {
        (source, typeName, sequence) = (event.mutationField, event.typeName, event.sequence)
        identifier = event.fields["id"]
    }

    fileprivate init(_ delivery: ChannelDelivery) {
        (source, typeName, identifier) = (delivery.channel.path, "channel", nil)
        sequence = Self.firstPublish &+ delivery.number
    }

    private static let firstPublish: UInt64 = 1 << 62

    package var isPublish: Bool { sequence >= Self.firstPublish }
}

/// An event as one loop has handed it out: who got it, who did not, and why.
package struct EventSighting: Sendable {
    /// A subscription that listens to the mutation.
    package struct Delivery: Sendable {
        package let caller: Identity?
        /// The field of the subscription type.
        package let field: String
        package let isSent: Bool
        /// The filter that the event meets, or the part of it that it does not.
        package let why: String
    }

    package let event: SeenEvent
    /// The first of them.
    package private(set) var deliveries: [Delivery] = []
    package private(set) var sentCount = 0
    package private(set) var unsentCount = 0

    package static let deliveriesMax = 100

    init(event: MutationEvent) { self.event = SeenEvent(event) }

    init(_ delivery: ChannelDelivery) { event = SeenEvent(delivery) }

    mutating func add(_ caller: Identity?, _ field: String, isSent: Bool, _ why: String) {
        if isSent { sentCount += 1 } else { unsentCount += 1 }
        guard deliveries.count < Self.deliveriesMax else { return }
        deliveries.append(Delivery(caller: caller, field: field, isSent: isSent, why: why))
    }
}

/// Those who want to see events being handed out. Mostly there are none, and nobody is asked more than that.
package final class EventOnlookers: Sendable {
    private let flag = Atomic(false)
    private let told = Mutex<(@Sendable (EventSighting) -> Void)?>(nil)

    package init() {}

    /// Hot path.
    package var areThere: Bool { flag.load(ordering: .relaxed) }

    /// Tells somebody of each event from now on, on the loops; nil: nobody. Must not wait.
    package func tell(_ somebody: (@Sendable (EventSighting) -> Void)?) {
        told.withLock { $0 = somebody }
        flag.store(somebody != nil, ordering: .relaxed)
    }

    func tell(_ sighting: EventSighting) { told.withLock { $0 }?(sighting) }
}
