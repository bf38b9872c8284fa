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

    /// Runs a body with the address of such a server.
    static func run(_ body: (String) async throws -> Void) async throws {
        let server = try await LoopbackServer(FunctionService())
        try await body(server.url)
        await server.stop()
    }
}
