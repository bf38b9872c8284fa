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
        let identifier = request.identifier.description
        do throws(AssumeRoleCall.Fault) {
            let role = try await pool.assumeRole(AssumeRoleCall(parameters), on: shard)
            return response(.ok, Self.text(of: role, identifier), request.head)
        } catch {
            var answer = response(HTTPStatus(code: error.status), Self.text(of: error, identifier), request.head)
            answer.reason = error.message
            return answer
        }
    }

    private static func parameters(of text: String) -> [(name: String, value: String)] {
        HTTPPercentCoding.parameters(of: text, max: parametersMax)
    }

    private func response(_ status: HTTPStatus, _ text: String, _ head: HTTPRequestHead) -> HTTPResponse {
        var fields = crossOrigin.fields(for: head)
        fields.append("content-type", "text/xml")
        fields.append("cache-control", "no-store")
        return HTTPResponse(status: status, fields: fields, body: .bytes(Array(text.utf8)))
    }

    private static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"

    private static func text(of role: AssumedRole, _ identifier: String) -> String {
        let result = element(
            "AssumeRoleWithWebIdentityResult",
            element("SubjectFromWebIdentityToken", of: role.subject) + element("Audience", of: role.audience)
                + element(
                    "AssumedRoleUser",
                    element("Arn", of: role.userARN) + element("AssumedRoleId", of: role.roleID))
                + element(
                    "Credentials",
                    element("AccessKeyId", of: role.accessKeyID) + element("SecretAccessKey", of: role.secret)
                        + element("SessionToken", of: role.sessionToken)
                        + element("Expiration", of: Self.time(role.expires)))
                + element("Provider", of: role.provider))
        let metadata = element("ResponseMetadata", element("RequestId", of: identifier))
        return "<AssumeRoleWithWebIdentityResponse xmlns=\"\(namespace)\">\(result)\(metadata)"
            + "</AssumeRoleWithWebIdentityResponse>"
    }

    private static func text(of fault: AssumeRoleCall.Fault, _ identifier: String) -> String {
        let error = element(
            "Error",
            element("Type", of: fault.status < 500 ? "Sender" : "Receiver") + element("Code", of: fault.code)
                + element("Message", of: fault.message))
        return "<ErrorResponse xmlns=\"\(namespace)\">\(error)\(element("RequestId", of: identifier))</ErrorResponse>"
    }

    private static func time(_ seconds: Int64) -> String {
        var text: [UInt8] = []
        Timestamp(seconds: seconds).append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func element(_ name: String, _ content: String) -> String { "<\(name)>\(content)</\(name)>" }

    private static func element(_ name: String, of text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            // XML has no way to write them.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "?"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return element(name, escaped)
    }
}
