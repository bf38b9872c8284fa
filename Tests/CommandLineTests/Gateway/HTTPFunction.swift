import JSON
import Network
import TestSupport

/// A function at a URL, which answers each event as a test says.
final class HTTPFunction: HTTPApplication {
    private let answer: @Sendable (JSONValue) -> JSONValue

    init(_ answer: @escaping @Sendable (JSONValue) -> JSONValue) { self.answer = answer }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 8 << 20) { [self] request in
            guard case .bytes(let body) = request.body, let event = try? JSONReader.value(of: body) else {
                return HTTPResponse(status: .badRequest)
            }
            return HTTPResponse(body: .bytes(JSONWriter.bytes(of: answer(event))))
        }
    }

    /// Runs a body with its address.
    func run(_ body: (String) async throws -> Void) async throws {
        let server = try await LoopbackServer(self)
        do {
            try await body(server.url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
