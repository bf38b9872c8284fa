import Crypto
import JSON
import Network
import Synchronization
import TestSupport

/// A provider of OpenID Connect on a server of its own, which does as the test wants.
final class ProviderService: HTTPApplication {
    /// What its answer to a code is.
    enum Behaviour: Sendable {
        case claims([(String, JSONValue?)])
        case head([(String, JSONValue)])
        case unsigned
        case stranger
        case status(HTTPStatus)
        case redirect(String)
        case huge
        case silence
    }

    private struct State {
        var behaviour = Behaviour.claims([])
        var issuer = ""
        var nonce = ""
        var codes: [String] = []
    }

    private let state = Mutex(State())
    /// Ends when the test does.
    private let end = AsyncStream<Void>.makeStream()

    private static let key = PrivateKey.makeRSA()
    private static let strangersKey = PrivateKey.makeRSA()
    private static let keyID = "the key"

    func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    /// What its next token says that its sign-in sent along.
    func expect(nonce: String) { state.withLock { $0.nonce = nonce } }

    /// The bodies of the requests for tokens.
    var forms: [String] { state.withLock { $0.codes } }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        let state = state.withLock { $0 }
        switch head.path {
        case "/.well-known/openid-configuration":
            return .answer(
                Self.json([
                    "issuer": .string(state.issuer), "authorization_endpoint": .string("\(state.issuer)/authorize"),
                    "token_endpoint": .string("\(state.issuer)/token"), "jwks_uri": .string("\(state.issuer)/keys"),
                ]))
        case "/keys":
            let numbers = Self.key.publicKey.rsaNumbers
            return .answer(
                Self.json([
                    "keys": [
                        [
                            "kty": "RSA", "kid": .string(Self.keyID), "use": "sig",
                            "n": .string(Base64.text(of: numbers?.modulus ?? [])),
                            "e": .string(Base64.text(of: numbers?.exponent ?? [])),
                        ]
                    ]
                ]))
        case "/token":
            return .collect(bodyMax: 64 << 10) { [self] request in
                if case .bytes(let body) = request.body {
                    self.state.withLock { $0.codes.append(String(decoding: body, as: UTF8.self)) }
                }
                return await answer(state)
            }
        default: return .answer(HTTPResponse(status: .notFound))
        }
    }

    private func answer(_ state: State) async -> HTTPResponse {
        switch state.behaviour {
        case .status(let status): return HTTPResponse(status: status)
        case .redirect(let address):
            var fields = HTTPFieldLines()
            fields.append("location", address)
            return HTTPResponse(status: HTTPStatus(code: 302), fields: fields)
        case .huge: return HTTPResponse(body: .bytes([UInt8](repeating: 0x20, count: 4 << 20)))
        case .silence:
            for await _ in end.stream {}
            return HTTPResponse()
        case .claims, .head, .unsigned, .stranger:
            return Self.json(["access_token": "at", "token_type": "Bearer", "id_token": .string(Self.token(state))])
        }
    }

    private static func json(_ content: JSONValue) -> HTTPResponse {
        HTTPResponse(body: .bytes(JSONWriter.bytes(of: content)))
    }

    private static func token(_ state: State) -> String {
        let now = Timestamp.now.seconds
        var head = JSONObject([("alg", "RS256"), ("kid", .string(keyID))])
        var claims = JSONObject([
            ("iss", .string(state.issuer)), ("aud", "our-client"), ("sub", "1234"), ("nonce", .string(state.nonce)),
            ("iat", .integer(now)), ("exp", .integer(now + 300)), ("email", "ann@example.com"),
        ])
        if case .claims(let changes) = state.behaviour {
            for (name, value) in changes {
                if let value { claims.set(name, to: value) } else { claims.remove(name) }
            }
        }
        if case .head(let changes) = state.behaviour { for (name, value) in changes { head.set(name, to: value) } }
        func text(_ object: JSONObject) -> String { Base64.text(of: JSONWriter.bytes(of: .object(object))) }
        let signed = "\(text(head)).\(text(claims))"
        if case .unsigned = state.behaviour { return "\(signed)." }
        var key = key
        if case .stranger = state.behaviour { key = strangersKey }
        return "\(signed).\(Base64.text(of: key.signature(of: Array(signed.utf8), by: .rs256) ?? []))"
    }

    /// Runs a body with such a provider, and a browser in front of a server that knows it.
    static func run(_ body: (ProviderService, PageBrowser) async throws -> Void) async throws {
        let service = ProviderService()
        let server = try await LoopbackServer(service)
        service.state.withLock { $0.issuer = server.url }
        let setting =
            #"[{"kind":"oidc","name":"Login","clientId":"our-client","clientSecret":"our secret","issuer":"\#(server.url)"}]"#
        let browser = PageBrowser(
            try HomeportProcess(
                environment: PageBrowser.environment.merging(["HOMEPORT_AUTH_PROVIDERS": setting]) { $1 }))
        try await body(service, browser)
        service.end.continuation.finish()
        await server.stop()
    }
}
