import Foundation
import TestSupport
import Testing

/// What a client library says on its WebSocket, and what it has to be told: the bytes of the handshake and the order of
/// members are the library's own.
struct ClientScript: Sendable, CustomTestStringConvertible {
    enum Dialect {
        case appSync
        /// The protocol of the same name that is older: no `start_ack`.
        case legacy
        case transport
    }

    let name: String
    let path: String
    let protocols: [String]
    var fields: [(name: String, value: String)] = []
    var dialect = Dialect.appSync
    let initial: String
    /// The text that begins the subscription.
    let start: String
    let stop: String
    let id: String

    var testDescription: String { name }

    static let key = "da2-fakeApiId123456"
    static let query = "subscription OnCreate { onCreateTodo { id name } }"
    private static let uuid = "5f0c7a9e-54d5-4d0a-8d0b-2f6e3f2f8c11"

    private static let credentials =
        #"{"host":"localhost:20002","x-amz-date":"20260101T120000Z","x-api-key":"\#(key)"}"#

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func base64URL(_ text: String) -> String {
        base64(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A JSON text as a JSON string.
    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static let data = quoted(#"{"query":"\#(query)","variables":{}}"#)

    static let all: [ClientScript] = [
        ClientScript(
            name: "amplify-js 6", path: "/graphql/realtime",
            protocols: ["graphql-ws", "header-\(base64URL(credentials))"],
            initial: #"{"type":"connection_init"}"#,
            start:
                #"{"id":"\#(uuid)","payload":{"data":\#(data),"extensions":{"authorization":{"x-api-key":"\#(key)","host":"localhost:20002","x-amz-date":"20260101T120000Z","x-amz-user-agent":"aws-amplify/6.15.0 api/1 framework/0"}}},"type":"start"}"#,
            stop: #"{"id":"\#(uuid)","type":"stop"}"#, id: uuid),
        ClientScript(
            name: "amplify-js 5", path: "/graphql?header=\(base64(credentials))&payload=\(base64("{}"))",
            protocols: ["graphql-ws"], initial: #"{"type":"connection_init"}"#,
            start:
                #"{"id":"\#(uuid)","payload":{"data":\#(data),"extensions":{"authorization":{"x-api-key":"\#(key)","x-amz-user-agent":"aws-amplify/5.3.0 js"}}},"type":"start"}"#,
            stop: #"{"id":"\#(uuid)","type":"stop"}"#, id: uuid),
        ClientScript(
            name: "amplify-swift 2", path: "/graphql/realtime", protocols: ["graphql-ws"],
            fields: [("x-api-key", key), ("x-amz-date", "20260101T120000Z"), ("User-Agent", "amplify-swift/2.45.0")],
            initial: #"{"type":"connection_init"}"#,
            start:
                #"{"type":"start","payload":{"extensions":{"authorization":{"x-api-key":"\#(key)","x-amz-date":"20260101T120000Z","host":"localhost"}},"data":\#(quoted(#"{"variables":{},"query":"\#(query)"}"#))},"id":"\#(uuid.uppercased())"}"#,
            stop: #"{"id":"\#(uuid.uppercased())","type":"stop"}"#, id: uuid.uppercased()),
        ClientScript(
            name: "amplify-android 2", path: "/graphql/realtime", protocols: ["graphql-ws"],
            fields: [("x-api-key", key), ("x-amz-date", "20260101T120000Z")],
            initial: #"{"type":"connection_init"}"#,
            start:
                #"{"id":"\#(uuid)","type":"start","payload":{"data":\#(quoted(#"{"query":"\#(query)","variables":{}}"#)),"extensions":{"authorization":{"x-api-key":"\#(key)","x-amz-date":"20260101T120000Z","host":"localhost"}}}}"#,
            stop: #"{"type":"stop","id":"\#(uuid)"}"#, id: uuid),
        ClientScript(
            name: "amplify-flutter 2", path: "/graphql/realtime?payload=e30%3D",
            protocols: ["graphql-ws", "header-\(base64URL(credentials))"],
            initial: #"{"type":"connection_init"}"#,
            start:
                #"{"id":"\#(uuid)","type":"start","payload":{"data":\#(quoted(#"{"variables":{},"query":"\#(query)"}"#)),"extensions":{"authorization":{"X-Api-Key":"\#(key)","Host":"localhost"}}}}"#,
            stop: #"{"id":"\#(uuid)","type":"stop"}"#, id: uuid),
        ClientScript(
            name: "gql 4", path: "/graphql?header=\(base64(credentials).replacing("=", with: "%3D"))&payload=e30=",
            protocols: ["graphql-ws"], initial: #"{"type":"connection_init","payload":{}}"#,
            start:
                #"{"id":"1","type":"start","payload":{"data":\#(quoted(#"{"query":"\#(query)"}"#)),"extensions":{"authorization":{"host":"localhost:20002","x-api-key":"\#(key)"}}}}"#,
            stop: #"{"id":"1","type":"stop","payload":{}}"#, id: "1"),
        ClientScript(
            name: "a client of the root path", path: "/", protocols: ["graphql-ws"], fields: [("x-api-key", key)],
            initial: #"{"type":"connection_init"}"#,
            start: #"{"id":"a","type":"start","payload":{"data":\#(data)}}"#,
            stop: #"{"id":"a","type":"stop"}"#, id: "a"),
        ClientScript(
            name: "subscriptions-transport-ws", path: "/graphql", protocols: ["graphql-ws"], dialect: .legacy,
            initial: #"{"type":"connection_init","payload":{"headers":{"x-api-key":"\#(key)"}}}"#,
            start:
                #"{"id":"1","type":"start","payload":{"variables":{},"extensions":{},"operationName":"OnCreate","query":"\#(query)"}}"#,
            stop: #"{"id":"1","type":"stop"}"#, id: "1"),
        ClientScript(
            name: "graphql-ws", path: "/graphql", protocols: ["graphql-transport-ws"], dialect: .transport,
            initial: #"{"type":"connection_init","payload":{"x-api-key":"\#(key)"}}"#,
            start: #"{"id":"\#(uuid)","type":"subscribe","payload":{"query":"\#(query)"}}"#,
            stop: #"{"id":"\#(uuid)","type":"complete"}"#, id: uuid),
    ]

    /// A query by which one knows that what was sent before it is done; nil where the protocol says so itself.
    var barrier: String? {
        switch dialect {
        case .appSync: nil
        case .legacy: #"{"id":"b","type":"start","payload":{"query":"{ __typename }"}}"#
        case .transport: #"{"id":"b","type":"subscribe","payload":{"query":"{ __typename }"}}"#
        }
    }

    /// What the client is told from the acknowledgement of the connection on, until its subscription runs.
    var beginning: [String] {
        let typename = #""payload":{"data":{"__typename":"Query"}}}"#
        let end = #"{"id":"b","type":"complete"}"#
        return switch dialect {
        case .appSync:
            [
                #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#, #"{"type":"ka"}"#,
                #"{"id":"\#(id)","type":"start_ack"}"#,
            ]
        case .legacy:
            [
                #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#, #"{"type":"ka"}"#,
                #"{"id":"b","type":"data",\#(typename)"#, end,
            ]
        case .transport: [#"{"type":"connection_ack"}"#, #"{"id":"b","type":"next",\#(typename)"#, end]
        }
    }

    func event(_ todo: String) -> String {
        let type = dialect == .transport ? "next" : "data"
        return
            #"{"id":"\#(id)","type":"\#(type)","payload":{"data":{"onCreateTodo":{"id":"\#(todo)","name":"of \#(todo)"}}}}"#
    }

    /// The answer to `stop`, where there is one.
    var ending: String? { dialect == .appSync ? #"{"id":"\#(id)","type":"complete"}"# : nil }
}
