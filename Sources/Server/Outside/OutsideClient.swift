import Access
import Network

/// The way out for the rooms that know no sockets: their requests go through the HTTP client of a loop.
///
/// `send` may be called from any thread: the client finds its loop itself.
final class OutsideClient: OutsideService {
    private let client: HTTPClient

    init(_ client: HTTPClient) {
        self.client = client
    }

    /// For a loop of its own.
    convenience init(on loop: EventLoop, tls: TLSClientContext = TLSClientContext(trusting: .system)) {
        self.init(HTTPClient(on: loop, tls: tls))
    }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        guard let method = HTTPMethod(rawValue: request.method), method != .other else {
            throw .unreachable("there is no method \"\(request.method)\"")
        }
        var outgoing = HTTPClientRequest(method, try Self.url(request.url), fields: request.fields, body: request.body)
        outgoing.totalMilliseconds = request.timeoutMilliseconds
        outgoing.responseBodyBytes = request.responseBytesMax
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(outgoing)
        } catch {
            throw OutsideError(error, to: request)
        }
        return OutsideResponse(status: response.status.code, fields: response.fields.all, body: response.body)
    }

    /// Closes the connections that no request uses. Called on the loop, when the server stops.
    func closeIdleConnections() { client.closeIdleConnections() }

    private static func url(_ text: String) throws(OutsideError) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL(text)
        } catch {
            throw .invalidURL("\(error)")
        }
    }
}

extension OutsideError {
    /// What the client's error means to who asked.
    init(_ error: HTTPClientError, to request: OutsideRequest) {
        switch error.problem {
        case .timedOut(let milliseconds), .connectTimedOut(let milliseconds):
            self = .timedOut(milliseconds: milliseconds)
        case .unacceptable(let cause) where cause.status == .contentTooLarge:
            self = .tooLarge(bytesMax: request.responseBytesMax)
        default:
            self = .unreachable(error.description)
        }
    }
}
