import Access
import Network
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("The way out")
struct OutsideClientTests {
    /// /echo answers method, fields and body; /large so many bytes; /status such a status; /never does not answer.
    private final class Service: HTTPApplication {
        /// Ends when the test does.
        private let end = AsyncStream<Void>.makeStream()

        func stop() { end.continuation.finish() }

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            switch head.path {
            case "/echo":
                return .collect(bodyMax: 1 << 20) { request in
                    guard case .bytes(let body) = request.body else { return HTTPResponse(status: .badRequest) }
                    var fields = HTTPFieldLines()
                    fields.append("x-method", request.head.methodText)
                    fields.append("x-own", request.head.fields["x-own"] ?? "")
                    return HTTPResponse(fields: fields, body: .bytes(body))
                }
            case "/large":
                let count = Int(head.query) ?? 0
                return .answer(HTTPResponse(body: .bytes([UInt8](repeating: 0x61, count: count))))
            case "/never":
                return .collect(bodyMax: 0) { [end] _ in
                    for await _ in end.stream {}
                    return HTTPResponse()
                }
            default:
                return .answer(HTTPResponse(status: .notFound, body: .bytes(Array("nothing".utf8))))
            }
        }
    }

    private static func withService(_ body: (OutsideClient, UInt16) async throws -> Void) async throws {
        let service = Service()
        let server = try await LoopbackServer(service)
        let loop = server.group.loops[0]
        let client = OutsideClient(on: loop)
        try await body(client, server.port)
        service.stop()
        await loop.run { client.closeIdleConnections() }
        await server.stop()
    }

    private static func error(
        _ client: OutsideClient, _ request: OutsideRequest
    ) async -> OutsideError? {
        do throws(OutsideError) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    private static func request(
        _ url: String, method: String = "POST", body: String = "", milliseconds: Int = 10_000, bytesMax: Int = 1000
    ) -> OutsideRequest {
        OutsideRequest(
            method: method, url: url, fields: [("X-Own", "a")], body: Array(body.utf8),
            timeoutMilliseconds: milliseconds, responseBytesMax: bytesMax)
    }

    @Test("a request arrives as it is, and its answer comes back whole", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func roundTrip(_ method: String) async throws {
        try await Self.withService { client, port in
            let response = try await client.send(
                Self.request("http://127.0.0.1:\(port)/echo", method: method, body: "[1]"))
            #expect(response.status == 200)
            #expect(response.field("X-Method") == method)
            #expect(response.field("x-own") == "a")
            #expect(String(decoding: response.body, as: UTF8.self) == "[1]")
            let missing = try await client.send(Self.request("http://127.0.0.1:\(port)/nowhere"))
            #expect(missing.status == 404)
        }
    }

    @Test("an answer may have as many bytes as the request says, and not one more")
    func sizes() async throws {
        try await Self.withService { client, port in
            let fits = try await client.send(
                Self.request("http://127.0.0.1:\(port)/large?1000", method: "GET"))
            #expect(fits.body.count == 1000)
            let error = await Self.error(
                client, Self.request("http://127.0.0.1:\(port)/large?1001", method: "GET"))
            #expect(error == .tooLarge(bytesMax: 1000))
        }
    }

    @Test("a service that does not answer, is not there or has no good address gives an error that says which")
    func failures() async throws {
        try await Self.withService { client, port in
            let late = await Self.error(
                client, Self.request("http://127.0.0.1:\(port)/never", method: "GET", milliseconds: 50))
            #expect(late == .timedOut(milliseconds: 50))
            guard case .unreachable(let reason)? = await Self.error(client, Self.request("http://127.0.0.1:1/")) else {
                Issue.record("nobody listens on port 1")
                return
            }
            #expect(reason.contains("127.0.0.1:1"))
            for url in ["", "ftp://a/", "http://a b/", "nowhere"] {
                guard case .invalidURL? = await Self.error(client, Self.request(url)) else {
                    Issue.record("\(url) is no address")
                    return
                }
            }
            guard
                case .unreachable? = await Self.error(
                    client, Self.request("http://127.0.0.1:\(port)/echo", method: "BREW"))
            else {
                Issue.record("nobody knows the method BREW")
                return
            }
        }
    }
}
