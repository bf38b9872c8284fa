import Blueprint
import JSON

/// Who may search a model, and sum up which of its fields.
package struct SearchAccess: Sendable {
    /// Which records a search finds.
    package let records: ReadAccess
    /// By field: who may see values of it in aggregations. Fields that are not declared are everybody's.
    private let fields: [ByteText: ReadAccess]

    init(records: ReadAccess, fields: [ByteText: ReadAccess]) {
        self.records = records
        self.fields = fields
    }

    package func decision(for caller: Caller) -> Decision { records.decision(for: caller) }

    /// Over which records the caller may aggregate a field.
    package func aggregation(of field: String, for caller: Caller) -> Decision {
        (fields[field] ?? records).decision(for: caller)
    }

    package static func message(denyingAggregationOf field: String) -> String {
        "Unauthorized to run aggregation on field: \(field)"
    }
}
