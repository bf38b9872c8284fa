import Access
import JSON
import Network
import Store
import UserPool

/// Cognito's two services over HTTP: told apart by the field `x-amz-target`, on any path.
struct SignInRoute: Sendable {
    let pool: UserPool
    private let crossOrigin: CrossOrigin
    private let administrators: AdministratorCheck

    /// - Parameter administrators: whose signatures are looked at where administration is asked for.
    init(_ pool: UserPool, _ crossOrigin: CrossOrigin, administrators: [PrincipalCredential]) {
        self.pool = pool
        self.crossOrigin = crossOrigin
        self.administrators = AdministratorCheck(
            administrators, service: Self.signedService, region: pool.identifiers.region)
    }

    /// The service in the scope of signatures.
    private static let signedService = "cognito-idp"

    static let bodyBytesMax = 256 << 10

    /// Whether a request is for one of the services, whatever its path and method.
    static func isTarget(_ head: HTTPRequestHead) -> Bool {
        head.fields["x-amz-target"].map(PoolCall.isTarget) ?? false
    }

    /// Whether a page asks if it may send such a request.
    static func isPreflight(_ head: HTTPRequestHead) -> Bool {
        head.method == .options && head.fields.list("access-control-request-headers", contains: "x-amz-target")
    }

    /// Answers a request whose body has come.
    func answer(_ request: HTTPRequest, on shard: PoolShard) async -> HTTPResponse {
        let head = request.head
        guard head.method == .post else {
            return refusal(
                PoolError("UnsupportedOperation", "The services are called by POST."), head, status: .methodNotAllowed)
        }
        guard case .bytes(let body) = request.body, let base = Self.base(of: request) else {
            return refusal(PoolError("InvalidParameterException", "The request names no host."), head)
        }
        let target = head.fields["x-amz-target"] ?? ""
        let call = PoolCall(target: target, body: body, base: base, address: request.peer.hostText) {
            [administrators] action in
            administrators.refusal(of: request.credentials(body: body), for: action, now: Timestamp.now.seconds)
                .map { PoolError($0.errorType, $0.firstLine) }
        }
        switch await pool.answer(call, on: shard) {
        case .success(let bytes): return response(.ok, bytes, head)
        case .refusal(let error): return refusal(error, head)
        }
    }

    /// Scheme and authority by which the server was called. The name has been checked: it is one of the server's.
    private static func base(of request: HTTPRequest) -> String? {
        request.head.authority.map { "\(request.isSecure ? "https" : "http")://\($0)" }
    }

    /// A refusal as these services word it: clients read it as JSON, whoever refuses.
    func refusal(_ error: PoolError, _ head: HTTPRequestHead?, status: HTTPStatus? = nil) -> HTTPResponse {
        let content: JSONValue = ["__type": .string(error.type), "message": .string(error.message)]
        var answer = response(status ?? HTTPStatus(code: error.status), JSONWriter.bytes(of: content), head)
        answer.fields.append("x-amzn-errortype", "\(error.type):")
        answer.fields.append("x-amzn-errormessage", Self.fieldText(error.message))
        answer.reason = error.message
        return answer
    }

    private func response(_ status: HTTPStatus, _ body: [UInt8], _ head: HTTPRequestHead?) -> HTTPResponse {
        var fields = crossOrigin.fields(for: head)
        fields.append("content-type", "application/x-amz-json-1.1")
        fields.append("cache-control", "no-store")
        return HTTPResponse(status: status, fields: fields, body: .bytes(body))
    }

    /// A text as a field can hold it: a request's own words, line breaks among them, may be in it.
    private static func fieldText(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension Refusal {
    /// What is told. The lines behind it, which repeat the request, are for people who look at a signature by hand.
    fileprivate var firstLine: String {
        String(decoding: message.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
