import Access
import Blueprint
import Crypto
import GraphQL
import JSON
import Store

/// What a mutation of a conversation does: it begins a turn, or brings an answer.
///
///     send ─▶ conversation is the caller's ─▶ message written ─▶ turn begun ─▶ the message
///     part ─▶ conversation is the caller's ─▶ what is whole is written ─▶ the part, which is an event
///
/// Conversations are looked at by requests of the caller's, so that the rules of the models decide.
struct ConversationCall: Sendable {
    private let conversation: Conversation
    private let step: Conversation.Step
    private let tools: JSONValue
    private let names: (get: String, update: String, list: String, getMessage: String)

    /// How long an id may be that somebody gives.
    private static let identifierBytesMax = 1_024
    /// As long as padding may be: it hides how long a word is.
    private static let paddingMax = 36

    static let partSelection =
        "associatedUserMessageId contentBlockDeltaIndex contentBlockDoneAtIndex contentBlockIndex contentBlockText "
        + "contentBlockToolUse { toolUseId name input } conversationId id stopReason owner errors { errorType message } p"

    init(_ conversation: Conversation, _ step: Conversation.Step, in schema: Schema, _ blueprint: Blueprint) {
        self.conversation = conversation
        self.step = step
        tools = step == .send ? ConversationTools(schema, blueprint).tools(of: conversation) : .null
        let (model, message) = (conversation.modelName, conversation.messageName)
        let (models, messages) = (
            blueprint.model(named: model)?.operations, blueprint.model(named: message)?.operations
        )
        names = (
            models?.get ?? "get\(model)", models?.update ?? "update\(model)", messages?.list ?? "list\(message)s",
            messages?.get ?? "get\(message)"
        )
    }

    func outcome(
        of call: FieldCall, over outside: any OutsideService, _ directory: FunctionDirectory
    ) async throws(CallFailure) -> FieldOutcome {
        guard let requests = call.requests, let owner = requests.requester.identity.token?.subject else {
            throw CallFailure(
                "Not Authorized to access \(conversation.field) on type Mutation", type: "Unauthorized")
        }
        guard let record = MessageRecord(conversation, of: requests.engine, owner: owner) else {
            throw CallFailure(
                "\(conversation.field) cannot be answered: its messages have versions of conflict detection",
                type: "NotImplemented")
        }
        switch step {
        case .send: return try await send(call, requests, record, outside, directory)
        case .answer: return .value(try await answer(call, requests, record))
        case .streamedAnswer: return .value(try await part(call, requests, record, owner: owner))
        }
    }

    // MARK: A message of the user's

    private func send(
        _ call: FieldCall, _ requests: CallerRequests, _ record: MessageRecord, _ outside: any OutsideService,
        _ directory: FunctionDirectory
    ) async throws(CallFailure) -> FieldOutcome {
        let id = try identifier(call.arguments["conversationId"])
        // It is used now, as its time says.
        let named: JSONValue = ["id": .string(id)]
        let touched = await requests.answer(
            "mutation Touch($input: Update\(conversation.modelName)Input!) { \(names.update)(input: $input) { id } }",
            JSONObject([("input", named)]))
        guard touched["errors"] == nil, touched["data"]?[names.update]?["id"] != nil else { throw Self.notFound }
        var values = JSONObject([("conversationId", .string(id)), ("role", "user")])
        for name in ["content", "aiContext", "toolConfiguration"] { values[name] = call.arguments[name] }
        let message = try await record.write(values, id: nil)
        var errors: [GraphQLError] = []
        do throws(CallFailure) {
            try begin(turn(for: message, in: id, call, directory), requests, outside, directory)
        } catch {
            errors.append(call.error(error))
        }
        return .value(.object(message), errors: errors)
    }

