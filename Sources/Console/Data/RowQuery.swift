import Blueprint
import JSON
import Store

/// Which records of a model the page wants to see, in which order: read from a request, and checked.
struct RowQuery: Sendable {
    let model: Model
    let table: TableLayout
    let filter: Predicate
    let sort: [TextSearch.SortKey]
    let limit: Int
    let after: TextSearch.Position?

    init(_ input: ConsoleInput, _ view: SchemaView, limitMax: Int = ConsoleLimits.rowsMax) throws(ConsoleError) {
        let name = try input.text("model")
        guard let model = view.blueprint.model(named: name), let table = view.layout.table(of: model) else {
            throw .badRequest("There is no model \(name).", place: "model")
        }
        (self.model, self.table) = (model, table)
        let parts = try RowFilter.predicates(try input.list("filter", max: ConsoleLimits.filtersMax) ?? [], table)
        let isAny = try input.optionalText("match") == "any" && !parts.isEmpty
        var wanted: Predicate = isAny ? .any(parts) : .all(parts)
        if let keys = try input.list("keys", max: ConsoleLimits.keysMax) {
            let chosen = try keys.map { key throws(ConsoleError) in try RecordKey(key, of: model, table).predicate }
            wanted = .all([wanted, .any(chosen)])
        }
        filter = wanted
        var sort: [TextSearch.SortKey] = []
        for (number, key) in (try input.list("sort", max: 4) ?? []).enumerated() {
            guard let field = key["field"]?.string, let column = table.column(of: field) else {
                throw .badRequest("There is no field to sort by.", place: "sort.\(number).field")
            }
            guard column.kind != .object else {
                throw .badRequest("\(field) has no order.", place: "sort.\(number).field")
            }
            sort.append(TextSearch.SortKey(field, isDescending: key["descending"]?.bool ?? false))
        }
        // The order ends with the key, ascending, so that it is total.
        for field in model.key.fields where !sort.contains(where: { $0.field == field }) {
            sort.append(TextSearch.SortKey(field, isDescending: false))
        }
        self.sort = sort
        limit = try input.number("limit", default: 100, 1...limitMax)
        after = try RowCursor.position(try input.optionalText("cursor"), count: sort.count)
    }

    /// The page as the store reads it.
    func search(limit: Int? = nil, after: TextSearch.Position? = nil) -> TextSearch {
        TextSearch(
            table, fields: table.columns.map(\.field), filter: filter, sort: sort, limit: limit ?? self.limit,
            after: after ?? self.after)
    }
}

/// Where a page begins, as the page keeps it: the values that sort the record before. The operator may see all of them.
enum RowCursor {
    static func text(_ position: TextSearch.Position) -> String {
        JSONWriter.text(
            of: .array(
                position.values.map { value in
                    switch value {
                    case .null: .null
                    case .integer(let integer): .integer(integer)
                    case .real(let real): ["real": .double(real)]
                    case .text(let text): .string(text)
                    case .utf8(let bytes), .blob(let bytes): .string(String(decoding: bytes, as: UTF8.self))
                    }
                }))
    }

    static func position(_ text: String?, count: Int) throws(ConsoleError) -> TextSearch.Position? {
        guard let text else { return nil }
        guard let values = (try? JSONReader.value(of: text))?.array, values.count == count else {
            throw .badRequest("The cursor is not that of this list.", place: "cursor")
        }
        return TextSearch.Position(
            values.map { value in
                switch value {
                case .integer(let integer): .integer(integer)
                case .string(let text): .text(text)
                case .object(let object): object["real"]?.number.map { .real($0) } ?? .null
                default: .null
                }
            })
    }
}
