import Access
import Cloud
import JSON
import Network
import UserPool

/// STS among the doors of sign-in: a form without a signature may be its own, and pages call it.
struct SecurityTokenRoute: Sendable {
    private let door: ServiceDoor
    private let crossOrigin: CrossOrigin

    static let bodyBytesMax = 64 << 10
    private static let parametersMax = 64

    /// - Parameters:
    ///   - credentials: the keys that are configured.
    ///   - given: those that this server gives out for a time.
    init(
        _ pool: UserPool?, _ crossOrigin: CrossOrigin, _ credentials: [PrincipalCredential], _ given: GivenCredentials
    ) {
        self.crossOrigin = crossOrigin
        let signers = AdministratorCheck(credentials, given, service: SecurityTokenCalls.service, region: nil)
        door = ServiceDoor(SecurityTokenCalls(pool: pool).table, signers) { $0.credentials(body: $1) }
    }

    /// Returns whether a request may be such a call: its body says so, if it is a form.
    func mayAnswer(_ head: HTTPRequestHead) -> Bool {
        guard ByteText(head.path) == "/" else { return false }
        switch head.method {
        case .post:
            return head.fields["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        case .get: return isCall(head.query)
        default: return false
        }
    }

    /// Nil: the form is something else.
    func answer(
        _ request: HTTPRequest, on shard: @escaping @Sendable (EventLoop) -> LoopShard
    ) async -> HTTPResponse? {
        if request.head.method == .post {
            guard case .bytes(let body) = request.body,
                isCall(String(decoding: body, as: UTF8.self)) || Self.isSigned(request.head)
            else { return nil }
        }
        var answer = await door.answer(request) { shard(request.loop) }
        answer.fields.append(crossOrigin.fields(for: request.head))
        return answer
    }

    /// Returns whether parameters are those of a call of this service, be it one that is not served.
    private func isCall(_ parameters: String) -> Bool {
        HTTPPercentCoding.parameters(of: parameters, max: Self.parametersMax).contains { parameter in
            switch parameter.name {
            case "Action": door.table.operation(named: parameter.value) != nil
            case "Version": parameter.value == AssumeRoleCall.version
            default: false
            }
        }
    }

    /// Returns whether a request is signed for this service.
    private static func isSigned(_ head: HTTPRequestHead) -> Bool {
        head.fields.withValue(of: "authorization") { text in
            SignatureHeader.service(in: text)?.elementsEqual(SecurityTokenCalls.service.utf8) ?? false
        } ?? false
    }
}
