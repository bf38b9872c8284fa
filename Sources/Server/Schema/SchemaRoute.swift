import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Network
import Synchronization

/// `GetIntrospectionSchema` of AppSync's own API, `GET /v1/apis/ID/schema?format=SDL|JSON`: what Amplify's generators read. Signed by an
/// administrator or by one of the app's functions.
final class SchemaRoute: CloudService {
    private let callers: AdministratorCheck
    private let engine = Mutex<Engine?>(nil)

    private static let service = "appsync"
    private static let action = "GetIntrospectionSchema"
    private static let start = "/v1/apis/"
    private static let end = "/schema"
    private static let parametersMax = 16

    init(_ callers: ServiceCallers) { self.callers = callers.of(Self.service) }

    var route: Route { .schema }
    var signedServices: [String] { [Self.service] }

    // Signatures for this service are on requests to the API too: only the path tells.
    func isAt(_ head: HTTPRequestHead) -> Bool { head.path.hasPrefix(Self.start) && head.path.hasSuffix(Self.end) }

    func serve(_ engine: Engine) { self.engine.withLock { $0 = engine } }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .get else {
            var answer = Self.refusal(405, "BadRequestException", "The schema is read by GET.")
            answer.fields.append("allow", "GET")
            return .answer(answer)
        }
        // All of the schema is written: that takes longer than a loop has time for.
        return .collect(bodyMax: 0) { request in await BesideLoop.always { self.answer(request) } }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let head = request.head
        let refusal = callers.refusal(
            of: request.credentials(body: []), for: Self.action, now: Timestamp.now.seconds
        ) { [RightsDemand("\(Self.service):\(Self.action)", .all(of: Self.service))] }
        if let refusal {
            var answer = Self.refusal(403, refusal.errorType, refusal.message)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        let id = String(head.path.dropFirst(Self.start.utf8.count).dropLast(Self.end.utf8.count))
        guard ByteText(id) == ByteText(ProjectValues.apiID), let engine = engine.withLock({ $0 }) else {
            return Self.refusal(404, "NotFoundException", "GraphQL API \(id) not found.")
        }
        let parameters = HTTPPercentCoding.parameters(of: head.query, max: Self.parametersMax)
        func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        switch parameter("format") {
        case "JSON"?:
            guard let schema = try? Introspection.whole(of: engine.schema) else {
                return Self.refusal(500, "InternalFailureException", "The schema cannot be read.")
            }
            return Self.response(.ok, "application/json", JSONWriter.bytes(of: schema))
        case "SDL"?:
            let text = APISchema.generate(from: engine.blueprint).schema.printed(
                authDirectives: parameter("includeDirectives")?.lowercased() != "false")
            return Self.response(.ok, "text/plain; charset=utf-8", Array(text.utf8))
        default: return Self.refusal(400, "BadRequestException", "The format is SDL or JSON.")
        }
    }

    private static func response(_ status: HTTPStatus, _ type: String, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: HTTPFieldLines(["content-type": type, "cache-control": "no-store"]),
            body: .bytes(body))
    }

    private static func refusal(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        var answer = response(
            HTTPStatus(code: status), "application/json",
            JSONWriter.bytes(of: ["__type": .string(type), "message": .string(message)]))
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = message
        return answer
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.refusal(error.status.code, "BadRequestException", "\(error)")
    }
}
