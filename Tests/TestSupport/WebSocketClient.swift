import Network

/// A WebSocket client on a blocking socket, which waits for messages no longer than it is told to.
package struct WebSocketClient: ~Copyable {
    /// What comes next.
    package enum Arrival: Equatable {
        case text(String)
        /// The server has ended the connection: by a close frame, or without one.
        case end(WebSocketCloseCode?)
        /// Nothing, by the time that was given.
        case silence
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    // The example of RFC 6455, section 1.3.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// The head of the answer to the handshake.
    package let head: AnswerHead
    private let connection: RawClient
    private var parser: WebSocketParser
    private var received: [UInt8] = []
    private var position = 0
    private var end: WebSocketCloseCode??

    /// Connects and asks for a WebSocket. An answer that refuses it is no failure: `head` tells.
    package init(
        port: UInt16, path: String, protocols: [String] = [], fields: [(name: String, value: String)] = [],
        receiveBuffer: Int32? = nil
    ) throws {
        let connection = try RawClient(port: port, receiveBuffer: receiveBuffer)
        var lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(Self.key)",
        ]
        if !protocols.isEmpty { lines.append("Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))") }
        lines += fields.map { "\($0.name): \($0.value)" }
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let head = try AnswerHead(connection.read(through: "\r\n\r\n"))
        guard head.status != 101 || head.fields["sec-websocket-accept"] == Self.accept else {
            throw Failure(description: "the handshake was answered with another key: \(head.fields)")
        }
        (self.connection, self.head) = (connection, head)
        parser = WebSocketParser(role: .client, settings: WebSocketSettings(), isCompressionAgreed: false)
    }

    package func send(_ text: String) throws { try send(Array(text.utf8), opcode: 0x1) }

    private func send(_ payload: [UInt8], opcode: UInt8) throws {
        var frame: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126] + Self.bigEndian(payload.count, bytes: 2)
        default: frame += [0x80 | 127] + Self.bigEndian(payload.count, bytes: 8)
        }
        // A mask of zeros leaves the payload as it is.
        try connection.send(frame + [0, 0, 0, 0] + payload)
    }

    private static func bigEndian(_ number: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The next text, or the end, once it is answered; pings are answered on the way.
    package mutating func next(until deadline: ContinuousClock.Instant) throws -> Arrival {
        while true {
            if let end { return .end(end) }
            switch try event() {
            case .message(let message)?: return .text(String(decoding: message.bytes, as: UTF8.self))
            case .close(let close)?:
                end = .some(close.code)
                // As clients do: the server waits for it. One that has gone already has not.
                try? send([], opcode: 0x8)
            case .ping(let payload)?: try send(payload, opcode: 0xA)
            case .pong?: continue
            case nil:
                guard let bytes = try connection.bytes(until: deadline) else { return .silence }
                if bytes.isEmpty { end = .some(nil) }
                received = bytes
                position = 0
            }
        }
    }

    private mutating func event() throws -> WebSocketParser.Event? {
        var place = position
        let event = try received.withUnsafeBytes { try parser.next($0, at: &place) }
        position = place
        return event
    }
}
