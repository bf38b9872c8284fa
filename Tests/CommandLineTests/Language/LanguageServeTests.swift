import Foundation
import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import homeport

/// Bedrock's runtime over sockets, as SDKs call it, and the fields of a schema that a model answers.
@Suite("Models of language, served")
struct LanguageServeTests {
    private static func call(
        _ operation: String, _ body: String, to server: HomeportProcess, model: String = "maker.model-v1%3A0"
    ) -> SignedCall {
        var call = SignedCall("", body, to: server)
        call.service = "bedrock"
        call.hasTarget = false
        call.contentType = "application/json"
        call.signed = ["content-type", "host", "x-amz-date"]
        call.path = "/model/\(model)/\(operation)"
        return call
    }

    /// The same as it is signed: what is encoded in a path, once more.
    private static func answer(
        _ operation: String, _ body: String, from server: HomeportProcess
    ) throws -> (status: Int, head: String, body: String) {
        var call = call(operation, body, to: server)
        let path = call.path
        call.path = path.replacing("%", with: "%25")
        return try call.answer(from: server) { $0.path = path }
    }

    private static let hi = #"{"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#

    @Test("without anything set up a stand-in answers, and says that it is one")
    func standIn() throws {
        let server = try HomeportProcess()
        let answer = try Self.answer("converse", Self.hi, from: server)
        #expect(answer.status == 200 && answer.body.contains("This is a stand-in"), "\(answer)")
        #expect(answer.body.contains(#""stopReason":"end_turn""#) && answer.body.contains(#""totalTokens":"#))
        let stream = try Self.answer("converse-stream", Self.hi, from: server)
        #expect(stream.status == 200 && stream.head.contains("application/vnd.amazon.eventstream"))
        let invoked = try Self.answer(
            "invoke", #"{"anthropic_version":"x","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}"#,
            from: server)
        #expect(invoked.status == 200 && invoked.body.contains(#""type":"message""#), "\(invoked)")
    }

