import Access
import Engine
import JSON

/// One subscription of one client, in the group of those who get the same.
final class Subscriber {
    /// Who brings it its events; nobody once it is over.
    fileprivate(set) var carrier: (any EventCarrier)?
    /// The beginning of its frames.
    let head: [UInt8]
    fileprivate(set) var group: SubscriptionGroup?
    fileprivate var place = 0
    /// Who gets its events, and by which field, for those who look on.
    let caller: Identity?
    let field: String
    /// What happens to it, for as long as somebody keeps that.
    weak var story: OperationStory?

    init(_ carrier: any EventCarrier, head: [UInt8], caller: Identity? = nil, field: String = "") {
        self.carrier = carrier
        self.head = head
        self.caller = caller
        self.field = field
    }

    var isOver: Bool { group == nil }

    /// Its carrier has got another subscription, or lost one.
    func carrierChanged() { group?.carrierChanged(at: place) }
}

/// A selection that several groups share, by identity.
final class SharedSelection {
    let selection: EventSelection
    let plan: ValuePlan
    var groups = 0

    init(_ selection: EventSelection) {
        self.selection = selection
        plan = selection.plan
    }
}

/// Subscribers who get the same events in the same form: one evaluation and one payload are for all of them.
final class SubscriptionGroup {
    /// What makes the work identical.
    struct Key: Hashable {
        let selection: ObjectIdentifier
        let mutations: [String]
        let filter: EventFilter
        let accessClass: String
    }

    /// A subscriber, and what a delivery has to know of it: side by side with the others', since looking for it in each
    /// subscriber costs more than using it.
    struct Member {
        let subscriber: Subscriber
        let carrier: any EventCarrier
        let head: [UInt8]
        /// Whether it is its carrier's only subscription.
        fileprivate(set) var isAlone: Bool
    }

    let key: Key
    let selection: SharedSelection
    /// Where the group stands in the index of each mutation; nil when it is tried for every event.
    let probes: [FilterProbe]?
    private(set) var members: [Member] = []
    /// The event that has looked at this group last: two probes can find the same group.
    var lastVisit: UInt64 = 0
    /// Where the group's batch stands among those of a round of deliveries.
    var lastBatch: (round: UInt64, place: Int) = (0, 0)

    init(_ key: Key, _ selection: SharedSelection, probes: [FilterProbe]?) {
        self.key = key
        self.selection = selection
        self.probes = probes
    }

    func add(_ subscriber: Subscriber) {
        subscriber.group = self
        subscriber.place = members.count
        guard let carrier = subscriber.carrier else { return }
        members.append(
            Member(
                subscriber: subscriber, carrier: carrier, head: subscriber.head, isAlone: carrier.hasOneSubscription))
    }

    fileprivate func carrierChanged(at place: Int) {
        members[place].isAlone = members[place].carrier.hasOneSubscription
    }

    /// Takes a subscriber out; the last one gets its place.
    func remove(_ subscriber: Subscriber) {
        guard subscriber.group === self, let last = members.last else { return }
        members[subscriber.place] = last
        last.subscriber.place = subscriber.place
        members.removeLast()
        subscriber.group = nil
        subscriber.carrier = nil
    }
}
