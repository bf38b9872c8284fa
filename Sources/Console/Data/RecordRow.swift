import Blueprint
import JSON
import Store

/// A record as the page has it: values by field, as GraphQL gives them.
struct RecordRow: Sendable {
    let key: JSONObject
    let values: JSONObject
    /// The same as rules compare it.
    let compared: JSONObject

    init(_ row: borrowing Row, _ table: TableLayout, _ model: Model) {
        var values = JSONObject()
        var compared = JSONObject()
        for (number, column) in table.columns.enumerated() {
            guard !row.isNull(number) else {
                values.set(column.field, to: .null)
                continue
            }
            let (shown, known) = Self.value(row, number, column.kind)
            values.set(column.field, to: shown)
            compared.set(column.field, to: known)
        }
        (self.values, self.compared) = (values, compared)
        key = JSONObject(model.key.fields.map { ($0, values[$0] ?? .null) })
    }

    private static func value(
        _ row: borrowing Row, _ number: Int, _ kind: ColumnKind
    ) -> (shown: JSONValue, compared: JSONValue) {
        switch kind {
        case .text:
            let text = JSONValue.string(row.text(number))
            return (text, text)
        case .integer: return (.integer(row.integer(number)), .integer(row.integer(number)))
        case .real: return (.double(row.real(number)), .double(row.real(number)))
        case .boolean: return (.bool(row.boolean(number)), .bool(row.boolean(number)))
        case .json:
            // AWSJSON is a text to clients.
            let text = row.text(number)
            return (.string(text), (try? JSONReader.value(of: text)) ?? .string(text))
        case .list, .object:
            let text = row.text(number)
            let value = (try? JSONReader.value(of: text)) ?? .string(text)
            return (value, value)
        }
    }
}
