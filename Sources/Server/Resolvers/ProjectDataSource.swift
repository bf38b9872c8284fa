import Blueprint
import JSON
import Project

/// The data sources of a project's resolvers, in the form of the configuration.
enum ProjectDataSource {
    static func configured(_ source: DataSourceResource) -> JSONValue {
        var setting = JSONObject()
        func set(_ name: String, _ text: String?) { if let text { setting.set(name, to: .string(text)) } }
        switch source.kind {
        case .model(let model): set("model", model)
        // What it is like is said where it is made.
        case .table(let table): set("table", table.name)
        case .http(let endpoint, let signing):
            set("endpoint", endpoint)
            set("signingService", signing?.service)
            set("signingRegion", signing?.region)
        case .function(let name): set("function", name)
        case .events(let bus): set("eventBus", bus)
        case .search(let endpoint): set("openSearch", endpoint)
        case .database: setting.set("database", to: true)
        case .models: setting.set("models", to: true)
        case .none: setting.set("none", to: true)
        }
        return .object(setting)
    }

    /// The call that makes a table of the project's own; nil: it is said to be there already.
    static func creation(of table: TableResource) -> JSONObject? {
        guard let partition = table.partition else { return nil }
        var types: [(String, String)] = []
        func note(_ part: TableResource.Part?) {
            guard let part, !types.contains(where: { $0.0 == part.name }) else { return }
            types.append((part.name, part.type))
        }
        func schema(_ partition: TableResource.Part, _ sort: TableResource.Part?) -> JSONValue {
            note(partition)
            note(sort)
            var parts: [JSONValue] = [["AttributeName": .string(partition.name), "KeyType": "HASH"]]
            if let sort { parts.append(["AttributeName": .string(sort.name), "KeyType": "RANGE"]) }
            return .array(parts)
        }
        var request = JSONObject([
            ("TableName", .string(table.name)), ("BillingMode", "PAY_PER_REQUEST"),
            ("KeySchema", schema(partition, table.sort)),
        ])
        for (name, isLocal) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)] {
            let indexes = table.indexes.filter { $0.isLocal == isLocal }.map { index -> JSONValue in
                [
                    "IndexName": .string(index.name), "KeySchema": schema(index.partition, index.sort),
                    "Projection": projection(of: index),
                ]
            }
            if !indexes.isEmpty { request.set(name, to: .array(indexes)) }
        }
        if let view = table.stream {
            request.set("StreamSpecification", to: ["StreamEnabled": true, "StreamViewType": .string(view)])
        }
        request.set(
            "AttributeDefinitions",
            to: .array(types.map { ["AttributeName": .string($0.0), "AttributeType": .string($0.1)] }))
        return request
    }

    private static func projection(of index: TableResource.Index) -> JSONValue {
        switch index.projection {
        case .all: ["ProjectionType": "ALL"]
        case .keysOnly: ["ProjectionType": "KEYS_ONLY"]
        case .include(let names):
            ["ProjectionType": "INCLUDE", "NonKeyAttributes": .array(names.map(JSONValue.string))]
        }
    }
}
