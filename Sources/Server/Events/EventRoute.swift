import Access
import Events
import JSON
import Network

/// EventBridge over HTTP: told by the field `x-amz-target`, on any path, signed by an administrator or by one of the app's functions.
struct EventRoute: CloudService {
    private let calls: EventCalls
    private let callers: AdministratorCheck

    private static let target = "AWSEvents"
    private static let signedService = "events"

    init(_ events: Events, _ callers: ServiceCallers) {
        calls = EventCalls(events)
        self.callers = callers.of(Self.signedService)
    }

    var route: Route { .events }
    var targets: [String] { [Self.target] }
    var scopes: [String] { [Self.signedService] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.refusal(405, "UnsupportedOperation", "The service is called by POST.")
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.refusal(400, "MissingAuthenticationTokenException", "Request is missing Authentication Token"))
        }
        return .collect(bodyMax: EventLimits.bodyBytesMax) { request in await answer(request) }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let parts = (request.head.fields["x-amz-target"] ?? "").parts(separatedBy: ".")
        let operation = parts.count == 2 && parts[0] == Self.target ? parts[1] : ""
        let limits = JSONLimits(bytesMax: EventLimits.bodyBytesMax, nestingMax: EventLimits.nestingMax)
        func read() -> JSONValue? {
            body.isEmpty ? .object(JSONObject()) : try? JSONReader.value(of: body, limits: limits)
        }
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: operation, now: Timestamp.now.seconds
        ) { EventDemand.demands(operation, read() ?? .null) }
        if let refusal { return Self.refusal(400, refusal.errorType, refusal.message) }
        guard let value = read(), value.object != nil else {
            return Self.refusal(400, "SerializationException", "The body is no JSON object.")
        }
        do throws(EventError) {
            return Self.response(.ok, .object(try await calls.answer(operation, value)))
        } catch {
            return Self.refusal(error.status, error.type, error.message)
        }
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines(["content-type": "application/x-amz-json-1.1", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: body)))
    }

    private static func refusal(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        var answer = response(HTTPStatus(code: status), ["__type": .string(type), "message": .string(message)])
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = message
        return answer
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.refusal(error.status.code, "SerializationException", "\(error)")
    }
}
