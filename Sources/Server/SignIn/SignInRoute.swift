import Access
import JSON
import Network
import Store
import UserPool

/// Cognito's two services over HTTP: told apart by the field `x-amz-target`, on any path.
struct SignInRoute: Sendable {
    let pool: UserPool
    private let answers: ServiceAnswer
    private let forwarding: Forwarding
    private let administrators: AdministratorCheck
    private let identityAdministrators: AdministratorCheck

    /// - Parameters:
    ///   - administrators: whose signatures are looked at where administration is asked for.
    ///   - functions: those of the app's own functions, which may ask for it too.
    init(
        _ pool: UserPool, _ answers: ServiceAnswer, _ forwarding: Forwarding, administrators: [PrincipalCredential],
        functions: FunctionRoles?
    ) {
        self.pool = pool
        self.answers = answers
        self.forwarding = forwarding
        self.administrators = AdministratorCheck(
            administrators, functions, service: Self.signedService, region: pool.identifiers.region)
        identityAdministrators = AdministratorCheck(
            administrators, functions, service: Self.identityService, region: pool.identifiers.region)
    }

    /// The service in the scope of signatures.
    private static let signedService = "cognito-idp"
    private static let identityService = "cognito-identity"

    static let bodyBytesMax = 256 << 10

    /// Returns whether a request is for one of the services, whatever its path and method.
    static func isTarget(_ head: HTTPRequestHead) -> Bool {
        head.fields["x-amz-target"].map(PoolCall.isTarget) ?? false
    }

    /// Answers a request whose body has come.
    func answer(_ request: HTTPRequest, on shard: PoolShard) async -> HTTPResponse {
        let head = request.head
        guard head.method == .post else {
            var answer = answers.refusal(
                PoolError("UnsupportedOperation", "The services are called by POST."), head, status: .methodNotAllowed)
            answer.fields.append("allow", "POST, OPTIONS")
            return answer
        }
        guard case .bytes(let body) = request.body,
            let base = forwarding.base(of: head, from: request.peer, isSecure: request.isSecure)
        else {
            return answers.refusal(PoolError("InvalidParameterException", "The request names no host."), head)
        }
        let target = head.fields["x-amz-target"] ?? ""
        let address = forwarding.client(of: head, from: request.peer)
        let isIdentity = PoolCall.isOfIdentityPool(target)
        let service = isIdentity ? Self.identityService : Self.signedService
        let resource =
            isIdentity
            ? PolicyResource(service, "identitypool/", pool.identifiers.identityPoolID)
            : PolicyResource(service, "userpool/", pool.identifiers.userPoolID)
        let check = isIdentity ? identityAdministrators : administrators
        let call = PoolCall(target: target, body: body, base: base, address: address) { action in
            check.refusal(of: request.credentials(body: body), for: action, now: Timestamp.now.seconds) {
                [RightsDemand("\(service):\(action)", resource)]
            }.map { PoolError($0.errorType, $0.firstLine) }
        }
        switch await pool.answer(call, on: shard) {
        case .success(let bytes): return answers.success(bytes, head)
        case .refusal(let error): return answers.refusal(error, head)
        }
    }
}

extension Refusal {
    /// What is told. The lines behind it, which repeat the request, are for people who look at a signature by hand.
    fileprivate var firstLine: String {
        String(decoding: message.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
