import Access
import Cloud
import JSON
import Network
import UserPool

/// The calls of STS that are answered, `AssumeRoleWithWebIdentity` and `GetCallerIdentity`: parameters of a form or a query, and an
/// answer in XML.
struct SecurityTokenRoute: Sendable {
    /// Nil where the pool is somebody else's.
    private let pool: UserPool?
    private let crossOrigin: CrossOrigin
    private let signers: SignerCheck

    static let bodyBytesMax = 64 << 10
    private static let parametersMax = 128
    static let service = "sts"
    private static let callerIdentity = "GetCallerIdentity"

    /// - Parameters:
    ///   - credentials: the keys that are configured.
    ///   - given: those that this server gives out for a time.
    init(
        _ pool: UserPool?, _ crossOrigin: CrossOrigin, _ credentials: [PrincipalCredential], _ given: GivenCredentials
    ) {
        self.pool = pool
        self.crossOrigin = crossOrigin
        signers = SignerCheck(credentials, given, service: Self.service, region: nil)
    }

    /// Returns whether a request may be such a call: its body says so, if it is a form.
    func mayAnswer(_ head: HTTPRequestHead) -> Bool {
        guard ByteText(head.path) == "/" else { return false }
        switch head.method {
        case .post:
            return head.fields["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        case .get:
            let parameters = Self.parameters(of: head.query)
            return Self.action(of: parameters) == Self.callerIdentity || AssumeRoleCall.isOne(parameters)
        default: return false
        }
    }

    /// Nil: the form is something else.
    func answer(_ request: HTTPRequest, on shard: PoolShard) async -> HTTPResponse? {
        var text = request.head.query
        var body: [UInt8] = []
        if request.head.method == .post {
            guard case .bytes(let bytes) = request.body else { return nil }
            body = bytes
            text = String(decoding: body, as: UTF8.self)
        }
        let parameters = Self.parameters(of: text)
        let answer = QueryAnswer(namespace: Self.namespace, identifier: request.identifier)
        let fields = crossOrigin.fields(for: request.head)
        let action = Self.action(of: parameters)
        if action == Self.callerIdentity { return whoCalls(request, body, answer, fields) }
        guard let pool, AssumeRoleCall.isOne(parameters) else {
            guard Self.isSigned(request.head) else { return nil }
            return answer.refusal(
                400, "InvalidAction", "Could not find operation \(action) for version 2011-06-15", fields)
        }
        do throws(AssumeRoleCall.Fault) {
            let role = try await pool.assumeRole(AssumeRoleCall(parameters), on: shard)
            return answer.success("AssumeRoleWithWebIdentity", Self.content(of: role), fields)
        } catch {
            return answer.refusal(error.status, error.code, error.message, fields)
        }
    }

    /// The signer of a request: administrators, functions and identities all may know.
    private func whoCalls(
        _ request: HTTPRequest, _ body: [UInt8], _ answer: QueryAnswer, _ fields: HTTPFieldLines
    ) -> HTTPResponse {
        do throws(Refusal) {
            let caller = try signers.principal(of: request.credentials(body: body), now: Timestamp.now.seconds)
            let content = JSONObject([
                ("Arn", .string(caller.userARN)), ("UserId", .string(caller.username)),
                ("Account", .string(caller.accountID)),
            ])
            return answer.success(Self.callerIdentity, content, fields)
        } catch {
            return answer.refusal(403, error.formCode, error.message, fields)
        }
    }

    /// Returns whether a request is signed for this service.
    private static func isSigned(_ head: HTTPRequestHead) -> Bool {
        head.fields.withValue(of: "authorization") { text in
            SignatureHeader.service(in: text)?.elementsEqual(service.utf8) ?? false
        } ?? false
    }

    private static func action(of parameters: [(name: String, value: String)]) -> String {
        parameters.first { $0.name == "Action" }?.value ?? ""
    }

    private static func parameters(of text: String) -> [(name: String, value: String)] {
        HTTPPercentCoding.parameters(of: text, max: parametersMax)
    }

    private static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"

    private static func content(of role: AssumedRole) -> JSONObject {
        let user = JSONObject([("Arn", .string(role.userARN)), ("AssumedRoleId", .string(role.roleID))])
        let credentials = JSONObject([
            ("AccessKeyId", .string(role.accessKeyID)), ("SecretAccessKey", .string(role.secret)),
            ("SessionToken", .string(role.sessionToken)), ("Expiration", .string(time(role.expires))),
        ])
        return JSONObject([
            ("SubjectFromWebIdentityToken", .string(role.subject)), ("Audience", .string(role.audience)),
            ("AssumedRoleUser", .object(user)), ("Credentials", .object(credentials)),
            ("Provider", .string(role.provider)),
        ])
    }

    private static func time(_ seconds: Int64) -> String {
        var text: [UInt8] = []
        Timestamp(seconds: seconds).append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
