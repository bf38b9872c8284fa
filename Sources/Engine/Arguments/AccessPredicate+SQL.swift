import Access
import JSON
import Store

extension Predicate {
    /// What a caller must meet, as a part of a filter: what they may not see is never handed out.
    init(_ access: AccessPredicate) {
        self = .any(
            access.anyOf.map { condition in
                .field(condition.field, .isOneOf(condition.values.map { .text($0.string) }))
            })
    }
}
