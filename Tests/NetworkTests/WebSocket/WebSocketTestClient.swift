import CSystem
import Glibc

@testable import Network

/// A WebSocket client on a blocking socket, which can also break every rule.
struct WebSocketTestClient: ~Copyable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var parser: WebSocketParser
    private var pool = CompressionPool()
    private var received: [UInt8] = []
    private var receivedPosition = 0
    /// The answer to the handshake, up to the empty line.
    private(set) var answer = ""

    /// Connects, and asks for a WebSocket with these fields beside those that it needs. What comes behind is sent in the
    /// same piece as the request.
    init(
        _ server: borrowing WebSocketTestServer, _ path: String = "/echo", fields: [String] = [],
        receiveBufferBytes: Int32? = nil, behind: [UInt8] = [], expecting status: String = "101"
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        parser = WebSocketParser(
            role: .client, settings: WebSocketSettings(),
            isCompressionAgreed: fields.contains { $0.contains("deflate") })
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // What does not come within that time does not come: a test fails, and never hangs.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else { throw Failure(description: "cannot connect") }
        try send(Self.request(path, fields: fields) + behind)
        try readAnswer(expecting: status)
    }

    /// A request to become a WebSocket.
    static func request(_ path: String, fields: [String]) -> [UInt8] {
        let lines =
            [
                "GET \(path) HTTP/1.1", "host: localhost", "upgrade: websocket", "connection: Upgrade",
                "sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    deinit {
        close(descriptor)
    }

    private mutating func readAnswer(expecting status: String) throws {
        while true {
            if let end = Self.end(of: received) {
                answer = String(decoding: received[..<end], as: UTF8.self)
                receivedPosition = end + 4
                break
            }
            guard try receive() else { throw Failure(description: "no answer") }
        }
        guard answer.hasPrefix("HTTP/1.1 \(status) ") else { throw Failure(description: answer) }
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }
    }

    func send(_ bytes: some Collection<UInt8>) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, homeport_send_quietly)
            }
            guard count > 0 else { throw Failure(description: "cannot send") }
            sent += count
        }
    }

    func send(_ frame: ClientFrame) throws {
        try send(frame.bytes)
    }

    /// Ends our half of the connection.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads once; false at the end of the connection.
    private mutating func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(description: "nothing came: errno \(errno)") }
        if receivedPosition == received.count {
            received = []
            receivedPosition = 0
        }
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }

    /// The next event, with its message inflated; none at the end of the connection.
    mutating func next() throws -> WebSocketParser.Event? {
        while true {
            let bytes = received
            var position = receivedPosition
            let event = try bytes.withUnsafeBytes { try parser.next($0, at: &position) }
            receivedPosition = position
            if case .message(let message) = event {
                return .message(try message.inflated(by: &pool, bytesMax: 1 << 20))
            }
            if let event { return event }
            guard try receive() else { return nil }
        }
    }

    /// The next event when it is a text.
    mutating func nextText() throws -> String {
        let event = try next()
        guard case .message(let message) = event, message.kind == .text else {
            throw Failure(description: "expected text, found \(event.map { "\($0)" } ?? "the end")")
        }
        return String(decoding: message.bytes, as: UTF8.self)
    }

    /// Reads over messages and pings until the close frame and the end of the connection.
    mutating func nextClose() throws -> WebSocketClose {
        var close: WebSocketClose?
        while let event = try next() {
            if case .close(let found) = event { close = found }
        }
        guard let close else { throw Failure(description: "the connection ended without a close frame") }
        return close
    }

    /// The body of a refusal.
    mutating func rest() throws -> String {
        while try receive() {}
        return String(decoding: received[receivedPosition...], as: UTF8.self)
    }
}
