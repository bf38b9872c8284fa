import GraphQL
import JSON
import Store

/// The value of an event, taken down while the record of a mutation is written: its fields by their names, as the caller of
/// the mutation sees them.
struct EventRecord {
    private let shape: EventShape
    private var members: [JSONObject.Member] = []

    init(_ shape: EventShape) {
        self.shape = shape
    }

    /// The record.
    var value: JSONObject { JSONObject(distinct: members) }

    /// Notes a field whose value was written from a place on.
    mutating func note(
        _ field: FieldPlan, _ completion: Completion, _ row: borrowing Row, _ bytes: [UInt8], from start: Int
    ) {
        let value: JSONValue
        switch (completion, field.source) {
        case (.null, _), (.broken, _): value = .null
        case (.written, .leaf(let column, let kind)): value = kind.plainValue(row, column) ?? read(field, bytes, start)
        case (.written, _): value = read(field, bytes, start)
        }
        // Under its name there may be one already where fields have other names in the response.
        guard shape.isRenamed, let place = members.firstIndex(where: { ByteText($0.key) == ByteText(field.name) })
        else {
            return members.append(JSONObject.Member(key: field.name, value: value))
        }
        members[place].value = EventValue.merged(members[place].value, value)
    }

    /// What was read of other records, and lists: as it was written.
    private func read(_ field: FieldPlan, _ bytes: [UInt8], _ start: Int) -> JSONValue {
        let value = bytes[start...].withUnsafeBytes { (try? JSONReader.value(of: $0)) ?? .null }
        let member = shape.members.first { ByteText($0.responseName) == ByteText(field.responseName) }
        return EventValue.value(value, member?.shape)
    }
}

extension LeafKind {
    /// The value of a column that goes into a response as it is; nil where what is shown of it is something else.
    fileprivate func plainValue(_ row: borrowing Row, _ column: Int) -> JSONValue? {
        switch self {
        case .text, .json, .form: .string(row.text(column))
        case .integer: .integer(row.integer(column))
        case .boolean: .bool(row.boolean(column))
        case .real, .list, .owner, .owners: nil
        }
    }
}
