/// One subscription of one client, in the group of those who get the same.
final class Subscriber {
    /// Who brings it its events; nobody once it is over.
    fileprivate(set) var carrier: (any EventCarrier)?
    /// The beginning of its frames.
    let head: [UInt8]
    fileprivate(set) var group: SubscriptionGroup?
    fileprivate var place = 0
    /// The delivery that has brought this one all its events already.
    var lastVisit: UInt64 = 0

    init(_ carrier: any EventCarrier, head: [UInt8]) {
        self.carrier = carrier
        self.head = head
    }

    var isOver: Bool { group == nil }
}

/// A selection that several groups share, by identity.
final class SharedSelection {
    let selection: EventSelection
    var groups = 0

    init(_ selection: EventSelection) {
        self.selection = selection
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

    let key: Key
    let selection: SharedSelection
    /// Where the group stands in the index of each mutation; nil when it is tried for every event.
    let probes: [FilterProbe]?
    private(set) var subscribers: [Subscriber] = []
    /// The event that has looked at this group last: two probes can find the same group.
    var lastVisit: UInt64 = 0

    init(_ key: Key, _ selection: SharedSelection, probes: [FilterProbe]?) {
        self.key = key
        self.selection = selection
        self.probes = probes
    }

    func add(_ subscriber: Subscriber) {
        subscriber.group = self
        subscriber.place = subscribers.count
        subscribers.append(subscriber)
    }

    /// Takes a subscriber out; the last one gets its place.
    func remove(_ subscriber: Subscriber) {
        guard subscriber.group === self, let last = subscribers.last else { return }
        subscribers[subscriber.place] = last
        last.place = subscriber.place
        subscribers.removeLast()
        subscriber.group = nil
        subscriber.carrier = nil
    }
}
