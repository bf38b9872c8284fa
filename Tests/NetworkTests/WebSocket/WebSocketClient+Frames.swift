import TestSupport

@testable import Network

/// The client of these tests, which can also break every rule.
extension WebSocketClient {
    init(
        _ server: WebSocketTestServer, _ path: String = "/echo", fields: [(name: String, value: String)] = [],
        receiveBuffer: Int32? = nil, behind: [UInt8] = []
    ) throws {
        try self.init(
            port: server.port, path: path, fields: fields, receiveBuffer: receiveBuffer, behind: behind)
    }

    func send(_ frame: ClientFrame) throws { try send(frame.bytes) }

    /// The next event when it is a text.
    mutating func nextText() throws -> String {
        let event = try nextEvent()
        guard case .message(let message) = event, message.kind == .text else {
            throw Failure(description: "expected text, found \(event.map { "\($0)" } ?? "the end")")
        }
        return String(decoding: message.bytes, as: UTF8.self)
    }

    /// Reads over messages and pings until the close frame and the end of the connection.
    mutating func nextClose() throws -> WebSocketClose {
        var close: WebSocketClose?
        while let event = try nextEvent() {
            if case .close(let found) = event { close = found }
        }
        guard let close else { throw Failure(description: "the connection ended without a close frame") }
        return close
    }
}
