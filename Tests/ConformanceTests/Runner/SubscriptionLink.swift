import Crypto
import JSON
import TestSupport

/// A connection that speaks AppSync's protocol: one for each caller, with all its subscriptions.
final class SubscriptionLink {
    struct Refused: Error, CustomStringConvertible {
        let status: Int
        var description: String { "the handshake was answered with \(status)" }
    }

    private var socket: WebSocketClient
    /// What has come and was not asked for yet, by subscription; under the empty name what belongs to none.
    private var waiting: [String: [JSONValue]] = [:]
    private var isClosed = false
    /// What the server said first.
    private(set) var greeting: JSONValue?

    private static let closed: JSONValue = ["type": "the connection was closed"]

    init(port: UInt16, authorization: JSONValue, patience: Duration) throws {
        let query = "header=\(Self.parameter(authorization))&payload=\(Self.parameter([:]))"
        socket = try WebSocketClient(port: port, path: "/graphql/realtime?\(query)", protocols: ["graphql-ws"])
        guard socket.head.status == 101 else { throw Refused(status: socket.head.status) }
        try socket.send(#"{"type":"connection_init"}"#)
        greeting = try next(of: "", within: patience)
    }

    /// An object as the clients put it into the query of a handshake.
    static func parameter(_ value: JSONValue) -> String {
        Base64.text(of: JSONWriter.bytes(of: value), .standard)
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    }

    /// Starts a subscription, and answers the first message about it.
    func start(
        _ name: String, _ data: String, authorization: JSONValue, within limit: Duration
    ) throws -> JSONValue? {
        waiting[name] = []
        let message: JSONValue = [
            "id": .string(name), "type": "start",
            "payload": ["data": .string(data), "extensions": ["authorization": authorization]],
        ]
        try socket.send(JSONWriter.text(of: message))
        return try next(of: name, within: limit)
    }

    /// Ends a subscription, and answers what the server says to that.
    func stop(_ name: String, within limit: Duration) throws -> JSONValue? {
        try socket.send(JSONWriter.text(of: ["id": .string(name), "type": "stop"]))
        while let message = try next(of: name, within: limit) {
            if message["type"] != "data" { return message }
        }
        return nil
    }

    /// The next message about a subscription; nil when none comes in time.
    func next(of name: String, within limit: Duration) throws -> JSONValue? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let message = waiting[name]?.first {
                waiting[name]?.removeFirst()
                return message
            }
            if isClosed { return Self.closed }
            switch try socket.next(until: deadline) {
            case .silence: return nil
            case .end: isClosed = true
            case .text(let text):
                let message = try JSONReader.value(of: text)
                guard message["type"] != "ka" else { continue }
                let id = message["id"]?.string ?? ""
                waiting[waiting[id] == nil ? "" : id, default: []].append(message)
            }
        }
    }
}
