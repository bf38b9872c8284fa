import GraphQL
import JSON

/// Writes an introspection as clients load it.
struct ModelIntrospectionWriter {
    private let draft: IntrospectionDraft
    private let enums: Set<String>
    private let objects: Set<String>
    private let inputs: Set<String>

    init(_ draft: IntrospectionDraft) {
        self.draft = draft
        enums = Set(draft.enums.map(\.name))
        objects = Set(draft.objects.map(\.name))
        inputs = Set(draft.inputs.map(\.name))
    }

    var value: JSONValue {
        var whole = JSONObject()
        whole["version"] = 1
        whole["models"] = named(draft.models, \.name) { model($0) }
        whole["enums"] = named(draft.enums, \.name) { type in
            ["name": .string(type.name), "values": .array(type.values.map { .string($0) })]
        }
        whole["nonModels"] = named(draft.objects, \.name) { .object(object($0)) }
        let queries = operations(.query)
        let mutations = operations(.mutation)
        let isConversation = { (field: IntrospectedField) in field.has("conversation") }
        whole["queries"] = filled(queries.filter { !$0.has("generation") }) { operation($0) }
        whole["generations"] = filled(queries.filter { $0.has("generation") }) { operation($0) }
        whole["mutations"] = filled(mutations.filter { !isConversation($0) }) { operation($0) }
        // What a conversation returns is an interface, and it is written all the same.
        whole["conversations"] = filled((draft.operations[.mutation] ?? []).filter(isConversation)) { field in
            IntrospectedConversation(field, send: operation(field)).value
        }
        whole["subscriptions"] = filled(operations(.subscription)) { operation($0) }
        if !draft.inputs.isEmpty {
            whole["inputs"] = named(draft.inputs, \.name) { input in
                ["name": .string(input.name), "attributes": arguments(input.fields)]
            }
        }
        return .object(whole)
    }

    private func named<Part>(_ parts: [Part], _ name: (Part) -> String, _ value: (Part) -> JSONValue) -> JSONValue {
        .object(JSONObject(parts.map { (name($0), value($0)) }))
    }

    /// The same of fields; nil when there are none.
    private func filled(_ fields: [IntrospectedField], _ value: (IntrospectedField) -> JSONValue) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        return named(fields, \.name, value)
    }

    // MARK: Types

    private func model(_ model: IntrospectedModel) -> JSONValue {
        var whole = object(model)
        whole["syncable"] = true
        whole["pluralName"] = .string(Plural.of(model.name))
        whole["attributes"] = .array(
            model.directives.map { ["type": .string($0.name), "properties": .object($0.arguments)] })
        whole["primaryKeyInfo"] = [
            "isCustomPrimaryKey": .bool(model.hasOwnKey), "primaryKeyFieldName": .string(model.key.first ?? "id"),
            "sortKeyFieldNames": names(Array(model.key.dropFirst())),
        ]
        return .object(whole)
    }

    private func object(_ type: IntrospectedModel) -> JSONObject {
        let fields = type.fields.filter { !draft.abstractTypes.contains($0.type.name) }
        return JSONObject([("name", .string(type.name)), ("fields", named(fields, \.name) { field($0) })])
    }

    private func field(_ field: IntrospectedField) -> JSONValue {
        var whole = start(field)
        whole["attributes"] = []
        whole["isArrayNullable"] = field.type.isListNullable.map { .bool($0) }
        if field.isReadOnly { whole["isReadOnly"] = true }
        whole["association"] = field.association.map(association)
        return .object(whole)
    }

    private func start(_ field: IntrospectedField) -> JSONObject {
        JSONObject([
            ("name", .string(field.name)), ("isArray", .bool(field.type.isList)), ("type", type(field.type.name)),
            ("isRequired", .bool(!field.type.isNullable)),
        ])
    }

    private func type(_ name: String) -> JSONValue {
        if enums.contains(name) { return ["enum": .string(name)] }
        if objects.contains(name) { return ["nonModel": .string(name)] }
        if draft.number(ofModel: name) != nil { return ["model": .string(name)] }
        return inputs.contains(name) ? ["input": .string(name)] : .string(name)
    }

    private func association(_ association: IntrospectedField.Association) -> JSONValue {
        switch association {
        case .hasMany(let fields): ["connectionType": "HAS_MANY", "associatedWith": names(fields)]
        case .hasOne(let fields, let targets):
            ["connectionType": "HAS_ONE", "associatedWith": names(fields), "targetNames": names(targets)]
        case .belongsTo(let targets): ["connectionType": "BELONGS_TO", "targetNames": names(targets)]
        }
    }

    private func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

    // MARK: Operations

    /// Those whose results clients can read.
    private func operations(_ kind: OperationType) -> [IntrospectedField] {
        (draft.operations[kind] ?? []).filter { !draft.abstractTypes.contains($0.type.name) }
    }

    private func operation(_ field: IntrospectedField) -> JSONValue {
        guard case .object(var whole) = argument(field) else { return .null }
        if !field.arguments.isEmpty { whole["arguments"] = arguments(field.arguments) }
        return .object(whole)
    }

    private func arguments(_ fields: [IntrospectedField]) -> JSONValue { named(fields, \.name) { argument($0) } }

    private func argument(_ field: IntrospectedField) -> JSONValue {
        var whole = start(field)
        whole["isArrayNullable"] = field.type.isListNullable.map { .bool($0) }
        return .object(whole)
    }
}
