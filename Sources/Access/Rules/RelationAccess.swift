import Blueprint
import JSON

/// Who may follow a relation: whoever may read the other side by any of its queries.
///
/// A rule on the relation's own field is asked first; it is the `FieldAccess` of that field.
package struct RelationAccess: Sendable {
    /// Which fields of the source stand for fields of the target's key, where the schema names them.
    private let sources: [ByteText: String]
    private let access: ReadAccess
    package let isMany: Bool
    /// Whether the relation is null, or has no items, in the results of mutations, for those who may follow it.
    package let isEmptiedInMutations: Bool
    /// True if an event shows what it leads to like the rest of it: what a mutation has emptied is empty anyway, and a
    /// project can want subscribers of the parent to see it (`subscriptionsInheritPrimaryAuth`, or a relation that cannot
    /// be null).
    package let isSharedInEvents: Bool
    /// The fields of the source record that `decision` wants to know.
    package let sourceFields: [String]

    init(_ relation: Relation, _ access: ReadAccess, isEmptiedInMutations: Bool, isInherited: Bool) {
        self.access = access
        isSharedInEvents = isEmptiedInMutations || isInherited
        self.isEmptiedInMutations = isEmptiedInMutations
        isMany = relation.kind.isMany
        // Where Amplify makes the key up, no rule is about it.
        let isNamed = relation.link == .fields || relation.indexName != nil
        sources =
            isNamed
            ? Dictionary(
                texts: zip(relation.targetFields, relation.sourceFields), uniquingKeysWith: { first, _ in first })
            : [:]
        sourceFields = access.keyFields.compactMap { [sources] in sources[$0] }
    }

    /// What of the other side the caller may read. `source` gives the texts in the source record.
    package func decision(for caller: Caller, source: (String) -> String?) -> Decision {
        let decision = access.decision(for: caller) { field in
            // A part of the key that the relation leaves open is the caller's to narrow; one that is looked up is
            // compared, and replaced below where it is not theirs.
            guard let name = sources[field], let value = source(name) else { return .absent }
            return .equals(ByteText(value))
        }
        guard decision == .deny, !access.keyFields.isEmpty else { return decision }
        return ownKey(of: caller)
    }

    /// A list under somebody else's key shows the caller's own items instead; a single record is theirs or refused.
    private func ownKey(of caller: Caller) -> Decision {
        let own = access.decision(for: caller)
        switch own {
        case .narrow(let conditions) where !isMany:
            return .filter(
                AccessPredicate(
                    anyOf: conditions.map { .init(field: $0.field, values: [$0.value], isList: false) }))
        default: return own
        }
    }
}
