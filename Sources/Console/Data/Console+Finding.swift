import Blueprint
import GraphQL
import JSON
import Store

extension Console {
    /// What the finder shows: names of the schema and of settings, users, files and records by the beginning of their
    /// keys.
    func find(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let wanted = request.parameter("q") ?? ""
        let limit = try request.number("limit", default: 20, 1...ConsoleLimits.findMax)
        guard !wanted.isEmpty, wanted.utf8.count <= 200 else { return .json(["results": []]) }
        let host = try host
        let view = try await view(host)
        var results = Self.names(matching: wanted, in: view)
        results += await people(named: wanted, host, request)
        results += await Self.files(below: wanted, host) + Self.settings(matching: wanted, host)
        if results.count < limit {
            let left = limit - results.count
            let records: [JSONValue]? = try? await read(milliseconds: ConsoleLimits.findMilliseconds) {
                reader throws(StoreError) in
                try Self.records(beginningWith: wanted, in: view, reader, upTo: left)
            }
            results += records ?? []
        }
        return .json(["results": .array(Array(results.prefix(limit)))])
    }

    /// Of each of these kinds so many.
    private static let ofKindMax = 5

    private static func found(_ kind: String, _ label: String, _ detail: String) -> JSONValue {
        ["kind": .string(kind), "label": .string(label), "detail": .string(detail), "name": .string(label)]
    }

    /// Users whose name or address begins so.
    private func people(named wanted: String, _ host: any ConsoleHost, _ request: ConsoleRequest) async -> [JSONValue] {
        guard host.pool != nil, let calls = try? UserCalls(host, on: request.loop) else { return [] }
        let page = try? await calls.page(search: wanted, limit: Self.ofKindMax, cursor: nil)
        return (page?["users"]?.array ?? []).compactMap { user in
            user["username"]?.string.map { Self.found("user", $0, user["email"]?.string ?? "user") }
        }
    }

    private static func files(below wanted: String, _ host: any ConsoleHost) async -> [JSONValue] {
        guard let bucket = host.files.settings.usualBucket ?? host.files.bucketNames.first else { return [] }
        let page = try? await host.files.browsed(wanted, in: bucket, after: "", max: ofKindMax)
        return (page?.folders ?? []).prefix(ofKindMax).map { found("file", $0, "folder") }
            + (page?.files ?? []).prefix(ofKindMax).map { found("file", $0.key, "file") }
    }

    private static func settings(matching wanted: String, _ host: any ConsoleHost) -> [JSONValue] {
        let wanted = wanted.lowercased()
        return host.settingNames.filter { $0.name.lowercased().contains(bytesOf: wanted) }.prefix(ofKindMax)
            .map { found("setting", $0.name, $0.purpose) }
    }

    private static func names(matching wanted: String, in view: SchemaView) -> [JSONValue] {
        let wanted = wanted.lowercased()
        func isMeant(_ name: String) -> Bool { name.lowercased().contains(bytesOf: wanted) }
        func result(_ kind: String, _ label: String, _ detail: String, model: String? = nil) -> JSONValue {
            .members([
                "kind": .string(kind), "label": .string(label), "detail": .string(detail), "name": .string(label),
                "model": .text(model),
            ])
        }
        let models = view.models.filter { isMeant($0.name) }.map { result("model", $0.name, "model", model: $0.name) }
        var operations: [JSONValue] = []
        for type in OperationType.allCases {
            guard let id = view.schema.rootType(of: type), let fields = view.schema[id].fields?.fields else { continue }
            operations += fields.filter { isMeant($0.name) }.prefix(10).map {
                result("operation", $0.name, type.rawValue, model: view.names.model(ofField: $0.name))
            }
        }
        let fields = view.models.flatMap { model in
            model.fields.filter { isMeant($0.name) }.prefix(5).map {
                result("field", "\(model.name).\($0.name)", "field", model: model.name)
            }
        }
        let types = view.blueprint.types.filter { isMeant($0.name) && !view.blueprint.roots.contains($0.name) }
            .prefix(ofKindMax).map { result("type", $0.name, $0.kind == .enumeration ? "enum" : "type") }
        return models + operations + types + Array(fields.prefix(10))
    }

    private static func records(
        beginningWith text: String, in view: SchemaView, _ reader: Reader, upTo max: Int
    ) throws(StoreError) -> [JSONValue] {
        var found: [JSONValue] = []
        for model in view.models where found.count < max {
            guard let table = view.layout.table(of: model), let key = model.key.fields.first,
                table.column(of: key)?.kind == .text
            else { continue }
            let search = TextSearch(
                table, fields: table.columns.map(\.field), filter: .field(key, .beginsWith(text)),
                sort: [TextSearch.SortKey(key, isDescending: false)], limit: min(5, max - found.count))
            _ = try reader.search(search) { row throws(StoreError) in
                let record = RecordRow(row, table, model)
                let label = model.key.fields.map { record.key[$0]?.string ?? "" }.joined(separator: " ")
                found.append([
                    "kind": "record", "label": .string("\(model.name) \(label)"), "model": .string(model.name),
                    "detail": .text(title(of: record, model)), "key": .object(record.key),
                    "name": .string(label),
                ])
            }
        }
        return found
    }

    /// What a record is called by people: its first text that is no key.
    private static func title(of record: RecordRow, _ model: Model) -> String? {
        let field = model.fields.first { field in
            field.scalar == .string && !field.isList && !model.key.fields.contains(field.name)
                && field.typeName == "String"
        }
        return field.flatMap { record.values[$0.name]?.string }.map { String($0.prefix(80)) }
    }
}