    @Test("who is not let in, and what is wrong, is told as the service words it")
    func refusals() throws {
        let server = try HomeportProcess()
        let rows: [(name: String, status: Int, type: String, change: (inout SignedCall) -> Void)] = [
            ("a wrong secret", 403, "InvalidSignatureException", { $0.secret = "x" }),
            ("an unknown key", 403, "UnrecognizedClientException", { $0.accessKeyID = "x" }),
            ("no JSON", 400, "ValidationException", { $0.body = "{" }),
            ("no messages", 400, "ValidationException", { $0.body = "{}" }),
            (
                "an unknown block", 400, "ValidationException",
                {
                    $0.body = #"{"messages":[{"role":"user","content":[{"video":{}}]}]}"#
                }
            ),
            ("an unknown operation", 404, "UnknownOperationException", { $0.path = "/model/m/count-tokens" }),
        ]
        for row in rows {
            var call = Self.call("converse", Self.hi, to: server, model: "m")
            row.change(&call)
            let answer = try call.answer(from: server)
            #expect(answer.status == row.status, "\(row.name): \(answer)")
            #expect(answer.head.lowercased().contains("x-amzn-errortype: \(row.type.lowercased())"), "\(row.name)")
        }
        var unsigned = Self.call("converse", Self.hi, to: server, model: "m")
        unsigned.isSigned = false
        #expect(try unsigned.answer(from: server).status == 403)

        // More than may be is not waited for.
        let client = try RawClient(port: server.port)
        try client.send(
            "POST /model/m/converse HTTP/1.1\r\nhost: localhost\r\ncontent-length: 26214401\r\nauthorization: AWS4-HMAC-SHA256 "
                + "Credential=local/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=0\r\n\r\n")
        let tooLong = try client.readAnswer()
        #expect(
            tooLong.head.contains(" 413 ") && tooLong.head.contains("x-amzn-errortype: ValidationException"),
            "\(tooLong)")
    }

    @Test("an error of the model's has its own status before a stream has begun")
    func rules() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"{"rules": [{"prompt": "hi", "error": {"type": "ThrottlingException", "message": "slow"}}]}"#, to: "r.json"
        )
        let server = try HomeportProcess(environment: ["HOMEPORT_BEDROCK_RULES": "r.json"], in: folder)
        for operation in ["converse", "converse-stream"] {
            let answer = try Self.answer(operation, Self.hi, from: server)
            #expect(answer.status == 429 && answer.body.contains("slow"), "\(operation): \(answer)")
        }
        // It is read for each request.
        try folder.write(#"{"rules": [{"text": "now"}]}"#, to: "r.json")
        #expect(try Self.answer("converse", Self.hi, from: server).body.contains(#"{"text":"now"}"#))
    }

    // MARK: Fields of a schema

    private static let resource = """
        import { type ClientSchema, a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({
          Trip: a.model({ destination: a.string().required() }).authorization((allow) => [allow.owner()]),
          Plan: a.customType({ title: a.string().required(), stops: a.string().array() }),
          chat: a.conversation({
            aiModel: a.ai.model('Claude 3.5 Haiku'), systemPrompt: 'You are careful.',
            tools: [a.ai.dataTool({ name: 'list_trips', description: 'Trips', model: a.ref('Trip'), modelOperation: 'list' })],
          }).authorization((allow) => allow.owner()),
          plan: a.generation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'Plan a trip.' })
            .arguments({ wish: a.string() }).returns(a.ref('Plan')).authorization((allow) => allow.authenticated()),
          word: a.generation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'One word.' })
            .returns(a.string()).authorization((allow) => allow.authenticated()),
        });
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'userPool' } });
        """

    private static let rules = #"""
        {"rules": [
          {"system": "Plan", "toolUse": {"name": "responseType", "input": {"value": {"title": "Rome", "stops": ["Forum"]}}}},
          {"system": "One word", "text": "no tool"},
          {"afterTool": "list_trips", "prompt": "Atlantis", "text": "leaked"},
          {"afterTool": "list_trips", "prompt": "Rome", "chunks": ["You go", " to Rome."]},
          {"afterTool": "list_trips", "text": "No trips."},
          {"prompt": "trips", "toolUse": {"name": "list_trips", "input": {}}},
          {"prompt": "boom", "error": {"type": "ThrottlingException", "message": "slow"}},
          {"text": "Hello."}
        ]}
        """#

    /// What a part of an answer brings that subscribers get.
    private static let part =
        "id owner conversationId associatedUserMessageId contentBlockIndex contentBlockText contentBlockDeltaIndex "
        + "contentBlockDoneAtIndex contentBlockToolUse { toolUseId name input } stopReason errors { message errorType } p"

    private struct Follower: ~Copyable {
        private var client: WebSocketClient

        init(_ conversation: String, _ token: String, _ server: HomeportProcess) throws {
            var client = try WebSocketClient(
                port: server.port, path: "/graphql", protocols: ["graphql-ws"], fields: [("authorization", token)])
            try client.send(#"{"type":"connection_init"}"#)
            for _ in 1...2 { _ = try client.next(until: .now + .seconds(60)) }
            let field = "onCreateAssistantResponseChat(conversationId: \"\(conversation)\")"
            let query = "subscription { \(field) { \(part) } }"
            let data = JSONWriter.text(of: ["query": .string(query)])
            let message: JSONValue = ["id": "1", "type": "start", "payload": ["data": .string(data)]]
            try client.send(JSONWriter.text(of: message))
            let answer = try client.next(until: .now + .seconds(60))
            #expect(answer == .text(#"{"id":"1","type":"start_ack"}"#), "\(answer)")
            self.client = client
        }

        /// Whether nothing has come before the end of the subscription.
        mutating func hearsNothing() throws -> Bool {
            try client.send(#"{"id":"1","type":"stop"}"#)
            return try client.next(until: .now + .seconds(60)) == .text(#"{"id":"1","type":"complete"}"#)
        }

        /// The parts up to the end of a turn.
        mutating func turn() throws -> [JSONValue] {
            var parts: [JSONValue] = []
            while true {
                guard case .text(let text) = try client.next(until: .now + .seconds(60)) else { return parts }
                let value = try JSONReader.value(of: text)
                guard let part = value["payload"]?["data"]?["onCreateAssistantResponseChat"] else {
                    Issue.record("\(text)")
                    return parts
                }
                parts.append(part)
                if part["stopReason"]?.string != nil || part["errors"]?.array != nil { return parts }
            }
        }
    }

    private struct Bench {
        let server: HomeportProcess
        private let folder: TemporaryFolder

        private let database: String?

        /// - Parameter database: that of several servers, of which this is one.
        init(at database: String? = nil) throws {
            folder = TemporaryFolder()
            self.database = database
            try folder.write(resource, to: "amplify/data/resource.ts")
            try folder.write(rules, to: "rules.json")
            let rules = ["HOMEPORT_BEDROCK_RULES": "rules.json"]
            server = try HomeportProcess(
                database.map { ["--database", $0] } ?? [],
                environment: database == nil ? rules : NodeTests.environment.merging(rules) { $1 }, schema: nil,
                in: folder)
        }

        func token(_ name: String) throws -> String {
            if let database {
                let output = folder.file("token.txt")
                let process = try ChildProcess(
                    [HomeportProcess.program, "token", "--username", name, "--database", database],
                    environment: ["PATH": "/usr/bin:/bin"].merging(NodeTests.environment) { $1 }, in: folder.path,
                    output: .file(output), errors: .file(folder.file("token-errors.txt")))
                #expect(process.wait().status == 0, "\(folder.read("token-errors.txt"))")
                return folder.read("token.txt").trimmingCharacters(in: .whitespacesAndNewlines)
            }
            return try ProgramRun.outcome(["token", "--username", name], in: folder).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func ask(_ query: String, _ token: String) throws -> JSONValue {
            try JSONReader.value(of: server.answer(to: query, fields: ["authorization: \(token)"]))
        }

        func send(_ text: String, in conversation: String, _ token: String) throws -> JSONValue {
            try ask(
                "mutation { chat(conversationId: \"\(conversation)\", content: [{text: \"\(text)\"}], toolConfiguration: {tools: []}) "
                    + "{ id conversationId role content { text } createdAt } }", token)
        }
    }

    @Test("a generation is the value of a tool that its model has to use")
    func generations() throws {
        let bench = try Bench()
        let ann = try bench.token("ann")
        #expect(
            try bench.ask(#"{ plan(wish: "w") { title stops } }"#, ann)["data"]?["plan"]
                == ["title": "Rome", "stops": ["Forum"]])
        let failed = try bench.ask("{ word }", ann)
        #expect(failed["data"]?["word"]?.isNull == true)
        #expect(failed["errors"]?[0]?["errorType"] == "InvalidResponseException")
        #expect(failed["errors"]?[0]?["message"] == "Invalid Bedrock response")
    }

    @Test("a conversation answers word by word, with tools that see what its owner sees")
    func conversations() throws {
        let bench = try Bench()
        let (ann, bob) = (try bench.token("ann"), try bench.token("bob"))
        for (owner, place) in [(ann, "Rome"), (bob, "Atlantis")] {
            let made = try bench.ask(#"mutation { createTrip(input: {destination: "\#(place)"}) { id } }"#, owner)
            #expect(made["errors"] == nil, "\(made)")
        }
        let made = try bench.ask("mutation { createConversationChat(input: {}) { id updatedAt } }", ann)
        let id = try #require(made["data"]?["createConversationChat"]?["id"]?.string, "\(made)")
        var follower = try Follower(id, ann, bench.server)
        // Who names another's conversation hears nothing of it.
        var other = try Follower(id, bob, bench.server)

        let sent = try bench.send("my trips?", in: id, ann)
        let message = try #require(sent["data"]?["chat"], "\(sent)")
        #expect(sent["errors"] == nil && message["role"] == "user" && message["content"]?[0]?["text"] == "my trips?")
        let parts = try follower.turn()
        #expect(parts.compactMap { $0["contentBlockText"]?.string } == ["You go", " to Rome."], "\(parts)")
        #expect(parts.last?["stopReason"] == "end_turn")
        #expect(
            parts.allSatisfy { $0["associatedUserMessageId"] == message["id"] && $0["conversationId"]?.string == id })

        let list =
            "{ listConversationMessageChats(filter: {conversationId: {eq: \"\(id)\"}}) { items { id role content { text } associatedUserMessageId } nextToken } }"
        let items = try bench.ask(list, ann)["data"]?["listConversationMessageChats"]?["items"]?.array ?? []
        #expect(items.map { $0["role"]?.string } == ["user", "assistant"], "\(items)")
        #expect(items.last?["content"] == [["text": "You go to Rome."]])
        #expect(items.last?["id"]?.string == (message["id"]?.string).map { "\($0)#response" })
        // Others see none of it, and say nothing in it.
        #expect(try bench.ask(list, bob)["data"]?["listConversationMessageChats"]?["items"] == [])
        #expect(try bench.send("hi", in: id, bob)["errors"]?[0]?["errorType"] == "ResourceNotFound")
        let forged = try bench.ask(
            "mutation { createAssistantResponseStreamChat(input: {conversationId: \"\(id)\", associatedUserMessageId: \"x\", contentBlockText: \"forged\"}) { id } }",
            bob)
        #expect(forged["errors"]?[0]?["errorType"] == "ResourceNotFound", "\(forged)")

        // Another's answer is not written over from a conversation of one's own.
        let own = try bench.ask("mutation { createConversationChat(input: {}) { id } }", bob)
        let ownID = own["data"]?["createConversationChat"]?["id"]?.string ?? ""
        let written = try bench.ask(
            "mutation { createAssistantResponseStreamChat(input: {conversationId: \"\(ownID)\", associatedUserMessageId: \"\(message["id"]?.string ?? "")\", stopReason: \"end_turn\", accumulatedTurnContent: [{text: \"mine\"}]}) { id } }",
            bob)
        #expect(written["errors"]?[0]?["errorType"] == "ResourceNotFound", "\(written)")
        #expect(try bench.ask(list, ann)["data"]?["listConversationMessageChats"]?["items"]?[1] == items.last)

        _ = try bench.send("boom", in: id, ann)
        #expect(
            try follower.turn().last?["errors"] == [["message": "slow", "errorType": "ThrottlingException"]])
        _ = try bench.send("hello", in: ownID, bob)
        _ = try bench.send("thanks", in: id, ann)
        #expect(try follower.turn().compactMap { $0["contentBlockText"]?.string }.joined() == "Hello.")
        #expect(try other.hearsNothing())
    }

    @Test(
        "on several servers the one that is asked takes the turn, and whoever listens at another one gets its words",
        .enabled(if: PostgresServer.isInstalled, PostgresServer.absence))
    func nodes() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodelanguage")
        let (here, there) = (try Bench(at: url), try Bench(at: url))
        let ann = try here.token("ann")
        for bench in [here, there] {
            #expect(
                try bench.ask(#"{ plan(wish: "w") { title stops } }"#, ann)["data"]?["plan"]
                    == ["title": "Rome", "stops": ["Forum"]])
        }
        _ = try here.ask(#"mutation { createTrip(input: {destination: "Rome"}) { id } }"#, ann)
        let made = try there.ask("mutation { createConversationChat(input: {}) { id } }", ann)
        let id = try #require(made["data"]?["createConversationChat"]?["id"]?.string, "\(made)")
        var first = try Follower(id, ann, here.server)
        var second = try Follower(id, ann, there.server)
        for bench in [here, there] {
            let sent = try bench.send("my trips?", in: id, ann)
            #expect(sent["errors"] == nil, "\(sent)")
            let parts = try first.turn()
            #expect(parts.compactMap { $0["contentBlockText"]?.string } == ["You go", " to Rome."], "\(parts)")
            #expect(try second.turn() == parts)
        }
        let list = "{ listConversationMessageChats(filter: {conversationId: {eq: \"\(id)\"}}) { items { role } } }"
        let items = try here.ask(list, ann)["data"]?["listConversationMessageChats"]?["items"]?.array ?? []
        #expect(items.compactMap { $0["role"]?.string }.sorted() == ["assistant", "assistant", "user", "user"])
    }

    @Test("a function that takes the turns gets Amplify's event, and brings its answer by a mutation")
    func handler() async throws {
        let function = CollectingService()
        try await function.run { url in
            try await BlockingThread.run {
                let folder = TemporaryFolder()
                try folder.write(
                    Self.resource.replacing(
                        "systemPrompt: 'You are careful.',",
                        with: "systemPrompt: 'You are careful.', handler: defineFunction({ name: 'talk' }),"
                    ).replacing("a, defineData }", with: "a, defineData, defineFunction }"),
                    to: "amplify/data/resource.ts")
                try folder.write(
                    #"{"functions": {"talk": {"url": "\#(url)"}}}"#, to: "homeport.json")
                let server = try HomeportProcess(["--config", "homeport.json"], schema: nil, in: folder)
                let token = try ProgramRun.outcome(
                    ["token", "--config", "homeport.json", "--username", "ann"], in: folder
                ).output.trimmingCharacters(in: .whitespacesAndNewlines)
                func ask(_ query: String) throws -> JSONValue {
                    try JSONReader.value(of: server.answer(to: query, fields: ["authorization: \(token)"]))
                }
                _ = try ask(#"mutation { createConversationChat(input: {id: "c"}) { id } }"#)
                let sent = try ask(
                    #"mutation { chat(conversationId: "c", content: [{text: "x"}], toolConfiguration: {tools: [{toolSpec: {name: "pick", inputSchema: {json: "{\"type\":\"object\"}"}}}]}) { id } }"#
                )
                let id = try #require(sent["data"]?["chat"]?["id"]?.string, "\(sent)")
                let call = try function.next()
                let event = try JSONReader.value(of: call.body)
                #expect(event["conversationId"] == "c" && event["currentMessageId"]?.string == id)
                #expect(
                    event["streamResponse"] == true && event["request"]?["headers"]?["authorization"]?.string == token)
                #expect(event["graphqlApiEndpoint"]?.string == "http://127.0.0.1:\(server.port)/graphql")
                #expect(event["modelConfiguration"]?["systemPrompt"] == "You are careful.")
                #expect(event["responseMutation"]?["name"] == "createAssistantResponseStreamChat")
                #expect(
                    event["messageHistoryQuery"]?["listQueryInputTypeName"] == "ModelConversationMessageChatFilterInput"
                )
                let tool = event["toolsConfiguration"]?["dataTools"]?[0]
                #expect(tool?["graphqlRequestInputDescriptor"]?["queryName"] == "listTrips")
                #expect(
                    tool?["graphqlRequestInputDescriptor"]?["propertyTypes"] == ["filter": "ModelTripFilterInput"])
                #expect(
                    tool?["inputSchema"]?["json"]?["properties"]?["filter"]?["$ref"] == "#/$defs/ModelTripFilterInput")
                #expect(event["toolsConfiguration"]?["clientTools"]?[0]?["name"] == "pick")
                let mutation = event["responseMutation"]
                let answer = try ask(
                    "mutation { \(mutation?["name"]?.string ?? "")(input: {conversationId: \"c\", associatedUserMessageId: \"\(id)\", contentBlockIndex: 0, stopReason: \"end_turn\", accumulatedTurnContent: [{text: \"yes\"}]}) { \(mutation?["selectionSet"]?.string ?? "") } }"
                )
                #expect(answer["errors"] == nil, "\(answer)")
                let messages = try ask(
                    "{ getConversationChat(id: \"c\") { messages { items { role content { text } } } } }")
                #expect(
                    messages["data"]?["getConversationChat"]?["messages"]?["items"]?[1]
                        == ["role": "assistant", "content": [["text": "yes"]]])
            }
        }
    }

    @Test("the last messages of a conversation come first by pages, each in its order")
    func pages() throws {
        let bench = try Bench()
        let ann = try bench.token("ann")
        for id in ["c1", "c2"] {
            _ = try bench.ask("mutation { createConversationChat(input: {id: \"\(id)\"}) { id } }", ann)
            for number in 1...5 {
                let made = try bench.ask(
                    "mutation { createConversationMessageChat(input: {conversationId: \"\(id)\", role: user, content: [{text: \"\(id)-\(number)\"}]}) { id } }",
                    ann)
                #expect(made["errors"] == nil, "\(made)")
            }
        }
        func page(_ token: String?) throws -> (texts: [String], next: String?) {
            let place = token.map { ", nextToken: \"\($0)\"" } ?? ""
            let answer = try bench.ask(
                "{ listConversationMessageChats(filter: {conversationId: {eq: \"c1\"}}, limit: 2\(place)) { items { content { text } } nextToken } }",
                ann)
            let list = answer["data"]?["listConversationMessageChats"]
            let texts = (list?["items"]?.array ?? []).compactMap { $0["content"]?[0]?["text"]?.string }
            return (texts, list?["nextToken"]?.string)
        }
        let first = try page(nil)
        #expect(first.texts == ["c1-4", "c1-5"])
        let second = try page(first.next)
        #expect(second.texts == ["c1-2", "c1-3"])
        #expect(try page(second.next).texts == ["c1-1"])
    }
}
