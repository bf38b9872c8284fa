import Access
import JSON
import Network
import Workflows

/// Step Functions over HTTP: told by the field `x-amz-target`, on any path, signed by an administrator or by one of the app's functions.
struct WorkflowRoute: CloudService {
    private let calls: WorkflowCalls
    private let callers: AdministratorCheck

    private static let target = "AWSStepFunctions"
    private static let signedService = "states"

    init(_ workflows: Workflows, _ callers: ServiceCallers) {
        calls = WorkflowCalls(workflows)
        self.callers = callers.of(Self.signedService)
    }

    var route: Route { .workflows }
    var targets: [String] { [Self.target] }
    var scopes: [String] { [Self.signedService] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.refusal(405, "UnsupportedOperation", "The service is called by POST.")
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        // Two megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.refusal(400, "MissingAuthenticationTokenException", "Request is missing Authentication Token"))
        }
        return .compute(bodyMax: WorkflowLimits.bodyBytesMax) { request in
            // What has been begun goes on whoever still listens; only the waiting ends.
            guard WorkflowCalls.waits(Self.operation(of: request.head)) else {
                return .later { await answer(request) }
            }
            return .whileWaited { await answer(request) }
        }
    }

    private static func operation(of head: HTTPRequestHead) -> String {
        let parts = (head.fields["x-amz-target"] ?? "").parts(separatedBy: ".")
        return parts.count == 2 && parts[0] == target ? parts[1] : ""
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let operation = Self.operation(of: request.head)
        let limits = JSONLimits(bytesMax: WorkflowLimits.bodyBytesMax, nestingMax: WorkflowLimits.bodyNestingMax)
        func read() -> JSONValue? {
            body.isEmpty ? .object(JSONObject()) : try? JSONReader.value(of: body, limits: limits)
        }
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: operation, now: Timestamp.now.seconds
        ) { WorkflowDemand.demands(operation, read() ?? .null) }
        if let refusal { return Self.refusal(400, refusal.errorType, refusal.message) }
        guard let value = read(), value.object != nil else {
            return Self.refusal(400, "SerializationException", "The body is no JSON object.")
        }
        do throws(WorkflowError) {
            return Self.response(.ok, .object(try await calls.answer(operation, value)))
        } catch {
            return Self.refusal(error.status, error.type, error.message)
        }
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines(["content-type": "application/x-amz-json-1.0", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: body)))
    }

    private static let space = "com.amazonaws.swf.service.v2.model#"

    private static func refusal(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        var answer = response(
            HTTPStatus(code: status), ["__type": .string(space + type), "message": .string(message)])
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = message
        return answer
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.refusal(error.status.code, "SerializationException", "\(error)")
    }
}
