import Network

/// A WebSocket client on a blocking socket, which waits for messages no longer than it is told to, and sends whatever it is
/// told to.
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

        package init(description: String) {
            self.description = description
        }
    }

    // The example of RFC 6455, section 1.3.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    private static let messageBytesMax = 1 << 20
    /// What does not come within that time does not come: a test fails, and never hangs.
    private static let patience = Duration.seconds(30)

    /// The head of the answer to the handshake.
    package let head: AnswerHead
    private let connection: RawClient
    private var parser: WebSocketParser
    private var pool = CompressionPool()
    private var received: [UInt8] = []
    private var position = 0
    private var end: WebSocketCloseCode??

    /// Connects and asks for a WebSocket. An answer that refuses it is no failure: `head` tells. What comes behind is sent in
    /// the same piece as the request.
    package init(
        port: UInt16, path: String, protocols: [String] = [], fields: [(name: String, value: String)] = [],
        receiveBuffer: Int32? = nil, behind: [UInt8] = []
    ) throws {
        let connection = try RawClient(port: port, receiveBuffer: receiveBuffer)
        let request = Self.request(port: port, path: path, protocols: protocols, fields: fields)
        try connection.send(Array(request.utf8) + behind)
        let head = try AnswerHead(connection.read(through: "\r\n\r\n"))
        guard head.status != 101 || head.fields["sec-websocket-accept"] == Self.accept else {
            throw Failure(description: "the handshake was answered with another key: \(head.fields)")
        }
        (self.connection, self.head) = (connection, head)
        parser = WebSocketParser(
            role: .client, settings: WebSocketSettings(),
            isCompressionAgreed: head.fields["sec-websocket-extensions"]?.contains("permessage-deflate") == true)
    }

    /// A request to become a WebSocket.
    package static func request(
        port: UInt16, path: String, protocols: [String] = [], fields: [(name: String, value: String)] = []
    ) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(Self.key)",
        ]
        if !protocols.isEmpty { lines.append("Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))") }
        lines += fields.map { "\($0.name): \($0.value)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    // MARK: Sending

    package func send(_ text: String) throws { try send(Array(text.utf8), opcode: 0x1) }

    /// Sends bytes as they are.
    package func send(_ bytes: some Collection<UInt8>) throws { try connection.send(Array(bytes)) }

    /// Ends our half of the connection.
    package func finishSending() { connection.finishSending() }

    /// The frame of a text, to send several in one piece.
    package static func frame(_ text: String) -> [UInt8] { frame(Array(text.utf8), opcode: 0x1) }

    private func send(_ payload: [UInt8], opcode: UInt8) throws {
        try connection.send(Self.frame(payload, opcode: opcode))
    }

    private static func frame(_ payload: [UInt8], opcode: UInt8) -> [UInt8] {
        var frame: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126] + bigEndian(payload.count, bytes: 2)
        default: frame += [0x80 | 127] + bigEndian(payload.count, bytes: 8)
        }
        // A mask of zeros leaves the payload as it is.
        return frame + [0, 0, 0, 0] + payload
    }

    private static func bigEndian(_ number: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    // MARK: Receiving

    /// The next text, or the end, once it is answered; pings are answered on the way.
    package mutating func next(until deadline: ContinuousClock.Instant) throws -> Arrival {
        while true {
            if let end { return .end(end) }
            switch try parsed() {
            case .message(let message)?: return .text(String(decoding: message.bytes, as: UTF8.self))
            case .close(let close)?:
                end = .some(close.code)
                // As clients do: the server waits for it. One that has gone already has not.
                try? send([], opcode: 0x8)
            case .ping(let payload)?: try send(payload, opcode: 0xA)
            case .pong?: continue
            case nil:
                guard let isMore = try receive(until: deadline) else { return .silence }
                if !isMore { end = .some(nil) }
            }
        }
    }

    /// The next event, whatever it is; none at the end of the connection.
    package mutating func nextEvent() throws -> WebSocketParser.Event? {
        while true {
            if let event = try parsed() { return event }
            guard let isMore = try receive(until: .now + Self.patience) else {
                throw Failure(description: "nothing came")
            }
            if !isMore { return nil }
        }
    }

    /// All that comes up to the end of the connection, as it is: the body of a refusal.
    package mutating func rest() throws -> String {
        defer { position = received.count }
        return String(decoding: received[position...], as: UTF8.self) + (try connection.readToEnd())
    }

    /// Whether something has come; nil when nothing has by then, and false at the end of the connection.
    private mutating func receive(until deadline: ContinuousClock.Instant) throws -> Bool? {
        guard let bytes = try connection.bytes(until: deadline) else { return nil }
        received = bytes
        position = 0
        return !bytes.isEmpty
    }

    private mutating func parsed() throws -> WebSocketParser.Event? {
        var place = position
        let event = try received.withUnsafeBytes { try parser.next($0, at: &place) }
        position = place
        guard case .message(let message) = event else { return event }
        return .message(try message.inflated(by: &pool, bytesMax: Self.messageBytesMax))
    }
}
