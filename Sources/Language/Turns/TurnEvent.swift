import JSON

/// The event of a turn of a conversation: the event that Amplify's own function gets, and every function in its place.
struct TurnEvent: Sendable {
    let conversationID: String
    let messageID: String
    let model: String
    let systemPrompt: String
    let settings: InferenceSettings
    let responseName: String
    let responseType: String
    let responseSelection: String
    let history: JSONValue
    let dataTools: [DataTool]
    let clientTools: [LanguageTool]

    init(_ event: JSONValue) throws(LanguageError) {
        func text(_ value: JSONValue?, _ name: String) throws(LanguageError) -> String {
            guard let text = value?.string else { throw .invalid("The event of a turn has no \(name).") }
            return text
        }
        conversationID = try text(event["conversationId"], "conversationId")
        messageID = try text(event["currentMessageId"], "currentMessageId")
        let configuration = event["modelConfiguration"]
        model = try text(configuration?["modelId"], "modelId")
        systemPrompt = try text(configuration?["systemPrompt"], "systemPrompt")
        settings = InferenceSettings(configuration?["inferenceConfiguration"])
        let mutation = event["responseMutation"]
        responseName = try text(mutation?["name"], "responseMutation")
        responseType = try text(mutation?["inputTypeName"], "responseMutation")
        responseSelection = try text(mutation?["selectionSet"], "responseMutation")
        history = event["messageHistoryQuery"] ?? .null
        let tools = event["toolsConfiguration"]
        var dataTools: [DataTool] = []
        for tool in tools?["dataTools"]?.array ?? [] { dataTools.append(try DataTool(tool)) }
        self.dataTools = dataTools
        var clientTools: [LanguageTool] = []
        for tool in tools?["clientTools"]?.array ?? [] {
            var tool = tool.object ?? JSONObject()
            // Clients send the schema as text.
            if let text = tool["inputSchema"]?["json"]?.string, let schema = try? JSONReader.value(of: text) {
                tool["inputSchema"] = ["json": schema]
            }
            clientTools.append(try LanguageTool(.object(tool)))
        }
        self.clientTools = clientTools
        let names = dataTools.map(\.tool.name) + clientTools.map(\.name)
        let repeated = names.enumerated().filter { names[..<$0.offset].contains($0.element) }.map(\.element)
        guard repeated.isEmpty else {
            throw LanguageError(
                "ValidationError",
                "Tools must have unique names. Duplicate tools: \(repeated.eachOnce().joined(separator: ", ")).",
                status: 400)
        }
    }

    func isClientTool(_ name: String) -> Bool { clientTools.contains { ByteText($0.name) == ByteText(name) } }
}

/// A tool that is a query of the API.
struct DataTool: Sendable {
    let tool: LanguageTool
    let query: String
    private let arguments: [String]

    init(_ value: JSONValue) throws(LanguageError) {
        let tool = try LanguageTool(value)
        self.tool = tool
        let descriptor = value["graphqlRequestInputDescriptor"]
        guard let name = descriptor?["queryName"]?.string else { throw .invalid("The tool \(tool.name) has no query.") }
        let types = descriptor?["propertyTypes"]?.object ?? JSONObject()
        arguments = types.keys
        let selection = descriptor?["selectionSet"]?.string ?? ""
        var text = name
        if !types.isEmpty { text += "(" + types.keys.map { "\($0): $\($0)" }.joined(separator: ", ") + ")" }
        if !selection.isEmpty { text += " { \(selection) }" }
        let variables = types.members.map { "$\($0.key): \($0.value.string ?? "String")" }.joined(separator: ", ")
        query = "query ToolQuery\(variables.isEmpty ? "" : "(\(variables))") { \(text) }"
    }

    /// The part of an input that the query takes.
    func variables(_ input: JSONValue) -> JSONObject {
        var variables = JSONObject()
        for name in arguments { variables[name] = input[name] }
        return variables
    }
}
