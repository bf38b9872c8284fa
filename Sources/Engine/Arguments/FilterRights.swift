import Access
import JSON
import Store

/// What a caller must be allowed to read for a filter, a condition, a key or a sort order to be answered.
///
/// Which records come back tells what has been found in them. In the cloud a caller reads a protected field so, letter by
/// letter; here a field is compared only for those who may read it.
enum FilterRights {
    /// The rights to some fields of a model, in the order of their names.
    static func rights(to fields: Set<ByteText>, of type: RecordType) -> [FieldRight] {
        fields.sorted().map { type.access.right(to: $0.string) }
    }

    /// What records must meet so that these fields may be compared for the caller.
    static func predicate(_ rights: [FieldRight], for caller: Caller) throws(FieldFailure) -> Predicate {
        let parts = try conditions(rights, for: caller).map { Predicate($0) }
        return parts.isEmpty ? .always : .all(parts)
    }

    /// The same for a record at hand, which must meet each of them. `isKey`: the fields name the record.
    static func conditions(
        _ rights: [FieldRight], for caller: Caller, isKey: Bool = false
    ) throws(FieldFailure) -> [AccessPredicate] {
        var conditions: [AccessPredicate] = []
        for right in rights {
            switch isKey ? right.decision(asKeyFor: caller) : right.decision(for: caller) {
            case .allow: break
            case .filter(let access): conditions.append(access)
            case .deny, .narrow: throw .unauthorized(right.field, on: right.type)
            }
        }
        return conditions
    }
}
