import Access
import Functions
import Network

/// The way out for the rooms that know no sockets: their requests go through the HTTP client of a loop.
///
/// `send` may be called from any thread: the client finds its loop itself. Functions that the server runs itself are called
/// as those at URLs are, and answer like them.
final class OutsideClient: OutsideService {
    private let client: HTTPClient
    private let functions: Functions?
    private let trace: (@Sendable (String) -> Void)?

    /// - Parameters:
    ///   - functions: those that the server runs itself.
    ///   - trace: is told of each call and what came of it; nil: nobody is.
    init(_ client: HTTPClient, functions: Functions? = nil, trace: (@Sendable (String) -> Void)? = nil) {
        self.client = client
        self.functions = functions
        self.trace = trace
    }

    /// For a loop of its own.
    convenience init(
        on loop: EventLoop, functions: Functions? = nil, tls: TLSClientContext = TLSClientContext(trusting: .system),
        trace: (@Sendable (String) -> Void)? = nil
    ) {
        self.init(HTTPClient(on: loop, tls: tls), functions: functions, trace: trace)
    }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        // Without its query, which can hold secrets, and without a name and password before the host.
        let place = request.url.split(separator: "?", maxSplits: 1).first ?? ""
        return try await traced("\(request.method) \(place.contains("@") ? "a URL with credentials" : place)") {
            () throws(OutsideError) in try await answer(to: request)
        }
    }

    func invoke(_ call: FunctionInvocation) async throws(OutsideError) -> OutsideResponse {
        guard let name = FunctionAddress.name(in: call.address) else { return try await send(call.request) }
        guard let functions else { throw .unreachable("no function runs here") }
        return try await traced("the function \(name)") { () throws(OutsideError) in
            if call.isEvent, !call.isKept {
                guard let refusal = await functions.invokeLater(FunctionRequest(name, call.payload)) else {
                    return OutsideResponse(status: 202, body: [])
                }
                throw .unreachable(refusal.message)
            }
            let answer = await functions.invoke(
                FunctionRequest(name, call.payload, timeoutMilliseconds: call.timeoutMilliseconds))
            return try OutsideResponse(answer.outcome, of: call)
        }
    }

    private func traced(
        _ target: @autoclosure () -> String, _ work: () async throws(OutsideError) -> OutsideResponse
    ) async throws(OutsideError) -> OutsideResponse {
        guard let trace else { return try await work() }
        let began = MonotonicTime.now
        let target = target()
        func spent() -> String { "\(MonotonicTime.now.nanoseconds(since: began) / 1_000_000) ms" }
        do throws(OutsideError) {
            let response = try await work()
            trace("called \(target): \(response.status), \(response.body.count) bytes, \(spent())")
            return response
        } catch {
            trace("called \(target): \(error), \(spent())")
            throw error
        }
    }

    private func answer(to request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
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
    /// The client's error, in the caller's terms.
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
