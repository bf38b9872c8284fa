import Access
import JSON
import Network
import Threads

/// Systems Manager's parameters and Secrets Manager's secrets over HTTP: told apart by the field `x-amz-target`, on any path, signed by an
/// administrator or by one of the app's functions.
struct ParameterRoute: CloudService {
    let store: ParameterStore
    private let parameters: ParameterCalls
    private let secrets: SecretCalls
    private let parameterCallers: AdministratorCheck
    private let secretCallers: AdministratorCheck
    /// Calls wait for the disk.
    private let disk = WorkersAside(threadsMax: 1, niceness: 0)

    private static let parameterTarget = "AmazonSSM"
    private static let secretTarget = "secretsmanager"

    /// - Parameter environment: that of the server's process, whose variables may be secrets.
    init(
        _ configuration: Configuration, _ callers: ServiceCallers, region: String, environment: [String: String]
    ) {
        let store = ParameterStore(in: configuration.database == .memory ? nil : configuration.data)
        self.store = store
        let given = GivenSecrets(
            in: configuration.data, environment: environment, functions: configuration.functions.keys.sorted())
        let accountID = IAMPrincipal.exampleAccountID
        parameters = ParameterCalls(store: store, given: given, region: region, accountID: accountID)
        secrets = SecretCalls(store: store, given: given, region: region, accountID: accountID)
        (parameterCallers, secretCallers) = (callers.of("ssm"), callers.of("secretsmanager"))
    }

    var route: Route { .parameters }
    var targets: [String] { [Self.parameterTarget, Self.secretTarget] }
    var scopes: [String] { ["ssm", "secretsmanager"] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.refusal(
                ParameterFault("UnsupportedOperation", "The services are called by POST.", status: 405))
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.refusal(ParameterFault("MissingAuthenticationTokenException", "Missing Authentication Token")))
        }
        return .collect(bodyMax: ParameterLimits.bodyBytesMax) { request in
            await BesideLoop.ifLong(request) { await answer(request) }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let target = request.head.fields["x-amz-target"] ?? ""
        let parts = target.parts(separatedBy: ".")
        let isParameter = parts[0] != Self.secretTarget
        let operation = parts.count == 2 && targets.contains(parts[0]) ? parts[1] : ""
        let callers = isParameter ? parameterCallers : secretCallers
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: operation, now: Timestamp.now.seconds
        ) { ParameterDemand.demands(operation, isParameter: isParameter, ParameterInput.value(of: body)) }
        if let refusal {
            var answer = Self.refusal(ParameterFault(refusal.errorType, refusal.message))
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        let result = await disk.value { [parameters, secrets] () -> Result<JSONObject?, ParameterFault> in
            do throws(ParameterFault) {
                let input = try ParameterInput(body)
                return .success(
                    try isParameter ? parameters.answer(operation, input) : secrets.answer(operation, input))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let members?)?: return Self.response(.ok, .object(members))
        case .success(nil)?:
            return Self.refusal(
                ParameterFault("UnknownOperationException", "\(target) is none of the operations that are served here.")
            )
        case .failure(let fault)?: return Self.refusal(fault)
        case nil: return Self.refusal(ParameterFault("ThrottlingException", "Rate exceeded"))
        }
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines(["content-type": "application/x-amz-json-1.1", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: body)))
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.refusal(ParameterFault("SerializationException", "\(error)", status: error.status.code))
    }

    private static func refusal(_ fault: ParameterFault) -> HTTPResponse {
        // Systems Manager writes the one, Secrets Manager the other.
        var answer = response(
            HTTPStatus(code: fault.status),
            ["__type": .string(fault.type), "message": .string(fault.message), "Message": .string(fault.message)])
        answer.fields.append("x-amzn-errortype", fault.type)
        answer.reason = "\(fault.type): \(fault.message)"
        return answer
    }
}