    /// The event that says what a turn is about.
    private func turn(
        for message: JSONObject, in id: String, _ call: FieldCall, _ directory: FunctionDirectory
    ) -> JSONValue {
        let settings = conversation.assistant
        var model = JSONObject([
            ("modelId", .string(settings.model)), ("systemPrompt", .string(settings.systemPrompt)),
        ])
        model["inferenceConfiguration"] = settings.inference ?? .object(JSONObject())
        let headers = call.caller.headers
        var shown = JSONObject()
        for name in ["authorization", "x-amz-user-agent"] { shown[name] = headers[name] }
        let offered = call.arguments["toolConfiguration"]?["tools"]?.array ?? []
        var configuration = JSONObject()
        if tools.array?.isEmpty == false { configuration["dataTools"] = tools }
        if !offered.isEmpty { configuration["clientTools"] = .array(offered.compactMap { $0["toolSpec"] }) }
        return [
            "conversationId": .string(id), "currentMessageId": message["id"] ?? .null, "streamResponse": true,
            "responseMutation": [
                "name": .string(conversation.streamedAnswer),
                "inputTypeName": .string(conversation.streamedAnswerInput),
                "selectionSet": .string(Self.partSelection),
            ],
            "graphqlApiEndpoint": .string(directory.assistants?.endpoint ?? ""),
            "modelConfiguration": .object(model), "request": ["headers": .object(shown)],
            "messageHistoryQuery": [
                "getQueryName": .string(names.getMessage), "getQueryInputTypeName": "ID",
                "listQueryName": .string(names.list),
                "listQueryInputTypeName": .string("Model\(conversation.messageName)FilterInput"),
            ],
            "toolsConfiguration": .object(configuration),
        ]
    }

    /// Begins a turn that nobody waits for.
    private func begin(
        _ turn: JSONValue, _ requests: CallerRequests, _ outside: any OutsideService, _ directory: FunctionDirectory
    ) throws(CallFailure) {
        if let handler = directory.handler(of: conversation) {
            return try FunctionCalls.begin(
                handler, for: conversation.field, JSONWriter.bytes(of: turn), over: outside, directory)
        }
        guard let assistants = directory.assistants else {
            throw CallFailure("Nobody here takes turns of conversations", type: "NotImplemented")
        }
        guard assistants.beginTurn() else {
            throw CallFailure(
                "Too many turns of conversations are under way: try again later",
                type: "Lambda:TooManyRequestsException")
        }
        requests.shard.begin { await assistants.take(turn, by: requests) }
    }

    // MARK: Answers

    private func answer(
        _ call: FieldCall, _ requests: CallerRequests, _ record: MessageRecord
    ) async throws(CallFailure) -> JSONValue {
        let input = call.arguments["input"]
        let id = try await checked(input, requests)
        var values = JSONObject([("conversationId", .string(id)), ("role", "assistant")])
        for name in ["content", "associatedUserMessageId"] { values[name] = input?[name] }
        return .object(try await record.write(values, id: nil))
    }

    private func part(
        _ call: FieldCall, _ requests: CallerRequests, _ record: MessageRecord, owner: String
    ) async throws(CallFailure) -> JSONValue {
        let input = call.arguments["input"]
        let id = try await checked(input, requests)
        let message = try identifier(input?["associatedUserMessageId"])
        if let errors = input?["errors"], !errors.isNull {
            return [
                "id": .string("\(message)#response"), "conversationId": .string(id),
                "associatedUserMessageId": .string(message), "errors": errors, "owner": .string(owner),
            ]
        }
        // A word more is told to those who listen; what is kept is kept when a block is whole.
        if let content = input?["accumulatedTurnContent"], !content.isNull, input?["contentBlockText"]?.isNull ?? true {
            let values = JSONObject([
                ("conversationId", .string(id)), ("associatedUserMessageId", .string(message)), ("role", "assistant"),
                ("content", content),
            ])
            _ = try await record.write(values, id: "\(message)#response")
        }
        var part = input?.object ?? JSONObject()
        part.remove("accumulatedTurnContent")
        if let use = part["contentBlockToolUse"]?["toolUse"] { part["contentBlockToolUse"] = use }
        part["id"] = .string("\(message)#stream")
        part["owner"] = .string(owner)
        if part["p"]?.isNull ?? true { part["p"] = .string(Self.padding()) }
        return .object(part)
    }

    /// The conversation that an answer is for, if it is the caller's.
    private func checked(_ input: JSONValue?, _ requests: CallerRequests) async throws(CallFailure) -> String {
        let id = try identifier(input?["conversationId"])
        let found = await requests.answer(
            "query Find($id: ID!) { \(names.get)(id: $id) { id } }", JSONObject([("id", .string(id))]))
        guard found["errors"] == nil, found["data"]?[names.get]?["id"] != nil else { throw Self.notFound }
        return id
    }

    private static let notFound = CallFailure("Conversation not found", type: "ResourceNotFound")

    private func identifier(_ value: JSONValue?) throws(CallFailure) -> String {
        guard let id = value?.string, !id.isEmpty, id.utf8.count <= Self.identifierBytesMax else {
            throw Self.notFound
        }
        return id
    }

    private static func padding() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let count = RandomBytes.make(count: 1).first.map { Int($0) % paddingMax } ?? 0
        return String(decoding: letters.prefix(count), as: UTF8.self)
    }
}
