import CSystem
import Glibc
import JSON
import Network

/// A WebSocket client on a blocking socket that speaks the protocols here by hand.
struct RealtimeTestClient: ~Copyable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var parser: WebSocketParser
    private var pool = CompressionPool()
    private var received: [UInt8] = []
    private var position = 0
    /// The head of the answer to the upgrade.
    private(set) var answer = ""

    init(
        port: UInt16, _ path: String = "/graphql", protocols: String? = "graphql-ws", key: String? = "good",
        fields: [String] = [], receiveBufferBytes: Int32? = nil
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        parser = WebSocketParser(
            role: .client, settings: WebSocketSettings(),
            isCompressionAgreed: fields.contains { $0.contains("deflate") })
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // What does not come within that time does not come: a test fails, and never hangs.
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let outcome = SocketAddress.loopback(port: port).withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        guard outcome == 0 else { throw Failure(description: "cannot connect") }
        var lines = [
            "GET \(path) HTTP/1.1", "host: localhost", "upgrade: websocket", "connection: Upgrade",
            "sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if let protocols { lines.append("sec-websocket-protocol: \(protocols)") }
        if let key { lines.append("x-api-key: \(key)") }
        try send(bytes: Array(((lines + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let end = Array("\r\n\r\n".utf8)
        while received.firstRange(of: end) == nil {
            guard try receive() else { throw Failure(description: "no answer") }
        }
        position = received.firstRange(of: end)?.upperBound ?? 0
        answer = String(decoding: received[..<position], as: UTF8.self)
        guard answer.hasPrefix("HTTP/1.1 101 ") else { throw Failure(description: answer) }
    }

    deinit { close(descriptor) }

    /// Ends our half, so that the server sees the client go.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func send(bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, homeport_send_quietly)
            }
            guard count > 0 else { throw Failure(description: "cannot send") }
            sent += count
        }
    }

    func send(_ text: String) throws {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        default: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        // A mask of zeros leaves the text as it is.
        try send(bytes: frame + [0, 0, 0, 0] + payload)
    }

    private mutating func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(description: "nothing came: errno \(errno)") }
        if position == received.count, position > 0 {
            received = []
            position = 0
        }
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }

    private mutating func event() throws -> WebSocketParser.Event? {
        while true {
            var place = position
            let event = try received.withUnsafeBytes { try parser.next($0, at: &place) }
            position = place
            if let event { return event }
            guard try receive() else { return nil }
        }
    }

    /// The next text but for signs of life.
    mutating func next() throws -> String {
        while true {
            switch try event() {
            case .message(let message)?:
                let text = String(
                    decoding: try message.inflated(by: &pool, bytesMax: 1 << 20).bytes, as: UTF8.self)
                if text != #"{"type":"ka"}"# { return text }
            case .close(let close)?:
                throw Failure(description: "closed \(close.code?.rawValue ?? 0) \(close.reason)")
            case nil: throw Failure(description: "the end")
            default: continue
            }
        }
    }

    /// The next text, a sign of life as well.
    mutating func nextWithKeepAlive() throws -> String {
        guard case .message(let message)? = try event() else { throw Failure(description: "no text") }
        return String(decoding: message.bytes, as: UTF8.self)
    }

    /// Reads over everything until the close frame.
    mutating func nextClose() throws -> String {
        while let event = try event() {
            if case .close(let close) = event { return "\(close.code?.rawValue ?? 0) \(close.reason)" }
        }
        throw Failure(description: "the connection ended without a close frame")
    }

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
