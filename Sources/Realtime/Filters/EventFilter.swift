import JSON

/// What an event has to be like for a subscriber to get it: conditions, joined by and and or.
///
/// Equality arguments, a client's `filter`, and what the rules of access ask for are all of this form, so that they are
/// compared, found in the index and shared between subscribers in the same way.
package indirect enum EventFilter: Sendable, Hashable {
    /// Every part has to be met; with no parts it always is.
    case all([EventFilter])
    /// One part has to be met; with no parts it never is.
    case any([EventFilter])
    case condition(FilterCondition)

    package static let everything = EventFilter.all([])

    /// A field of the event's root equals a value; null equals null.
    package static func equals(_ field: String, _ value: FilterValue) -> EventFilter {
        .condition(FilterCondition([field], .eq, [value]))
    }

    /// A field of the event's root compared with values.
    package static func condition(
        _ field: String, _ operator: FilterOperator, _ values: [FilterValue]
    ) -> EventFilter {
        .condition(FilterCondition([field], `operator`, values))
    }

    /// Both.
    package func and(_ other: EventFilter) -> EventFilter {
        let parts = conjuncts + other.conjuncts
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private var conjuncts: [EventFilter] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    /// The fields of the event's root that are compared.
    var fields: [String] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.fields)
        case .condition(let condition): condition.path.first.map { [$0] } ?? []
        }
    }

    func matches(_ event: JSONObject) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.matches(event) }
        case .any(let parts): parts.contains { $0.matches(event) }
        case .condition(let condition): condition.matches(event)
        }
    }
}
