import CSystem
import Network

/// A server for measurements and protocol suites, not a part of the product: it answers every request with its body.
///
///     homeport-echo [PORT]        prints the port that it listens on
@main
struct EchoServer {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 0
        let options = HTTPServerOptions(addresses: [.loopback(port: port)])
        let server = HTTPServer(EchoApplication(), options: options, on: try EventLoopGroup())
        try await server.start()
        for address in server.addresses { print(address) }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}

/// Answers every request with its body.
struct EchoApplication: HTTPApplication {
    private static let fields = HTTPFieldLines(["content-type": "application/json"])

    func receive(_ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool) -> HTTPReception {
        .collect(bodyMax: 1024 * 1024) { request in
            guard case .bytes(let bytes) = request.body else { return HTTPResponse(status: .internalServerError) }
            return HTTPResponse(fields: Self.fields, body: .bytes(bytes))
        }
    }

    func answer(to error: HTTPParseError) -> HTTPResponse {
        HTTPResponse(status: error.status, fields: Self.fields, body: .bytes(Array(error.description.utf8)))
    }

    func finished(_ exchange: HTTPExchange) {}
}
