import GraphQL
import JSON

/// What the schema says of a language model that it asks: which one, what it is told first, and how it is to find its words.
package struct AssistantSettings: Sendable, Hashable {
    /// The path of the model on AWS.
    package let model: String
    package let systemPrompt: String
    package let tokensMax: Int64?
    package let temperature: Double?
    package let topP: Double?

    package init(
        model: String, systemPrompt: String = "", tokensMax: Int64? = nil, temperature: Double? = nil,
        topP: Double? = nil
    ) {
        self.model = model
        self.systemPrompt = systemPrompt
        self.tokensMax = tokensMax
        self.temperature = temperature
        self.topP = topP
    }

    /// Of `@generation` or `@conversation`.
    init(_ directive: Directive) {
        let settings = directive.object("inferenceConfiguration")
        self.init(
            model: directive.text("aiModel") ?? "", systemPrompt: directive.text("systemPrompt") ?? "",
            tokensMax: settings?.value("maxTokens")?.number.flatMap { Int64(exactly: $0) },
            temperature: settings?.value("temperature")?.number, topP: settings?.value("topP")?.number)
    }

    /// The last of it in the names of the service; nil where nothing is said.
    package var inference: JSONValue? {
        var object = JSONObject()
        object["maxTokens"] = tokensMax.map { .integer($0) }
        object["temperature"] = temperature.map { .double($0) }
        object["topP"] = topP.map { .double($0) }
        return object.isEmpty ? nil : .object(object)
    }
}

/// A query that the model of a conversation may use: the list of a model's records, or one that the schema declares.
package struct ConversationTool: Sendable, Hashable {
    package let name: String
    package let description: String?
    package let target: Target

    package enum Target: Sendable, Hashable {
        case list(ofModel: String)
        case query(String)
    }

    init?(_ tool: ObjectValue) {
        guard let name = tool.value("name")?.text else { return nil }
        self.name = name
        description = tool.value("description")?.text
        if let model = tool.value("modelName")?.text {
            target = .list(ofModel: model)
        } else if let query = tool.value("queryName")?.text {
            target = .query(query)
        } else {
            return nil
        }
    }
}

extension Value {
    /// The number that it is, whole or not.
    var number: Double? {
        switch self {
        case .int(let number), .float(let number): Double(number.text)
        default: nil
        }
    }
}
