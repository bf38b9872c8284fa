import Blueprint
import GraphQL
import JSON

/// The tools of a conversation as its turns are told of them: queries of the API, with what they are asked and what is selected.
struct ConversationTools {
    private let schema: Schema
    private let blueprint: Blueprint

    init(_ schema: Schema, _ blueprint: Blueprint) {
        self.schema = schema
        self.blueprint = blueprint
    }

    func tools(of conversation: Conversation) -> JSONValue {
        .array(conversation.tools.compactMap(tool))
    }

    /// Of a list, `limit` is counted before the filter, and pages are nothing for a model.
    private static let unaskedOfLists = ["limit", "nextToken"]

    private func tool(_ tool: ConversationTool) -> JSONValue? {
        let query: String?
        var unasked: [String] = []
        switch tool.target {
        case .query(let name): query = name
        case .list(let model):
            query = blueprint.model(named: model)?.operations.list
            unasked = Self.unaskedOfLists
        }
        guard let query, let root = schema.queryType, let field = schema.field(named: query, of: root) else {
            return nil
        }
        let arguments = field.arguments.values.filter { !unasked.contains($0.name) }
        let types = TypeSchema(schema)
        var object = JSONObject([("name", .string(tool.name))])
        object["description"] = tool.description.map { .string($0) }
        object["inputSchema"] = ["json": types.input(arguments)]
        object["graphqlRequestInputDescriptor"] = [
            "queryName": .string(query), "selectionSet": .string(types.selection(field.type)),
            "propertyTypes": .object(JSONObject(arguments.map { ($0.name, .string(schema.text(of: $0.type))) })),
        ]
        return .object(object)
    }
}
