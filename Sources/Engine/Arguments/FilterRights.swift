import Access
import JSON
import Store

/// What a caller must be allowed to read for a filter, a condition or a sort order to be answered.
///
/// Which records come back tells what a filter has found in them. In the cloud a caller reads a protected field so,
/// letter by letter; here a field is compared only for those who may read it.
enum FilterRights {
    /// What records must meet so that these fields may be compared for the caller.
    static func predicate(
        comparing fields: Set<ByteText>, of type: RecordType, for caller: Caller
    ) throws(FieldFailure) -> Predicate {
        var parts: [Predicate] = []
        for field in fields.sorted() {
            switch type.access.field(field.string)?.decision(for: caller) {
            case nil, .allow?: break
            case .filter(let access)?: parts.append(Predicate(access))
            case .deny?, .narrow?: throw .unauthorized(field.string, on: type.name)
            }
        }
        return parts.isEmpty ? .always : .all(parts)
    }
}
