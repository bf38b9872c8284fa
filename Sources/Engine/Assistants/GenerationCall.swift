import Blueprint
import GraphQL
import JSON

/// A field that a language model answers (`@generation`): it has to use a tool whose input is the field's value.
struct GenerationCall: Sendable {
    private let settings: AssistantSettings
    private let tool: JSONValue
    private let isText: Bool
    private let limits: EngineLimits

    private static let toolName: JSONValue = "responseType"
    /// The value stands in a box: a tool's input is an object.
    private static let box = "value"

    init(_ settings: AssistantSettings, _ type: TypeUse, in schema: Schema, _ limits: EngineLimits) {
        self.settings = settings
        self.limits = limits
        let value = TypeSchema(schema).output(type) ?? ["type": "object"]
        let specification: JSONValue = [
            "name": Self.toolName, "description": "Generate a response type for the given field",
            "inputSchema": [
                "json": [
                    "type": "object", "properties": .object(JSONObject([(Self.box, value)])),
                    "required": [.string(Self.box)],
                ]
            ],
        ]
        tool = ["tools": [["toolSpec": specification]], "toolChoice": ["tool": ["name": Self.toolName]]]
        isText = !type.isList && schema[type.named].name == "String"
    }

    func value(of call: FieldCall, _ assistants: any Assistants) async throws(CallFailure) -> JSONValue {
        let asked = JSONWriter.text(of: .object(call.arguments))
        var body = JSONObject()
        body["messages"] = [["role": "user", "content": [["text": .string(asked)]]]]
        body["system"] = [["text": .string(settings.systemPrompt)]]
        body["toolConfig"] = tool
        body["inferenceConfig"] = settings.inference
        let answer: JSONValue
        do throws(AssistantFault) {
            answer = try await assistants.converse(
                settings.model, .object(body), milliseconds: try milliseconds(call))
        } catch {
            throw CallFailure(CallFailure.shortened(error.message), type: error.type)
        }
        let content = answer["output"]?["message"]?["content"]?.array ?? []
        let input = content.lazy.compactMap { $0["toolUse"]?["input"] }.first
        guard let value = input?[Self.box], !value.isNull else {
            throw CallFailure("Invalid Bedrock response", type: "InvalidResponseException")
        }
        // Models write JSON as text now and then.
        guard !isText, let text = value.string, let parsed = try? JSONReader.value(of: text) else { return value }
        return parsed
    }

    private func milliseconds(_ call: FieldCall) throws(AssistantFault) -> Int {
        do throws(CallFailure) {
            return try call.milliseconds(limits)
        } catch {
            throw AssistantFault(error.type ?? "ExecutionTimeout", error.message)
        }
    }
}
