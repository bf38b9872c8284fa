import Network

/// A client of ours on a loop of its own.
final class TestClient: Sendable {
    let loop: EventLoop
    let client: HTTPClient

    init(
        limits: HTTPClientLimits = .init(), trust: TLSTrust = .file(TestCertificates.authority),
        resolver: NameResolver = .shared
    ) throws {
        loop = try EventLoop(index: 0)
        try loop.start()
        client = HTTPClient(on: loop, limits: limits, tls: TLSClientContext(trusting: trust), resolver: resolver)
    }

    func send(
        _ method: HTTPMethod = .get, _ url: String, body: String = "", fields: [(name: String, value: String)] = [],
        milliseconds: Int = 60_000
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(method, try HTTPURL(url), fields: fields, body: Array(body.utf8))
        request.totalMilliseconds = milliseconds
        return try await client.send(request)
    }

    /// The problem of a request that must fail; nil when it does not.
    func problem(
        _ method: HTTPMethod = .get, _ url: String, body: String = "", fields: [(name: String, value: String)] = [],
        milliseconds: Int = 60_000
    ) async throws -> HTTPClientError.Problem? {
        do {
            _ = try await send(method, url, body: body, fields: fields, milliseconds: milliseconds)
            return nil
        } catch let error as HTTPClientError {
            return error.problem
        }
    }

    var connections: Int {
        get async { await loop.run { [client] in client.connections } }
    }

    func stop() async {
        await loop.run { [client] in client.closeIdleConnections() }
        loop.stop()
        loop.join()
    }
}

extension HTTPClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
