import Crypto
import JSON
import Synchronization

@testable import Access

/// An issuer of tokens, good and bad ones.
struct TestIssuer {
    static let now: Int64 = 1_800_000_000
    static let pool = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Test"
    static let provider = "https://provider.test"
    static let client = "client-1"

    /// Making keys takes long: all tests share these.
    static let main = TestIssuer(key: .makeRSA(), keyID: "key-1")
    static let other = TestIssuer(key: .makeRSA(), keyID: "key-2")

    let key: PrivateKey
    let keyID: String

    /// Claims of a good ID token.
    static func claims(_ changes: [(String, JSONValue?)] = []) -> JSONObject {
        var claims = JSONObject([
            ("sub", "sub-alice"), ("iss", .string(pool)), ("aud", .string(client)), ("token_use", "id"),
            ("cognito:username", "alice"), ("iat", .integer(now - 60)), ("auth_time", .integer(now - 60)),
            ("exp", .integer(now + 3600)),
        ])
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// A token; `header` replaces what the header says.
    func token(
        _ claims: JSONObject = claims(), header: [(String, JSONValue?)] = [], algorithm: SignatureAlgorithm = .rs256
    ) -> String {
        let text = signed(claims, header: header, algorithm: algorithm.rawValue)
        return "\(text).\(Base64.text(of: key.signature(of: Array(text.utf8), by: algorithm) ?? []))"
    }

    func signed(_ claims: JSONObject, header: [(String, JSONValue?)], algorithm: String) -> String {
        var head = JSONObject([("alg", .string(algorithm)), ("typ", "JWT"), ("kid", .string(keyID))])
        for (name, value) in header { head[name] = value }
        return [head, claims].map { Base64.text(of: JSONWriter.bytes(of: .object($0))) }.joined(separator: ".")
    }

    /// The key as others get to see it.
    var jwk: JSONObject {
        let numbers = key.publicKey.rsaNumbers
        return JSONObject([
            ("kty", "RSA"), ("alg", "RS256"), ("use", "sig"), ("kid", .string(keyID)),
            ("n", .string(Base64.text(of: numbers?.modulus ?? []))),
            ("e", .string(Base64.text(of: numbers?.exponent ?? []))),
        ])
    }

    static func keySet(_ keys: [JSONObject]) -> [UInt8] {
        JSONWriter.bytes(of: .object(JSONObject([("keys", .array(keys.map(JSONValue.object)))])))
    }
}

/// A service outside, as a test wants it to behave.
final class TestOutside: OutsideService {
    private let requests = Mutex<[OutsideRequest]>([])
    private let respond: @Sendable (OutsideRequest) async throws(OutsideError) -> OutsideResponse

    init(_ respond: @escaping @Sendable (OutsideRequest) async throws(OutsideError) -> OutsideResponse) {
        self.respond = respond
    }

    /// One that answers every request with the same body.
    convenience init(status: Int = 200, body: [UInt8]) {
        self.init { _ in OutsideResponse(status: status, body: body) }
    }

    var sent: [OutsideRequest] { requests.withLock { $0 } }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        requests.withLock { $0.append(request) }
        return try await respond(request)
    }
}

/// A clock that a test moves.
final class TestClock: Sendable {
    private let time = Mutex(TestIssuer.now)

    var seconds: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

/// What an authenticator says to the operator.
final class TestReports: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// An authenticator with requests to try on it.
struct TestGate {
    let authenticator: Authenticator
    let clock = TestClock()
    let reports = TestReports()

    init(_ settings: CredentialSettings) throws {
        authenticator = try Authenticator(
            settings, now: { [clock] in clock.seconds }, report: { [reports] in reports.add($0) })
    }

    static func request(_ fields: [(name: String, value: String)], body: String = "{}") -> CredentialRequest {
        CredentialRequest(path: "/graphql", fields: ListedFields(fields), body: Array(body.utf8))
    }

    func answer(_ fields: [(name: String, value: String)]) -> Authenticator.Answer {
        authenticator.identify(Self.request(fields))
    }

    /// Who is calling, or why not; asks outside where it must.
    func result(
        _ fields: [(name: String, value: String)], outside: any OutsideService = TestOutside(status: 500, body: [])
    ) async -> Result<Identity, Refusal> {
        switch answer(fields) {
        case .identity(let identity): return .success(identity)
        case .refused(let refusal): return .failure(refusal)
        case .pending(let pending):
            do throws(Refusal) {
                return .success(try await pending.identity(using: outside))
            } catch {
                return .failure(error)
            }
        }
    }

    func result(
        token: String, outside: any OutsideService = TestOutside(status: 500, body: [])
    ) async -> Result<Identity, Refusal> {
        await result([("Authorization", token)], outside: outside)
    }
}

extension Result where Success == Identity, Failure == Refusal {
    var identity: Identity? { try? get() }

    var refusal: Refusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}
