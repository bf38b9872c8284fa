import Access
import Blueprint
import JSON

/// What somebody may see of records and do with them, by the checks that the API asks.
struct RecordSight: Sendable {
    private let caller: Caller
    private let access: ModelAccess
    private let model: Model
    /// What may be read of all records; nil: it depends on the key of each.
    private let reading: Decision?
    private let fields: [(name: String, decision: Decision)]
    /// Fields that AppSync itself does not let such callers ask for.
    private let gated: [String]

    init?(
        _ policy: AccessPolicy, _ identity: Identity, _ model: Model, _ columns: [String], trace: DecisionTrace? = nil
    ) {
        guard let access = policy.model(model.name) else { return nil }
        let caller = policy.caller(identity, trace: trace)
        (self.caller, self.access, self.model) = (caller, access, model)
        let isByKey = !access.get.keyFields.isEmpty || !access.list.keyFields.isEmpty
        reading = isByKey ? nil : Self.reading(access, caller) { _ in .absent }
        let relations = model.relations.map(\.field)
        fields = (columns + relations).compactMap { name in
            access.field(name).map { (name, $0.decision(for: caller)) }
        }
        gated = columns.filter { !policy.gate(type: model.name, field: $0).admits(caller) }
    }

    /// Whoever may get a record, or find it in a list, may see it.
    private static func reading(
        _ access: ModelAccess, _ caller: Caller, _ argument: (String) -> KeyArgument
    ) -> Decision {
        wider(access.get.decision(for: caller, argument: argument), access.list.decision(for: caller))
    }

    private func mayRead(_ row: RecordRow) -> Bool {
        let reading =
            reading ?? Self.reading(access, caller) { field in row.compared[field]?.text.map { .equals($0) } ?? .other }
        return reading.admits { row.compared[$0] }
    }

    /// The decision that lets more through.
    private static func wider(_ one: Decision, _ other: Decision) -> Decision {
        switch (one, other) {
        case (.allow, _), (_, .allow): .allow
        case (.filter(let one), .filter(let other)): .filter(AccessPredicate(anyOf: one.anyOf + other.anyOf))
        case (.filter, _): one
        case (_, .filter): other
        case (.narrow, _): one
        default: other
        }
    }

    /// What is hidden of a record: all of it (`true`), some fields, or nothing (null).
    func hidden(_ row: RecordRow) -> JSONValue {
        guard mayRead(row) else { return true }
        var hidden = fields.filter { !$0.decision.admits { row.compared[$0] } }.map(\.name)
        hidden += gated.filter { !hidden.contains($0) }
        return hidden.isEmpty ? .null : .texts(hidden)
    }

    /// What may be done with a record: `update` is true, false, or the fields that may be written.
    func may(_ row: RecordRow, writing names: [String]) -> JSONValue {
        let record: (String) -> JSONValue? = { row.compared[$0] }
        let input = JSONObject(names.map { ($0, row.values[$0] ?? .string("")) })
        let update: JSONValue
        switch access.update.decision(for: caller, input: input, record: record) {
        case .allow: update = true
        case .denyFields(let denied): update = .texts(names.filter { name in !denied.contains(name) })
        case .deny, .failsCondition: update = false
        }
        let delete: Bool
        if case .allow = access.delete.decision(for: caller, record: record) { delete = true } else { delete = false }
        return ["read": .bool(mayRead(row)), "update": update, "delete": .bool(delete)]
    }
}
