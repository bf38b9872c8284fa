import JSON

/// What clients are told of a conversation with a language model: the two models that Amplify adds for it, how a message is sent,
/// and how the answers come.
struct IntrospectedConversation {
    private let name: String
    private let route: String
    private let send: JSONValue

    private var conversation: String { "Conversation\(route)" }
    private var message: String { "ConversationMessage\(route)" }

    /// - Parameter send: the mutation as an operation.
    init(_ mutation: IntrospectedField, send: JSONValue) {
        name = mutation.name
        route = WordCase.pascal(mutation.name)
        self.send = send
    }

    var value: JSONValue {
        var send = send.object ?? JSONObject()
        send["type"] = ["model": .string(message)]
        return [
            "name": .string(name),
            "models": .object(JSONObject([(conversation, conversationModel), (message, messageModel)])),
            "nonModels": [:],
            "enums": [
                "ConversationParticipantRole": [
                    "name": "AmplifyAIConversationParticipantRole", "values": ["user", "assistant"],
                ]
            ],
            "conversation": ["modelName": .string(conversation)],
            "message": ["modelName": .string(message), "send": .object(send), "subscribe": subscribe],
        ]
    }

    private var subscribe: JSONValue {
        [
            "isArray": false, "isRequired": false, "name": .string("onCreateAssistantResponse\(route)"),
            "type": ["nonModel": "AmplifyAIConversationMessageStreamPart"],
            "arguments": [
                "conversationId": ["name": "conversationId", "isArray": false, "isRequired": true, "type": "ID"]
            ],
        ]
    }

    // MARK: The models

    private var conversationModel: JSONValue {
        var messages = field("messages", ["model": .string(message)], isArray: true, isArrayNullable: true)
        messages["association"] = ["connectionType": "HAS_MANY", "associatedWith": ["conversationId"]]
        return model(
            conversation,
            [
                field("id", "ID", isRequired: true), field("name", "String"), field("metadata", "AWSJSON"), messages,
                timestamp("createdAt"), timestamp("updatedAt"), field("owner", "String"),
            ], properties: ["subscriptions": ["level": "off"], "mutations": ["update": nil]])
    }

    private var messageModel: JSONValue {
        var parent = field("conversation", ["model": .string(conversation)])
        parent["association"] = ["connectionType": "BELONGS_TO", "targetNames": ["conversationId"]]
        return model(
            message,
            [
                field("id", "ID", isRequired: true), field("conversationId", "ID", isRequired: true), parent,
                field("role", ["enum": "AmplifyAIConversationParticipantRole"]),
                field("content", ["nonModel": "AmplifyAIContentBlock"], isArray: true), field("aiContext", "AWSJSON"),
                field(
                    "toolConfiguration", ["nonModel": "AmplifyAIToolConfiguration"], isArray: true,
                    isArrayNullable: true),
                timestamp("createdAt"), timestamp("updatedAt"),
            ], properties: ["subscriptions": [:]])
    }

    private func model(_ name: String, _ fields: [JSONObject], properties: JSONValue) -> JSONValue {
        [
            "name": .string(name),
            "fields": .object(JSONObject(fields.map { ($0["name"]?.string ?? "", .object($0)) })),
            "syncable": true,
            "pluralName": .string(Plural.of(name)),
            "attributes": [["type": "model", "properties": properties], Self.rule],
            "primaryKeyInfo": ["isCustomPrimaryKey": false, "primaryKeyFieldName": "id", "sortKeyFieldNames": []],
        ]
    }

    private static let rule: JSONValue = [
        "type": "auth",
        "properties": [
            "rules": [
                [
                    "provider": "userPools", "ownerField": "owner", "allow": "owner",
                    "identityClaim": "cognito:username", "operations": ["create", "update", "delete", "read"],
                ]
            ]
        ],
    ]

    private func timestamp(_ name: String) -> JSONObject {
        var field = field(name, "AWSDateTime")
        field["isReadOnly"] = true
        return field
    }

    private func field(
        _ name: String, _ type: JSONValue, isRequired: Bool = false, isArray: Bool = false, isArrayNullable: Bool? = nil
    ) -> JSONObject {
        var field = JSONObject()
        field["name"] = .string(name)
        field["type"] = type
        field["attributes"] = .array([])
        field["isArray"] = .bool(isArray)
        field["isRequired"] = .bool(isRequired)
        field["isArrayNullable"] = isArrayNullable.map { .bool($0) }
        return field
    }
}
