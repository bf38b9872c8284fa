import Access
import JSON
import Network
import Threads

/// `EvaluateCode` and `EvaluateMappingTemplate` of AppSync's own API, signed by an administrator or by one of the app's functions: tests of
/// resolvers call them.
struct EvaluationRoute: CloudService {
    private let callers: AdministratorCheck
    /// Code is read and run beside the loops: both take their time.
    private let workers = WorkersAside(waitingMax: EvaluationRoute.waitingMax)

    private static let service = "appsync"
    static let codePath = "/v1/dataplane-evaluatecode"
    private static let templatePath = "/v1/dataplane-evaluatetemplate"
    private static let bodyBytesMax = 1 << 20
    /// Evaluations that wait for one another.
    private static let waitingMax = 16
    private static let runtime = "APPSYNC_JS"

    init(_ callers: ServiceCallers) { self.callers = callers.of(Self.service) }

    var route: Route { .evaluation }
    var signedServices: [String] { [Self.service] }

    // Signatures for this service are on requests to the API too: only the paths tell.
    func isAt(_ head: HTTPRequestHead) -> Bool { head.path == Self.codePath || head.path == Self.templatePath }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.refusal(405, "BadRequestException", "Handlers are evaluated by POST.")
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        guard head.fields.contains("authorization") else {
            return .answer(Self.refusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token"))
        }
        return .collect(bodyMax: Self.bodyBytesMax) { request in await answer(request) }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let isCode = request.head.path == Self.codePath
        let action = isCode ? "EvaluateCode" : "EvaluateMappingTemplate"
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: action, now: Timestamp.now.seconds
        ) { [RightsDemand("\(Self.service):\(action)", .all(of: Self.service))] }
        if let refusal {
            var answer = Self.refusal(403, refusal.errorType, refusal.message)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        guard let value = try? JSONReader.value(of: body), value.object != nil else {
            return Self.refusal(400, "BadRequestException", "The body is no JSON object.")
        }
        guard let text = value["context"]?.string, let context = try? JSONReader.value(of: Array(text.utf8)) else {
            return Self.refusal(400, "BadRequestException", "The context must be a text with a JSON object.")
        }
        guard isCode else {
            guard let template = value["template"]?.string else {
                return Self.refusal(400, "BadRequestException", "A template is needed.")
            }
            return await answer(of: .template(template), context)
        }
        guard let code = value["code"]?.string else {
            return Self.refusal(400, "BadRequestException", "Code is needed.")
        }
        guard value["runtime"]?["name"]?.string == Self.runtime else {
            return Self.refusal(400, "BadRequestException", "The runtime must be \(Self.runtime).")
        }
        let function = value["function"]?.string ?? EvaluateCommand.functions[0]
        guard EvaluateCommand.functions.contains(function) else {
            return Self.refusal(400, "BadRequestException", "The function must be request or response.")
        }
        let isRequest = function == EvaluateCommand.functions[0]
        return await answer(of: .code(code, isRequest ? .request : .response), context)
    }

    private func answer(of subject: Evaluation.Subject, _ context: JSONValue) async -> HTTPResponse {
        let answer = await workers.value { Evaluation(subject, context).answer }
        guard let answer else {
            return Self.refusal(429, "TooManyRequestsException", "Too many handlers are being evaluated.")
        }
        return Self.response(.ok, .object(answer))
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"]),
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
        Self.refusal(error.status.code, "BadRequestException", "\(error)")
    }
}
