import Access
import Engine
import JSON
import Network

/// The subscriptions of one loop: who gets which event.
///
/// An event is looked up in the index of its mutation, each group that it finds is evaluated once, and what it selects is
/// written once for all groups with the same selection. Used on the loop's thread only.
final class SubscriptionRegistry {
    private let limits: RealtimeLimits
    private let counters: RealtimeCounters
    private var groups: [SubscriptionGroup.Key: SubscriptionGroup] = [:]
    private var selections: [EventSelection: SharedSelection] = [:]
    private var indexes: [ByteText: EventIndex] = [:]
    private var visits: UInt64 = 0
    private var rounds: UInt64 = 0
    private var removals: UInt64 = 0
    private(set) var subscriberCount = 0
    private let trace: (@Sendable (SubscriptionChange) -> Void)?
    private let onlookers: EventOnlookers

    private let whenTooLarge: @Sendable () -> Void

    init(
        limits: RealtimeLimits, counters: RealtimeCounters,
        trace: (@Sendable (SubscriptionChange) -> Void)? = nil, onlookers: EventOnlookers = EventOnlookers(),
        whenTooLarge: @escaping @Sendable () -> Void = {}
    ) {
        self.whenTooLarge = whenTooLarge
        self.onlookers = onlookers
        self.trace = trace
        self.limits = limits
        self.counters = counters
    }

    var isWatched: Bool { onlookers.areThere }
    var groupCount: Int { groups.count }
    var selectionCount: Int { selections.count }

    /// Registers a subscription: the next event that is delivered reaches it. Nil when the loop is full.
    func add(
        _ subscription: PreparedSubscription, _ grant: SubscriptionGrant, _ carrier: any EventCarrier, head: [UInt8],
        caller: Identity? = nil
    ) -> Subscriber? {
        guard subscriberCount < limits.subscriptionsPerLoop else { return nil }
        let subscriber = Subscriber(
            carrier, head: head, caller: caller, field: subscription.request.field)
        group(for: subscription, grant).add(subscriber)
        subscriberCount += 1
        counters.add(1, to: .subscriptionsStarted)
        trace?(
            SubscriptionChange(
                hasBegun: true, mutations: subscription.mutations, subscriptionsOnLoop: subscriberCount))
        return subscriber
    }

    func remove(_ subscriber: Subscriber) {
        guard let group = subscriber.group else { return }
        group.remove(subscriber)
        removals += 1
        subscriberCount -= 1
        counters.add(1, to: .subscriptionsEnded)
        trace?(
            SubscriptionChange(
                hasBegun: false, mutations: group.key.mutations, subscriptionsOnLoop: subscriberCount))
        if group.members.isEmpty { remove(group) }
    }

    private func group(for subscription: PreparedSubscription, _ grant: SubscriptionGrant) -> SubscriptionGroup {
        let selected = subscription.selection.hiding(grant.hidden, grant.guards)
        let selection = selections[selected] ?? SharedSelection(selected)
        let key = SubscriptionGroup.Key(
            selection: ObjectIdentifier(selection), mutations: subscription.mutations,
            filter: subscription.filter(for: grant), accessClass: grant.accessClass)
        if let group = groups[key] { return group }
        let probes = FilterProbe.probes(of: key.filter) { $0.count == 1 && subscription.lists.contains($0[0]) }
        let group = SubscriptionGroup(key, selection, probes: probes)
        groups[key] = group
        selection.groups += 1
        selections[selected] = selection
        for mutation in key.mutations.eachOnce() { indexes[mutation, default: EventIndex()].insert(group) }
        return group
    }

    private func remove(_ group: SubscriptionGroup) {
        groups[group.key] = nil
        group.selection.groups -= 1
        if group.selection.groups == 0 { selections[group.selection.selection] = nil }
        for mutation in group.key.mutations.eachOnce() {
            indexes[mutation]?.remove(group)
            if indexes[mutation]?.isEmpty == true { indexes[mutation] = nil }
        }
    }

    // MARK: Delivery

    /// An event that a group gets, and who was in it before anybody was brought anything.
    private struct Delivery {
        let group: SubscriptionGroup
        let members: [SubscriptionGroup.Member]
        let payload: EventPayload
    }

    /// Brings events, in their order, to those who get them.
    func deliver(_ events: [MutationEvent]) {
        counters.add(UInt64(events.count), to: .events)
        if onlookers.areThere { for event in events { onlookers.tell(sighting(of: event)) } }
        var rest = events[...]
        while !rest.isEmpty {
            deliver(together: rest.prefix(limits.eventsTogether))
            rest = rest.dropFirst(limits.eventsTogether)
        }
    }

