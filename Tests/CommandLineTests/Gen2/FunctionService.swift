import Network
import TestSupport

/// Functions on a server of their own: each answers its name, and what it was asked.
final class FunctionService: HTTPApplication {
    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 20) { request in
            let name = request.head.path.split(separator: "/").last.map(String.init) ?? ""
            return HTTPResponse(body: .bytes(Array("\"\(name) was called\"".utf8)))
        }
    }

    func answer(to error: HTTPParseError) -> HTTPResponse { HTTPResponse(status: error.status) }
    func finished(_ exchange: HTTPExchange) {}

    /// Runs a body with the address of such a server.
    static func run(_ body: (String) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(
            FunctionService(),
            options: HTTPServerOptions(addresses: [.loopback(port: 0)], limits: .init(), report: { _ in }), on: group)
        try await server.start()
        try await body("http://127.0.0.1:\(server.addresses.first?.port ?? 0)")
        await server.stop()
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                group.stop()
                continuation.resume()
            }
        }
    }
}
