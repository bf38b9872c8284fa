import Blueprint
import JSON
import Store

/// The key of a record, as the page names it: `{"id": "p-17"}`.
struct RecordKey: Sendable {
    let values: [(field: String, json: JSONValue, stored: StoredValue)]

    init(_ value: JSONValue?, of model: Model, _ table: TableLayout) throws(ConsoleError) {
        var values: [(field: String, json: JSONValue, stored: StoredValue)] = []
        for field in model.key.fields {
            guard let json = value?[field], !json.isNull, let column = table.column(of: field) else {
                throw .badRequest("The key of \(model.name) needs \(field).", place: "key.\(field)")
            }
            values.append((field, json, try RowFilter.stored(json, column, "key.\(field)")))
        }
        self.values = values
    }

    var predicate: Predicate { .all(values.map { .field($0.field, .equal(.value($0.stored))) }) }

    var json: JSONObject { JSONObject(values.map { ($0.field, $0.json) }) }

    /// For people: `p-17`, `bob 2026`.
    var text: String {
        values.map { $0.json.string ?? JSONWriter.text(of: $0.json) }.joined(separator: " ")
    }
}
