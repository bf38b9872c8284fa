import Blueprint
import JSON

/// Who is given a field of an object, in whatever way: AppSync's gate with the fields that an authorizer denies, and the
/// rules on the field itself.
///
/// A value is not only given where it is written. A filter, a condition, a part of a key, a search's order and a sum tell
/// of it as well: whoever answers those asks here for each field that they compare.
package struct FieldRight: Sendable {
    package let type: String
    package let field: String
    private let gate: FieldGate
    /// Nil: whoever gets to see the object may read it.
    private let access: FieldAccess?

    init(to field: String, of type: String, _ gate: FieldGate, _ access: FieldAccess?) {
        self.type = type
        self.field = field
        self.gate = gate
        self.access = access
    }

    /// Of which objects the caller is given the field. Never `.narrow`.
    package func decision(for caller: Caller) -> Decision {
        guard gate.admits(caller) else { return .deny }
        return access?.decision(for: caller) ?? .allow
    }

    /// The same where the field names the one record that is asked for. Whoever may get records may say which: only rules
    /// on the field itself keep them from it.
    package func decision(asKeyFor caller: Caller) -> Decision {
        guard gate.admits(caller) else { return .deny }
        guard let access, access.hasOwnRules else { return .allow }
        return access.decision(for: caller)
    }

    /// Returns whether AppSync and its authorizer let the caller ask for it, whatever the rules say.
    func isAdmitted(_ caller: Caller) -> Bool { gate.admits(caller) }

    /// The fields of the object that its rules compare.
    package var recordFields: [String] { access?.recordFields ?? [] }

    /// The results of mutations in which it is null for those who may read it, without an error.
    package var nullIn: MutationResults { access?.nullIn ?? [] }
}

/// The rights to the fields of a model that a request can compare.
struct FieldRights: Sendable {
    private let type: String
    private let gates: GateTable
    private let accesses: [ByteText: FieldAccess]
    private let known: [ByteText: FieldRight]

    init(_ model: Model, _ gates: GateTable, _ accesses: [ByteText: FieldAccess]) {
        type = model.name
        self.gates = gates
        self.accesses = accesses
        var known: [ByteText: FieldRight] = [:]
        for field in model.fields.map(\.name) + model.keyFields.map(\.name) + model.timestamps.names + ["id", "owner"] {
            known[field] = FieldRight(
                to: field, of: model.name, gates.gate(type: model.name, field: field), accesses[field])
        }
        self.known = known
    }

    subscript(field: String) -> FieldRight {
        known[field] ?? FieldRight(to: field, of: type, gates.gate(type: type, field: field), accesses[field])
    }
}
