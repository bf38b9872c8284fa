import JSON
import Network
import UserPool

/// The one call of STS that is answered, `AssumeRoleWithWebIdentity`: parameters of a form or a query, and an answer in XML.
struct SecurityTokenRoute: Sendable {
    private let pool: UserPool
    private let crossOrigin: CrossOrigin

    static let bodyBytesMax = 64 << 10
    private static let parametersMax = 128

    init(_ pool: UserPool, _ crossOrigin: CrossOrigin) {
        self.pool = pool
        self.crossOrigin = crossOrigin
    }

    /// Whether a request may be such a call: its body says so, if it is a form.
    func mayAnswer(_ head: HTTPRequestHead) -> Bool {
        guard ByteText(head.path) == "/" else { return false }
        switch head.method {
        case .post:
            return head.fields["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        case .get: return AssumeRoleCall.isOne(Self.parameters(of: head.query))
        default: return false
        }
    }

    /// Nil: the form is something else.
    func answer(_ request: HTTPRequest, on shard: PoolShard) async -> HTTPResponse? {
        var text = request.head.query
        if request.head.method == .post {
            guard case .bytes(let body) = request.body else { return nil }
            text = String(decoding: body, as: UTF8.self)
        }
        let parameters = Self.parameters(of: text)
        guard AssumeRoleCall.isOne(parameters) else { return nil }
        let answer = QueryAnswer(namespace: Self.namespace, identifier: request.identifier)
        let fields = crossOrigin.fields(for: request.head)
        do throws(AssumeRoleCall.Fault) {
            let role = try await pool.assumeRole(AssumeRoleCall(parameters), on: shard)
            return answer.success("AssumeRoleWithWebIdentity", Self.content(of: role), fields)
        } catch {
            return answer.refusal(error.status, error.code, error.message, fields)
        }
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
