import CSystem
import Glibc
import Network

/// A server for measurements and protocol suites, not a part of the product: it answers every request with its body, and
/// every WebSocket message with itself.
///
///     homeport-echo [PORT]        prints the port that it listens on
@main
struct EchoServer {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 0
        let server = HTTPServer(EchoApplication(), options: HTTPServerOptions(), on: try EventLoopGroup())
        try await server.start(on: [.loopback(port: port)])
        for address in server.addresses { print(address) }
        // Into a file or a pipe, too, the port must come at once.
        fflush(nil)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}

/// Answers every request with its body.
struct EchoApplication: HTTPApplication {
    private static let fields = HTTPFieldLines(["content-type": "application/json"])

    /// What the Autobahn test suite sends at most.
    private static let webSocketSettings = {
        var settings = WebSocketSettings()
        settings.messageBytesMax = 16 * 1024 * 1024
        // 65,536 fragments, and the empty frame that ends the message.
        settings.messageFramesMax = 65_537
        settings.outboundBytesMax = 64 * 1024 * 1024
        return settings
    }()

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        if WebSocketHandshake.isRequested(by: head) { return webSocket(head) }
        return .compute(bodyMax: 1024 * 1024) { request in
            guard case .bytes(let bytes) = request.body else { return .now(HTTPResponse(status: .internalServerError)) }
            return .now(HTTPResponse(fields: Self.fields, body: .bytes(bytes)))
        }
    }

    private func webSocket(_ head: HTTPRequestHead) -> HTTPReception {
        do throws(WebSocketHandshake.Refusal) {
            let settings = Self.webSocketSettings
            return .upgrade(
                try WebSocketHandshake.upgrade(head, settings: settings, choosingSubprotocol: \.first) {
                    WebSocketEcho()
                })
        } catch {
            var response = answer(to: error.error, for: head)
            response.fields.append(error.fields)
            return .answer(response)
        }
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: error.status, fields: Self.fields, body: .bytes(Array(error.description.utf8)))
    }

    func finished(_ exchange: HTTPExchange) {}
}

/// Answers every message with itself.
final class WebSocketEcho: WebSocketHandler {
    func webSocket(_ connection: WebSocketConnection, didReceiveText text: [UInt8]) {
        connection.send(.text, text)
    }

    func webSocket(_ connection: WebSocketConnection, didReceiveBinary bytes: [UInt8]) {
        connection.send(.binary, bytes)
    }

    func webSocketDidClose(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}
