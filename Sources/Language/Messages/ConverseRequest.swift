import JSON

/// A request to a model, in the form of the service's Converse: everything else that clients send is turned into it.
package struct ConverseRequest: Sendable {
    package var model: String
    package var system: [String] = []
    package var messages: [ConverseMessage] = []
    package var tools: [LanguageTool] = []
    package var toolChoice: ToolChoice?
    package var settings = InferenceSettings()
    /// How long whoever asks waits.
    package var milliseconds = LanguageLimits.milliseconds

    package init(model: String) { self.model = model }

    /// Reads the body of a call.
    package init(model: String, _ body: JSONValue) throws(LanguageError) {
        self.model = model
        for block in try Self.list(body["system"], "system") {
            if let text = block["text"]?.string { system.append(text) }
        }
        var blocks = 0
        for message in try Self.list(body["messages"], "messages") {
            let message = try ConverseMessage(message)
            blocks += message.content.count
            messages.append(message)
        }
        guard messages.count <= LanguageLimits.messagesMax, blocks <= LanguageLimits.blocksMax else {
            throw .invalid("A request has at most \(LanguageLimits.messagesMax) messages.")
        }
        guard !messages.isEmpty else { throw .invalid("A conversation must have at least one message.") }
        for tool in try Self.list(body["toolConfig"]?["tools"], "toolConfig.tools") {
            // What is cached is nobody's business here.
            if let specification = tool["toolSpec"] { tools.append(try LanguageTool(specification)) }
        }
        guard tools.count <= LanguageLimits.toolsMax else {
            throw .invalid("A request has at most \(LanguageLimits.toolsMax) tools.")
        }
        toolChoice = ToolChoice(body["toolConfig"]?["toolChoice"])
        settings = InferenceSettings(body["inferenceConfig"])
    }

    static func list(_ value: JSONValue?, _ name: String) throws(LanguageError) -> [JSONValue] {
        switch value {
        case nil, .null?: return []
        case .array(let list)?: return list
        case let other?: throw .invalid("\(name) is a list, and here \(other.kind).")
        }
    }

    /// The same as the body of a call.
    package var body: JSONValue {
        var object = JSONObject([("messages", .array(messages.map(\.json)))])
        if !system.isEmpty { object["system"] = .array(system.map { ["text": .string($0)] as JSONValue }) }
        if let settings = settings.json { object["inferenceConfig"] = settings }
        if !tools.isEmpty {
            var config = JSONObject([("tools", .array(tools.map { ["toolSpec": $0.json] as JSONValue }))])
            if let choice = toolChoice { config["toolChoice"] = choice.json }
            object["toolConfig"] = .object(config)
        }
        return .object(object)
    }

    /// The last message of the user, as text.
    var prompt: String {
        (messages.last { $0.role == .user }?.content ?? []).map { block in
            switch block {
            case .text(let text): text
            case .toolResult(let result): result.text
            default: ""
            }
        }.joined(separator: "\n")
    }

    /// The tool that has to be used; nil: the model may choose.
    var forcedTool: LanguageTool? {
        guard case .tool(let name)? = toolChoice else { return nil }
        return tools.first { ByteText($0.name) == ByteText(name) }
    }
}

/// A message of the user or of the model.
package struct ConverseMessage: Sendable, Equatable {
    package enum Role: String, Sendable {
        case user
        case assistant
    }

    package let role: Role
    package var content: [ContentBlock]

    package init(_ role: Role, _ content: [ContentBlock]) {
        self.role = role
        self.content = content
    }

    init(_ value: JSONValue) throws(LanguageError) {
        guard let role = value["role"]?.string.flatMap(Role.init(rawValue:)) else {
            throw .invalid("A message has the role user or assistant.")
        }
        var content: [ContentBlock] = []
        for block in try ConverseRequest.list(value["content"], "content") {
            if let block = try ContentBlock.read(block) { content.append(block) }
        }
        self.init(role, content)
    }

    package var json: JSONValue { ["role": .string(role.rawValue), "content": .array(content.map(\.json))] }
}

/// Something that a model may use.
package struct LanguageTool: Sendable, Equatable {
    package let name: String
    package let description: String?
    /// The input of the tool, as JSON Schema.
    package let schema: JSONValue

    package init(name: String, description: String?, schema: JSONValue) {
        self.name = name
        self.description = description
        self.schema = schema
    }

    package init(_ specification: JSONValue) throws(LanguageError) {
        guard let name = specification["name"]?.string else { throw .invalid("A tool has a name.") }
        self.init(
            name: name, description: specification["description"]?.string,
            schema: specification["inputSchema"]?["json"] ?? ["type": "object"])
    }

    var json: JSONValue {
        var object = JSONObject([("name", .string(name))])
        object["description"] = description.map { .string($0) }
        object["inputSchema"] = ["json": schema]
        return .object(object)
    }
}

/// The choice of tools: a model may use one, or has to.
package enum ToolChoice: Sendable, Equatable {
    case auto
    case any
    case tool(String)

    init?(_ value: JSONValue?) {
        if let name = value?["tool"]?["name"]?.string {
            self = .tool(name)
        } else if value?["any"] != nil {
            self = .any
        } else if value?["auto"] != nil {
            self = .auto
        } else {
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .auto: ["auto": [:]]
        case .any: ["any": [:]]
        case .tool(let name): ["tool": ["name": .string(name)]]
        }
    }
}

/// How a model is to find its words.
package struct InferenceSettings: Sendable, Equatable {
    package var tokensMax: Int64?
    package var temperature: JSONValue?
    package var topP: JSONValue?
    package var stops: [String] = []

    package init() {}

    package init(_ value: JSONValue?) {
        tokensMax = value?["maxTokens"]?.integer
        temperature = value?["temperature"]?.numeric
        topP = value?["topP"]?.numeric
        stops = (value?["stopSequences"]?.array ?? []).compactMap(\.string)
    }

    var json: JSONValue? {
        var object = JSONObject()
        object["maxTokens"] = tokensMax.map { .integer($0) }
        object["temperature"] = temperature
        object["topP"] = topP
        if !stops.isEmpty { object["stopSequences"] = .array(stops.map { .string($0) }) }
        return object.isEmpty ? nil : .object(object)
    }
}

extension JSONValue {
    /// The value, if it is a number.
    var numeric: JSONValue? { number == nil ? nil : self }
}
