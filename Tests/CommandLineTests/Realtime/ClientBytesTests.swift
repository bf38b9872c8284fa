import Foundation
import JSON
import Network
import TestSupport
import Testing

@testable import homeport

/// What real clients send, byte for byte, and what keeps them alive.
@Suite("Literal messages of clients")
struct ClientBytesTests {
    private static let schema = """
        type Note @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! text: String }
        type Item @model @auth(rules: [{ allow: public }]) {
          id: ID! list: String! place: Int! name: String note: String done: Boolean
        }
        """

    /// The handshake of amplify-js: what proves the caller is a subprotocol.
    private static func connect(_ server: HomeportProcess, _ authorization: String) throws -> WebSocketClient {
        let header = Data(authorization.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        var client = try WebSocketClient(
            port: server.port, path: "/graphql/realtime", protocols: ["graphql-ws", "header-\(header)"])
        try client.send(#"{"type":"connection_init"}"#)
        for beginning in [#"{"type":"connection_ack""#, #"{"type":"ka"}"#] {
            guard case .text(let text) = try client.next(until: .now + .seconds(30)), text.hasPrefix(beginning) else {
                throw WebSocketClient.Failure(description: "no \(beginning)")
            }
        }
        return client
    }

    private static func start(_ id: String, _ data: String, _ authorization: String) -> String {
        let text = JSONWriter.text(of: .string(data))
        return
            #"{"id":"\#(id)","type":"start","payload":{"data":\#(text),"extensions":{"authorization":\#(authorization)}}}"#
    }

    private static let onCreateNote = #"{"query":"subscription {\n  onCreateNote {\n    id\n  }\n}\n","variables":{}}"#

    private static func token(_ life: String, in folder: TemporaryFolder) throws -> String {
        let outcome = try ProgramRun.outcome(["token", "--username", "ann", "--expires", life], in: folder)
        try #require(outcome.code == .success, "\(outcome.diagnostics)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    @Test("amplify-js outlives its token: the socket is closed, and the next one shows the new token")
    func tokenEnds() throws {
        let server = try HomeportProcess(schema: Self.schema)
        let brief = #"{"Authorization":"\#(try Self.token("10s", in: server.folder))","host":"localhost"}"#
        var client = try Self.connect(server, brief)
        try client.send(Self.start("1", Self.onCreateNote, brief))
        try client.send(Self.start("2", Self.onCreateNote, #"{"x-api-key":"da2-fakeApiId123456"}"#))
        var said: [String] = []
        var end: WebSocketCloseCode?
        loop: while true {
            switch try client.next(until: .now + .seconds(60)) {
            case .text(let text): said.append(text)
            case .end(let code):
                end = code
                break loop
            case .silence: break loop
            }
        }
        #expect(said == [#"{"id":"1","type":"start_ack"}"#, #"{"id":"2","type":"start_ack"}"#])
        #expect(end == .policyViolation)
        let fresh = #"{"Authorization":"\#(try Self.token("1h", in: server.folder))","host":"localhost"}"#
        var again = try Self.connect(server, fresh)
        try again.send(Self.start("1", Self.onCreateNote, fresh))
        #expect(try again.next(until: .now + .seconds(30)) == .text(#"{"id":"1","type":"start_ack"}"#))
        _ = try server.answer(to: #"mutation { createNote(input: { id: "n" }) { id } }"#)
        #expect(
            try again.next(until: .now + .seconds(30))
                == .text(#"{"id":"1","type":"data","payload":{"data":{"onCreateNote":{"id":"n"}}}}"#))
    }

    private static func filtered(_ filter: String) -> String {
        #"{"query":"subscription operation($filter: ModelSubscriptionItemFilterInput) {\n  onCreateItem(filter: $filter) {\n    id\n  }\n}\n","variables":{"filter":\#(filter)}}"#
    }

    @Test(
        "DataStore reads in the error that its filter is too big, and subscribes without one",
        arguments: [
            (
                #"{"or":[\#((0...10).map { #"{"place":{"eq":\#($0)}}"# }.joined(separator: ","))]}"#,
                "Filters combination exceed maximum limit 10 for subscription."
            ),
            (
                #"{"and":[{"place":{"lt":1}},{"name":{"beginsWith":"a"}},{"list":{"ne":"a"}},{"note":{"ne":"b"}},{"done":{"ne":true}},{"id":{"ne":"x"}}]}"#,
                "Filters exceed maximum attributes limit 5 for subscription."
            ),
        ])
    func filters(_ row: (filter: String, message: String)) throws {
        let server = try HomeportProcess(schema: Self.schema)
        let key = #"{"host":"localhost","x-amz-date":"20261122T120000Z","x-api-key":"da2-fakeApiId123456"}"#
        var client = try Self.connect(server, key)
        try client.send(Self.start("1", Self.filtered(row.filter), key))
        #expect(
            try client.next(until: .now + .seconds(30))
                == .text(
                    #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"BadRequestException","message":"\#(row.message)"}]}}"#
                ))
        try client.send(Self.start("1", Self.filtered("null"), key))
        #expect(try client.next(until: .now + .seconds(30)) == .text(#"{"id":"1","type":"start_ack"}"#))
    }

    @Test("DataStore starts all its subscriptions once more after it has come back")
    func startsAgain() throws {
        let server = try HomeportProcess(schema: Self.schema)
        // amplify-js writes the time into each.
        func key(_ time: String) -> String {
            #"{"host":"localhost","x-amz-date":"20261122T\#(time)Z","x-api-key":"da2-fakeApiId123456","x-amz-user-agent":"aws-amplify/6.22.1"}"#
        }
        var client = try Self.connect(server, key("120000"))
        for time in ["120000", "120013"] {
            try client.send(Self.start("1", Self.onCreateNote, key(time)))
            #expect(try client.next(until: .now + .seconds(30)) == .text(#"{"id":"1","type":"start_ack"}"#))
        }
        // A token of somebody else is another caller.
        let ann = #"{"Authorization":"\#(try Self.token("1h", in: server.folder))","host":"localhost"}"#
        try client.send(Self.start("1", Self.onCreateNote, ann))
        #expect(
            try client.next(until: .now + .seconds(30))
                == .text(
                    #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"DuplicatedOperationError","message":"Duplicated operation with id 1"}]}}"#
                ))
        _ = try server.answer(to: #"mutation { createNote(input: { id: "n" }) { id } }"#)
        try client.send(#"{"id":"1","type":"stop"}"#)
        #expect(
            try client.next(until: .now + .seconds(30))
                == .text(#"{"id":"1","type":"data","payload":{"data":{"onCreateNote":{"id":"n"}}}}"#))
        #expect(try client.next(until: .now + .seconds(30)) == .text(#"{"id":"1","type":"complete"}"#))
    }

    @Test("the documents of Amplify's guide for the API plug-in ask for a record by an input")
    func guide() throws {
        let server = try HomeportProcess(schema: Self.schema)
        _ = try server.answer(to: #"mutation { createNote(input: { id: "n", text: "t" }) { id } }"#)
        let client = try RawClient(port: server.port)
        let query =
            "query getNote($input: GetNoteInput!) {\\n  getNote(input: $input) {\\n    id\\n    text\\n  }\\n}"
        let body = #"{"variables":{"input":{"id":"n"}},"query":"\#(query)"}"#
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(ClientScript.key)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(try client.readAnswer().body == #"{"data":{"getNote":{"id":"n","text":"t"}}}"#)
    }

    @Test("a subscription that the schema has no root for is refused in AppSync's words, over sockets and HTTP")
    func missingRoot() throws {
        let server = try HomeportProcess(
            schema:
                "type Note @model(subscriptions: null) @auth(rules: [{ allow: public }]) { id: ID! text: String }")
        let key = #"{"host":"localhost","x-api-key":"da2-fakeApiId123456"}"#
        var client = try Self.connect(server, key)
        try client.send(Self.start("1", Self.onCreateNote, key))
        #expect(
            try client.next(until: .now + .seconds(30))
                == .text(
                    #"{"id":"1","type":"error","payload":{"errors":[{"message":"Schema is not configured for subscriptions."}]}}"#
                ))
        #expect(
            try server.answer(to: "subscription { onCreateNote { id } }")
                == #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":1,"sourceName":null}],"message":"Schema is not configured for subscriptions."}]}"#
        )
    }
}
