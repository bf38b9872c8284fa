import Engine
import JSON

/// The subscriptions of one loop: who gets which event.
///
/// An event is looked up in the index of its mutation, each group that it finds is evaluated once, and what it selects is
/// written once for all groups with the same selection. Used on the loop's thread only.
final class SubscriptionRegistry {
    private let limits: RealtimeLimits
    private let counters: RealtimeCounters
    private var groups: [SubscriptionGroup.Key: SubscriptionGroup] = [:]
    private var selections: [EventSelection: SharedSelection] = [:]
    private var indexes: [String: EventIndex] = [:]
    private var visits: UInt64 = 0
    private(set) var subscriberCount = 0

    init(limits: RealtimeLimits, counters: RealtimeCounters) {
        self.limits = limits
        self.counters = counters
    }

    var groupCount: Int { groups.count }
    var selectionCount: Int { selections.count }

    /// Registers a subscription: the next event that is delivered reaches it. Nil when the loop is full.
    func add(
        _ subscription: PreparedSubscription, _ grant: SubscriptionGrant, _ carrier: any EventCarrier, head: [UInt8]
    ) -> Subscriber? {
        guard subscriberCount < limits.subscriptionsPerLoop else { return nil }
        let subscriber = Subscriber(carrier, head: head)
        group(for: subscription, grant).add(subscriber)
        subscriberCount += 1
        counters.add(1, to: .subscriptionsStarted)
        return subscriber
    }

    func remove(_ subscriber: Subscriber) {
        guard let group = subscriber.group else { return }
        group.remove(subscriber)
        subscriberCount -= 1
        counters.add(1, to: .subscriptionsEnded)
        if group.subscribers.isEmpty { remove(group) }
    }

    private func group(for subscription: PreparedSubscription, _ grant: SubscriptionGrant) -> SubscriptionGroup {
        let selected = subscription.selection.hiding(grant.hidden)
        let selection = selections[selected] ?? SharedSelection(selected)
        let key = SubscriptionGroup.Key(
            selection: ObjectIdentifier(selection), mutations: subscription.mutations,
            filter: subscription.filter(with: grant.filter), accessClass: grant.accessClass)
        if let group = groups[key] { return group }
        let probes = FilterProbe.probes(of: key.filter) { subscription.lists.contains($0) }
        let group = SubscriptionGroup(key, selection, probes: probes)
        groups[key] = group
        selection.groups += 1
        selections[selected] = selection
        for mutation in Set(key.mutations) { indexes[mutation, default: EventIndex()].insert(group) }
        return group
    }

    private func remove(_ group: SubscriptionGroup) {
        groups[group.key] = nil
        group.selection.groups -= 1
        if group.selection.groups == 0 { selections[group.selection.selection] = nil }
        for mutation in Set(group.key.mutations) {
            indexes[mutation]?.remove(group)
            if indexes[mutation]?.isEmpty == true { indexes[mutation] = nil }
        }
    }

    // MARK: Delivery

    /// An event that a group gets.
    private struct Delivery {
        let group: SubscriptionGroup
        let payload: EventPayload
    }

    /// Brings events, in their order, to those who get them.
    func deliver(_ events: [MutationEvent]) {
        counters.add(UInt64(events.count), to: .events)
        var rest = events[...]
        while !rest.isEmpty {
            deliver(together: rest.prefix(limits.eventsTogether))
            rest = rest.dropFirst(limits.eventsTogether)
        }
    }

    /// Hot path: who has one subscription gets all its events in one write. Who has several gets event by event, since
    /// what it is told by one of them has its place among what it is told by the others.
    ///
    /// A carrier may end subscriptions meanwhile: what is walked through here are copies.
    private func deliver(together events: ArraySlice<MutationEvent>) {
        var deliveries: [Delivery] = []
        for event in events { evaluate(event, into: &deliveries) }
        var others = false
        for (group, batch) in Self.batches(of: deliveries) {
            for subscriber in group.subscribers {
                guard let carrier = subscriber.carrier else { continue }
                if carrier.hasOneSubscription {
                    counters.add(UInt64(batch.payloads.count), to: .deliveries)
                    subscriber.lastVisit = visits
                    carrier.carry(batch, to: subscriber)
                } else {
                    others = true
                }
            }
        }
        guard others else { return }
        for delivery in deliveries {
            let batch = EventBatch([delivery.payload], isWhole: false)
            for subscriber in delivery.group.subscribers where subscriber.lastVisit != visits {
                guard let carrier = subscriber.carrier else { continue }
                counters.add(1, to: .deliveries)
                carrier.carry(batch, to: subscriber)
            }
        }
    }

    /// What each group gets, groups in the order of their first event.
    private static func batches(of deliveries: [Delivery]) -> [(SubscriptionGroup, EventBatch)] {
        if deliveries.count == 1 {
            return deliveries.map { ($0.group, EventBatch([$0.payload], isWhole: true)) }
        }
        var places: [ObjectIdentifier: Int] = [:]
        var found: [(group: SubscriptionGroup, payloads: [EventPayload])] = []
        for delivery in deliveries {
            if let place = places[ObjectIdentifier(delivery.group)] {
                found[place].payloads.append(delivery.payload)
            } else {
                places[ObjectIdentifier(delivery.group)] = found.count
                found.append((delivery.group, [delivery.payload]))
            }
        }
        return found.map { ($0.group, EventBatch($0.payloads, isWhole: true)) }
    }

    private func evaluate(_ event: MutationEvent, into deliveries: inout [Delivery]) {
        guard let index = indexes[event.mutationField] else { return }
        visits += 1
        var payloads: [ObjectIdentifier: EventPayload] = [:]
        for group in index.candidates(for: event.value) where group.lastVisit != visits {
            group.lastVisit = visits
            counters.add(1, to: .evaluations)
            guard group.key.filter.matches(event.value) else { continue }
            let payload = payloads[ObjectIdentifier(group.selection)] ?? payload(of: event, group.selection)
            payloads[ObjectIdentifier(group.selection)] = payload
            guard payload.response.count <= limits.eventBytes else {
                counters.add(1, to: .oversizeEvents)
                continue
            }
            deliveries.append(Delivery(group: group, payload: payload))
        }
    }

    private func payload(of event: MutationEvent, _ selection: SharedSelection) -> EventPayload {
        counters.add(1, to: .payloads)
        return EventPayload(EventWriter.response(to: event, selection.selection))
    }
}
