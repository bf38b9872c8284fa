import JSON
import Network
import TestSupport

/// The client of these tests, which speaks the protocols here by hand.
extension WebSocketClient {
    init(
        port: UInt16, protocols: String? = "graphql-ws", key: String? = "good",
        fields: [(name: String, value: String)] = [], receiveBuffer: Int32? = nil
    ) throws {
        let shown = key.map { [("x-api-key", $0)] } ?? []
        try self.init(
            port: port, path: "/graphql", protocols: protocols.map { [$0] } ?? [], fields: shown + fields,
            receiveBuffer: receiveBuffer)
    }

    /// The next text but for signs of life.
    mutating func next() throws -> String {
        while true {
            let text = try nextWithKeepAlive()
            if text != #"{"type":"ka"}"# { return text }
        }
    }

    /// The next text, a sign of life as well.
    mutating func nextWithKeepAlive() throws -> String {
        while true {
            switch try nextEvent() {
            case .message(let message)?: return String(decoding: message.bytes, as: UTF8.self)
            case .close(let close)?: throw Failure(description: "closed \(Self.text(of: close))")
            case nil: throw Failure(description: "the end")
            default: continue
            }
        }
    }

    /// Reads over everything until the close frame.
    mutating func nextClose() throws -> String {
        while let event = try nextEvent() {
            if case .close(let close) = event { return Self.text(of: close) }
        }
        throw Failure(description: "the connection ended without a close frame")
    }

    private static func text(of close: WebSocketClose) -> String { "\(close.code?.rawValue ?? 0) \(close.reason)" }

    // MARK: AppSync's protocol

    mutating func initialise() throws {
        try send(#"{"type":"connection_init"}"#)
        let ack = try next()
        guard ack.contains("connection_ack") else { throw Failure(description: ack) }
    }

    /// The text of a start.
    static func start(_ id: String, _ query: String, variables: String = "{}", key: String? = nil) -> String {
        let data = JSONWriter.text(
            of: .string(#"{"query":\#(JSONWriter.text(of: .string(query))),"variables":\#(variables)}"#))
        let extensions = key.map { #","extensions":{"authorization":{"x-api-key":"\#($0)"}}"# } ?? ""
        return #"{"id":"\#(id)","type":"start","payload":{"data":\#(data)\#(extensions)}}"#
    }

    mutating func subscribe(_ id: String, _ query: String, variables: String = "{}", key: String? = nil) throws {
        try send(Self.start(id, query, variables: variables, key: key))
        let answer = try next()
        guard answer == #"{"id":"\#(id)","type":"start_ack"}"# else { throw Failure(description: answer) }
    }
}
