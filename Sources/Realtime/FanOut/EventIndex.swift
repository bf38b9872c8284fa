import JSON

/// The groups that listen to one mutation, found by what an event has in its fields.
///
///     fields (owner)        "alice" ─▶ groups, "bob" ─▶ groups
///     fields (room, level)  ("red", 3) ─▶ groups
///     the rest              tried for every event
struct EventIndex {
    private var tables: [[ProbedField]: [[FilterValue]: [SubscriptionGroup]]] = [:]
    private var rest: [SubscriptionGroup] = []

    var isEmpty: Bool { tables.isEmpty && rest.isEmpty }

    mutating func insert(_ group: SubscriptionGroup) {
        guard let probes = group.probes else { return rest.append(group) }
        for probe in probes { tables[probe.fields, default: [:]][probe.values, default: []].append(group) }
    }

    mutating func remove(_ group: SubscriptionGroup) {
        guard let probes = group.probes else { return rest.removeAll { $0 === group } }
        for probe in probes {
            tables[probe.fields]?[probe.values]?.removeAll { $0 === group }
            if tables[probe.fields]?[probe.values]?.isEmpty == true { tables[probe.fields]?[probe.values] = nil }
            if tables[probe.fields]?.isEmpty == true { tables[probe.fields] = nil }
        }
    }

    /// The groups that an event could match; one can be there twice.
    func candidates(for event: JSONObject) -> [SubscriptionGroup] {
        if tables.isEmpty { return rest }
        var found = rest
        for (fields, table) in tables {
            for row in FilterProbe.rows(of: fields, in: event) {
                if let groups = table[row] { found += groups }
            }
        }
        return found
    }
}
