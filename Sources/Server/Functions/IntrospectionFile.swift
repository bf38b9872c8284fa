import Access
import Functions
import JSON
import Network
import Synchronization

/// The introspection of the models for functions: `getAmplifyDataClientConfig` gets it as a file of a bucket, with its function's keys.
final class IntrospectionFile: CloudService {
    /// Nil: they are told nothing.
    private let content: Mutex<[UInt8]?>
    private let callers: AdministratorCheck

    static let bucket = "amplify-introspection"
    static let key = "modelIntrospectionSchema.json"
    private static let path = "/\(bucket)/\(key)"

    init(_ content: [UInt8]?, _ configuration: Configuration, _ roles: FunctionRoles) {
        self.content = Mutex(content)
        callers = AdministratorCheck(configuration.administrators, roles, service: "s3", region: nil)
    }

    var route: Route { .files }

    /// Goes on with what they are told of other models.
    func adopt(_ content: [UInt8]?) { self.content.withLock { $0 = content } }

    func isAt(_ head: HTTPRequestHead) -> Bool { head.path == Self.path && content.withLock { $0 != nil } }

    func refusal(of error: HTTPParseError) -> HTTPResponse { Self.refusal(error.status.code, "InvalidRequest") }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .get || head.method == .head else { return .answer(Self.refusal(405, "MethodNotAllowed")) }
        return .compute(bodyMax: 0) { [self] request in .now(answer(request)) }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let action = "s3:GetObject"
        let refusal = callers.refusal(
            of: request.credentials(body: []), for: "GetObject", now: Timestamp.now.seconds
        ) { [RightsDemand(action, PolicyResource("s3", "\(Self.bucket)/", Self.key))] }
        guard refusal == nil else { return Self.refusal(403, "AccessDenied") }
        guard let content = content.withLock({ $0 }) else { return Self.refusal(404, "NoSuchKey") }
        return HTTPResponse(
            fields: HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"]),
            body: .bytes(content))
    }

    private static func refusal(_ status: Int, _ code: String) -> HTTPResponse {
        HTTPResponse(
            status: HTTPStatus(code: status), fields: HTTPFieldLines(["content-type": "application/xml"]),
            body: .bytes(Array("<Error><Code>\(code)</Code><Message>\(code)</Message></Error>".utf8)))
    }
}
