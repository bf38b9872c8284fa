import Blueprint
import GraphQL
import JSON

/// The mutation of the API that creates, changes or deletes a record, with all fields of it in the answer.
struct RecordOperation: Sendable {
    enum Kind: String, Sendable {
        case create, update, delete
    }

    let field: String
    let text: String

    private static let depthMax = 4

    init(_ kind: Kind, _ model: Model, _ view: SchemaView, hasCondition: Bool) throws(ConsoleError) {
        let operations = model.operations
        let field =
            switch kind {
            case .create: operations.create
            case .update: operations.update
            case .delete: operations.delete
            }
        guard let field, let root = view.schema.mutationType,
            let definition = view.schema.field(named: field, of: root), let input = definition.arguments["input"]
        else {
            throw .badRequest("The API has no mutation that would \(kind.rawValue) \(model.name).", place: "operation")
        }
        self.field = field
        var variables = "$input: \(view.schema.text(of: input.type))"
        var arguments = "input: $input"
        if hasCondition, let condition = definition.arguments["condition"] {
            variables += ", $condition: \(view.schema.text(of: condition.type))"
            arguments += ", condition: $condition"
        }
        let selection = Self.selection(of: view.schema[definition.type.named].name, view, depth: 0)
        text = "mutation Change(\(variables)) { \(field)(\(arguments)) \(selection) }"
    }

    /// All that is no record of another model.
    static func selection(of type: String, _ view: SchemaView, depth: Int) -> String {
        let fields = view.schema.outputFields(of: type).compactMap { name, shown -> String? in
            guard let base = view.schema.type(named: shown.base) else { return nil }
            if base.isLeaf { return name }
            guard depth < depthMax, !view.blueprint.hasModel(named: shown.base),
                view.blueprint.type(named: shown.base)?.kind == .object
            else { return nil }
            return "\(name) \(selection(of: shown.base, view, depth: depth + 1))"
        }
        return "{ \(fields.isEmpty ? "__typename" : fields.joined(separator: " ")) }"
    }

    func body(_ input: JSONObject, _ condition: JSONObject?) -> [UInt8] {
        var variables = JSONObject([("input", .object(input))])
        if let condition { variables.set("condition", to: .object(condition)) }
        return JSONWriter.bytes(of: ["query": .string(text), "variables": .object(variables)])
    }
}
