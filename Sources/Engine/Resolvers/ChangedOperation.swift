import Access
import Blueprint
import JSON
import Resolvers

/// An operation of a model, as the steps are told of it that the app puts around it: what Amplify's own first step leaves for them.
struct ChangedOperation: Sendable {
    private enum Kind {
        case one, many, create, update, delete
    }

    private let kind: Kind
    /// Nil: it is about no records.
    private let type: RecordType?

    /// True if it is what a directive says of a field.
    var isOfDirective: Bool { type == nil }

    init(_ base: RootOperation, of type: RecordType) {
        self.type = type
        kind =
            switch base {
            case .get: .one
            case .create: .create
            case .update: .update
            case .delete: .delete
            case .list, .index, .sync, .search, .custom, .changed: .many
            }
    }

    /// A relation.
    init(relationTo target: RecordType) {
        type = target
        kind = .many
    }

    /// What a directive says of a field, which is about no records.
    init() {
        type = nil
        kind = .many
    }

    /// The stash behind Amplify's own first step.
    func stash(
        _ typeName: String, _ fieldName: String, table: String, apiID: String, fillsDefaults: Bool,
        _ arguments: JSONObject, now: String, id: () -> String
    ) -> JSONObject {
        var metadata = JSONObject([
            ("dataSourceType", "AMAZON_DYNAMODB"), ("apiId", .string(apiID)),
        ])
        if let key = modelObjectKey(arguments) { metadata.set("modelObjectKey", to: .object(key)) }
        var stash = JSONObject([
            ("typeName", .string(typeName)), ("fieldName", .string(fieldName)), ("conditions", .array([])),
            ("metadata", .object(metadata)), ("connectionAttributes", .object(JSONObject())),
            ("tableName", .string(table)),
        ])
        guard let type else { return stash }
        let times = type.model.timestamps
        var defaults = JSONObject()
        switch kind {
        case .create where fillsDefaults:
            if type.model.hasID { defaults.set("id", to: .string(id())) }
            for name in times.names { defaults.set(name, to: .string(now)) }
        case .update where fillsDefaults:
            if let name = times.updatedAt { defaults.set(name, to: .string(now)) }
        default: break
        }
        if kind == .create || kind == .update { stash.set("defaultValues", to: .object(defaults)) }
        return stash
    }

    /// The key of a record that is no plain id, as DynamoDB has it.
    private func modelObjectKey(_ arguments: JSONObject) -> JSONObject? {
        guard let type, type.model.key.isCustom else { return nil }
        let given: JSONObject
        switch kind {
        case .one: given = arguments
        case .create, .update, .delete: given = arguments["input"]?.object ?? JSONObject()
        case .many: return nil
        }
        let fields = type.model.key.fields
        func typed(_ value: JSONValue) -> JSONValue {
            value.string == nil ? ["N": .string(JSONWriter.text(of: value))] : ["S": value]
        }
        guard let first = fields.first, let partition = given[first] else { return nil }
        var key = JSONObject([(first, typed(partition))])
        let sort = fields.dropFirst()
        if sort.count == 1, let name = sort.first, let value = given[name] {
            key.set(name, to: typed(value))
        } else if sort.count > 1 {
            let texts = sort.map { name in given[name].map { $0.string ?? JSONWriter.text(of: $0) } ?? "" }
            key.set(sort.joined(separator: "#"), to: ["S": .string(texts.joined(separator: "#"))])
        }
        return key
    }
}

extension AccessPredicate {
    /// As Amplify's own steps leave it on the stash.
    var authFilter: JSONValue {
        var parts: [JSONValue] = []
        for condition in anyOf {
            for value in condition.values {
                let test = JSONObject([(condition.isList ? "contains" : "eq", .string(value.string))])
                parts.append(.object(JSONObject([(condition.field, .object(test))])))
            }
        }
        return ["or": .array(parts)]
    }
}
