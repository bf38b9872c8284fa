import Access
import Crypto
import JSON
import Synchronization
import Testing

@testable import UserPool

/// A provider of OpenID Connect in the test's own hands.
final class ScriptedProvider: OutsideService {
    static let issuer = "https://login.example"
    static let google = "https://accounts.google.com"

    /// How it behaves.
    struct Script: Sendable {
        var issuer = ScriptedProvider.issuer
        /// What the sign-in sent along.
        var nonce = ""
        var claims: [(String, JSONValue?)] = []
        var subject = "1234"
        var head: [(String, JSONValue?)] = []
        var algorithm = SignatureAlgorithm.rs256
        /// Signs in the place of the provider's own key.
        var otherKey: PrivateKey?
        /// Changes the token behind its signature.
        var spoil: @Sendable (String) -> String = { $0 }
        var document: [(String, JSONValue?)] = []
        var tokens: [(String, JSONValue?)] = []
        var userInfo: JSONValue?
        /// Answers in its place, by the end of the address.
        var answers: [String: Result<(Int, String), OutsideError>] = [:]
        /// In seconds since 1970.
        var now: Int64 = 1_800_000_000
    }

    private let state: Mutex<Script>
    private let seen = Mutex<[OutsideRequest]>([])

    private static let rsa = PrivateKey.makeRSA()
    private static let signer = TokenSigner(rsa)
    static let strangersKey = PrivateKey.makeRSA()
    /// A key on P-256, and its two coordinates.
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLpry68CnYWOKwXi2
        sd1SZ1NLsBSmCgBZdNb8zfznbmahRANCAAR5xDbE/lTdrZHrQ9EFuWZGTyC3v4L0
        Ao8/dVnbMJH8j8ITq20J100uBBdYv9POCrDwTs1NLZSetjup2z812w+h
        -----END PRIVATE KEY-----
        """
    private static let curve: JSONValue = [
        "kty": "EC", "crv": "P-256", "use": "sig", "kid": "curve", "x": "ecQ2xP5U3a2R60PRBblmRk8gt7-C9AKPP3VZ2zCR_I8",
        "y": "whOrbQnXTS4EF1i_084KsPBOzU0tlJ62O6nbPzXbD6E",
    ]

    init(issuer: String = ScriptedProvider.issuer) {
        var script = Script()
        script.issuer = issuer
        state = Mutex(script)
    }

    var script: Script {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ change: (inout Script) -> Void) { state.withLock { change(&$0) } }

    /// What it was asked.
    var requests: [OutsideRequest] { seen.withLock { $0 } }

    /// The form of the last code that came back to it.
    var form: FormPairs? { requests.last { $0.method == "POST" }.flatMap { FormPairs($0.body) } }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        seen.withLock { $0.append(request) }
        let script = script
        let name = request.url.split(separator: "/").last.map(String.init) ?? ""
        if let answer = script.answers[name] {
            let (status, body) = try answer.get()
            guard body.utf8.count <= request.responseBytesMax else {
                throw .tooLarge(bytesMax: request.responseBytesMax)
            }
            return OutsideResponse(status: status, body: Array(body.utf8))
        }
        switch name {
        case "openid-configuration":
            return Self.response(
                [
                    ("issuer", .string(script.issuer)), ("authorization_endpoint", "https://login.example/authorize"),
                    ("token_endpoint", "https://login.example/token"), ("jwks_uri", "https://login.example/keys"),
                    ("userinfo_endpoint", script.userInfo == nil ? nil : "https://login.example/person"),
                ], script.document)
        case "keys":
            let own = LocalIssuer.entry(Self.rsa.publicKey, id: Self.signer.keyID)
            return Self.response([("keys", .array([own, Self.curve]))])
        case "token":
            let token = script.spoil(Self.token(script))
            return Self.response(
                [("id_token", .string(token)), ("access_token", "at"), ("token_type", "Bearer")], script.tokens)
        case "person": return OutsideResponse(status: 200, body: JSONWriter.bytes(of: script.userInfo ?? .null))
        default: return OutsideResponse(status: 404, body: [])
        }
    }

    private static func object(_ members: [(String, JSONValue?)], _ changes: [(String, JSONValue?)] = []) -> JSONObject
    {
        var object = JSONObject()
        for (name, value) in members + changes {
            if let value { object.set(name, to: value) } else { object.remove(name) }
        }
        return object
    }

    private static func response(_ members: [(String, JSONValue?)], _ changes: [(String, JSONValue?)] = [])
        -> OutsideResponse
    {
        OutsideResponse(status: 200, body: JSONWriter.bytes(of: .object(object(members, changes))))
    }

    /// The ID token of a script.
    private static func token(_ script: Script) -> String {
        let isCurve = script.algorithm == .es256
        let head = object(
            [
                ("alg", .string(script.algorithm.rawValue)), ("kid", .string(isCurve ? "curve" : signer.keyID)),
                ("typ", "JWT"),
            ], script.head)
        let claims = object(
            [
                ("iss", .string(script.issuer)), ("aud", "our-client"), ("sub", .string(script.subject)),
                ("nonce", .string(script.nonce)), ("iat", .integer(script.now)), ("exp", .integer(script.now + 300)),
                ("email", "ann@example.com"), ("name", "Ann <b>"),
            ], script.claims)
        func text(_ object: JSONObject) -> String { Base64.text(of: JSONWriter.bytes(of: .object(object))) }
        let signed = "\(text(head)).\(text(claims))"
        let key = script.otherKey ?? (isCurve ? PrivateKey(pem: Array(pem.utf8)) : rsa)
        let signature = key?.signature(of: Array(signed.utf8), by: script.algorithm) ?? []
        return "\(signed).\(Base64.text(of: signature))"
    }

    /// As a provider of the pool.
    static func provider(
        _ kind: IdentityProvider.Kind = .oidc, name: String = "Login", issuer: String = issuer
    ) -> IdentityProvider {
        var provider = IdentityProvider(kind, name: kind == .oidc ? name : nil, clientID: "our-client", issuer: issuer)
        provider.proof = .secret("our secret")
        provider.identifiers = ["login.example"]
        return provider
    }
}

extension HostedBrowser {
    /// A pool with that provider, and a browser in front of it.
    static func at(
        _ scripted: ScriptedProvider, _ kind: IdentityProvider.Kind = .oidc, expectsReports: Bool = false,
        _ change: (inout PoolSettings) -> Void = { _ in }
    ) throws -> HostedBrowser {
        try HostedBrowser(outside: scripted, expectsReports: expectsReports) { settings in
            settings.providers = [ScriptedProvider.provider(kind, issuer: scripted.script.issuer)]
            change(&settings)
        }
    }

    static func query(by provider: String, _ changes: [(String, String?)] = []) -> [(String, String)] {
        query(changes + [("identity_provider", provider)])
    }

    /// Goes to the provider; what the app's address is answered.
    func leave(for provider: String = "Login", _ changes: [(String, String?)] = []) async -> HostedAnswer {
        await get(.authorize, Self.query(by: provider, changes))
    }

    /// Comes back from there with a code.
    func comeBack(
        after left: HostedAnswer, from scripted: ScriptedProvider,
        _ more: [(String, String)] = [("code", "c0de-of-theirs")]
    ) async throws -> HostedAnswer {
        let state = try #require(left.parameter("state"))
        let nonce = left.parameter("nonce") ?? ""
        scripted.change { $0.nonce = nonce }
        return await get(.providerAnswer, [("state", state)] + more)
    }

    /// Signs in by the provider.
    func arrive(
        by provider: String = "Login", _ scripted: ScriptedProvider, _ changes: [(String, String?)] = []
    ) async throws -> HostedAnswer {
        try await comeBack(after: await leave(for: provider, changes), from: scripted)
    }

    /// The user as an administrator sees them.
    func user(_ name: String) async throws -> JSONValue {
        try await call(
            "AdminGetUser", ["UserPoolId": "us-east-1_abcDEF123", "Username": .string(name)], by: true)
    }
}

extension JSONValue {
    /// An attribute of a user.
    func attribute(_ name: String) -> String? {
        self["UserAttributes"]?.array?.first { $0["Name"] == .string(name) }?["Value"]?.string
    }
}