    /// Hot path: who has one subscription gets all its events in one write. Who has several gets event by event, since what
    /// it is told by one of them has its place among what it is told by the others.
    private func deliver(together events: ArraySlice<MutationEvent>) {
        var deliveries: [Delivery] = []
        for event in events { evaluate(event, into: &deliveries) }
        let removalsBefore = removals
        var others = false
        for (members, batch) in batches(of: deliveries) {
            others = carry(batch, to: members, areAlone: true, removalsBefore) || others
        }
        guard others else { return }
        for delivery in deliveries {
            _ = carry(
                EventBatch([delivery.payload], isWhole: false), to: delivery.members, areAlone: false, removalsBefore)
        }
    }

    /// Brings a batch to those members who have one subscription, or to those who have several. Answers whether there are
    /// others.
    private func carry(
        _ batch: EventBatch, to members: [SubscriptionGroup.Member], areAlone: Bool, _ removalsBefore: UInt64
    ) -> Bool {
        var count = 0
        var others = false
        for index in members.indices {
            guard members[index].isAlone == areAlone else {
                others = true
                continue
            }
            // A carrier may end subscriptions meanwhile. Only then it is asked whether this one is still there.
            if removals != removalsBefore, members[index].subscriber.isOver { continue }
            count += 1
            members[index].carrier.carry(batch, members[index].head)
        }
        counters.add(UInt64(count * batch.payloads.count), to: .deliveries)
        return others
    }

    /// What the members of each group get, groups in the order of their first event. A batch ends when it has its bytes:
    /// everybody gets what comes first before anybody gets what comes later.
    private func batches(of deliveries: [Delivery]) -> [([SubscriptionGroup.Member], EventBatch)] {
        if deliveries.count == 1 {
            return deliveries.map { ($0.members, EventBatch([$0.payload], isWhole: true)) }
        }
        rounds += 1
        var found: [(members: [SubscriptionGroup.Member], payloads: [EventPayload], bytes: Int)] = []
        for delivery in deliveries {
            let bytes = delivery.payload.response.count
            let group = delivery.group
            if group.lastBatch.round == rounds, found[group.lastBatch.place].bytes + bytes <= limits.bytesTogether {
                found[group.lastBatch.place].payloads.append(delivery.payload)
                found[group.lastBatch.place].bytes += bytes
            } else {
                group.lastBatch = (rounds, found.count)
                found.append((delivery.members, [delivery.payload], bytes))
            }
        }
        return found.map { ($0.members, EventBatch($0.payloads, isWhole: true)) }
    }

    private func evaluate(_ event: MutationEvent, into deliveries: inout [Delivery]) {
        guard let index = indexes[event.mutationField] else { return }
        visits += 1
        var written = WrittenPayloads()
        let fields = event.fields
        index.forEachCandidate(for: fields) { group in
            guard group.lastVisit != visits else { return }
            group.lastVisit = visits
            counters.add(1, to: .evaluations)
            guard group.key.filter.matches(fields) else { return }
            let payload = written.payload(of: group.selection) { self.payload(of: event, $0) }
            guard !payload.isOversize else {
                counters.add(1, to: .oversizeEvents)
                return whenTooLarge()
            }
            deliveries.append(Delivery(group: group, members: group.members, payload: payload))
        }
    }

    /// Who gets an event here and who does not, and why: for those who look on.
    private func sighting(of event: MutationEvent) -> EventSighting {
        var sighting = EventSighting(event: event)
        for group in indexes[event.mutationField]?.groups ?? [] {
            let filter = group.key.filter
            let matches = filter.matches(event.fields)
            let why = matches ? filter.text : filter.unmet(by: event.fields)?.text ?? filter.text
            for member in group.members {
                sighting.add(member.subscriber.caller, member.subscriber.field, isSent: matches, why)
                member.subscriber.story?.hear(event.sequence, isSent: matches, why)
            }
        }
        return sighting
    }

    /// The subscriptions, the first of them.
    func subscribers(upTo max: Int) -> [(caller: Identity?, field: String, filter: String)] {
        var found: [(caller: Identity?, field: String, filter: String)] = []
        for group in groups.values {
            for member in group.members {
                guard found.count < max else { return found }
                found.append((member.subscriber.caller, member.subscriber.field, group.key.filter.text))
            }
        }
        return found
    }

    /// What is written of one event, by selection. Mostly there is one.
    private struct WrittenPayloads {
        private var first: (selection: SharedSelection, payload: EventPayload)?
        private var others: [ObjectIdentifier: EventPayload] = [:]

        mutating func payload(
            of selection: SharedSelection, _ write: (SharedSelection) -> EventPayload
        ) -> EventPayload {
            if let first, first.selection === selection { return first.payload }
            if let other = others[ObjectIdentifier(selection)] { return other }
            let payload = write(selection)
            if first == nil { first = (selection, payload) } else { others[ObjectIdentifier(selection)] = payload }
            return payload
        }
    }

    private func payload(of event: MutationEvent, _ selection: SharedSelection) -> EventPayload {
        counters.add(1, to: .payloads)
        return EventPayload(EventWriter.response(to: event, selection.plan, bytesMax: limits.eventBytes))
    }
}
