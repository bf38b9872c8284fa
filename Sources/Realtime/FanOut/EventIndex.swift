import JSON

/// The groups that listen to one mutation, found by what an event has in its fields.
///
///     fields (owner)        "alice" ─▶ groups, "bob" ─▶ groups
///     fields (room, level)  ("red", 3) ─▶ groups
///     the rest              tried for every event
struct EventIndex {
    /// The groups that ask for a value of one field.
    private struct Column {
        let field: ProbedField
        var groups: [FilterValue: [SubscriptionGroup]] = [:]
    }

    private var columns: [Column] = []
    private var tables: [[ProbedField]: [[FilterValue]: [SubscriptionGroup]]] = [:]
    private var rest: [SubscriptionGroup] = []

    var isEmpty: Bool { columns.isEmpty && tables.isEmpty && rest.isEmpty }

    /// Each group once.
    var groups: [SubscriptionGroup] {
        var seen: Set<ObjectIdentifier> = []
        let all =
            rest + columns.flatMap { $0.groups.values.joined() }
            + tables.values.flatMap { $0.values.joined() }
        return all.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    mutating func insert(_ group: SubscriptionGroup) {
        guard let probes = group.probes else { return rest.append(group) }
        for probe in probes {
            if let (field, value) = probe.single {
                columns[column(of: field)].groups[value, default: []].append(group)
            } else {
                tables[probe.fields, default: [:]][probe.values, default: []].append(group)
            }
        }
    }

    mutating func remove(_ group: SubscriptionGroup) {
        guard let probes = group.probes else { return rest.removeAll { $0 === group } }
        for probe in probes {
            if let (field, value) = probe.single {
                let column = column(of: field)
                columns[column].groups[value]?.removeAll { $0 === group }
                if columns[column].groups[value]?.isEmpty == true { columns[column].groups[value] = nil }
                if columns[column].groups.isEmpty { columns.remove(at: column) }
            } else {
                tables[probe.fields]?[probe.values]?.removeAll { $0 === group }
                if tables[probe.fields]?[probe.values]?.isEmpty == true { tables[probe.fields]?[probe.values] = nil }
                if tables[probe.fields]?.isEmpty == true { tables[probe.fields] = nil }
            }
        }
    }

    private mutating func column(of field: ProbedField) -> Int {
        if let known = columns.firstIndex(where: { $0.field == field }) { return known }
        columns.append(Column(field: field))
        return columns.count - 1
    }

    /// Calls with each group that an event could match, perhaps twice with one.
    ///
    /// Hot path: most filters ask for one value of one field, and that is looked up as it is.
    func forEachCandidate(for event: JSONObject, _ body: (SubscriptionGroup) -> Void) {
        for group in rest { body(group) }
        for column in columns {
            guard let groups = column.groups[FilterValue(event.value(at: column.field.path))] else { continue }
            for group in groups { body(group) }
        }
        for (fields, table) in tables {
            for row in FilterProbe.rows(of: fields, in: event) {
                for group in table[row] ?? [] { body(group) }
            }
        }
    }
}
