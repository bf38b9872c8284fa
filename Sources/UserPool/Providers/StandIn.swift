import Access
import Crypto
import JSON
import Synchronization

/// Takes the place of a provider on a developer's machine: a page of this server asks who somebody wants to be, and this answers
/// as the provider would, without a way over the network. Everything else is as with the provider itself.
final class StandIn: OutsideService {
    private let seal: Seal
    private let clock: @Sendable () -> Int64
    /// Makes the key beside the loops.
    private let aside: @Sendable (@escaping @Sendable () -> TokenSigner) async -> TokenSigner?
    private let made = Mutex<TokenSigner?>(nil)

    private static let purpose = Array("stand-in".utf8)
    private static let codeMilliseconds: Int64 = 60_000
    private static let tokenSeconds: Int64 = 300
    static let subjectDigits = 21

    /// Whom somebody says to be.
    struct Person: Sendable {
        let email: String
        let name: String
    }

    init(
        seal: Seal, clock: @escaping @Sendable () -> Int64,
        aside: @escaping @Sendable (@escaping @Sendable () -> TokenSigner) async -> TokenSigner?
    ) {
        self.seal = seal
        self.clock = clock
        self.aside = aside
    }

    // MARK: The page's part

    /// The code for a person, of the request that a browser has brought.
    func code(for person: Person, _ provider: IdentityProvider, nonce: String, challenge: String, redirect: String)
        -> String
    {
        let content = JSONWriter.bytes(of: [
            "p": .string(provider.issuer), "m": .string(person.email), "n": .string(person.name),
            "o": .string(nonce), "c": .string(challenge), "r": .string(redirect),
            "e": .integer(clock() + Self.codeMilliseconds),
        ])
        return Base64.text(of: seal.seal(content, for: Self.purpose))
    }

    // MARK: The provider's part

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        let slash = UInt8(ascii: "/")
        let parts = request.url.utf8.split(separator: slash, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { throw .invalidURL(request.url) }
        let issuer = "https://\(Substring(parts[2]))"
        switch ByteText(Substring(parts[3])) {
        case ".well-known/openid-configuration":
            return Self.response(
                200,
                [
                    "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
                    "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                ])
        case "keys":
            guard let signer = await signer() else { throw .unreachable("there is no key") }
            return Self.response(200, ["keys": [LocalIssuer.entry(signer.publicKey, id: signer.keyID)]])
        case "token":
            guard let signer = await signer() else { throw .unreachable("there is no key") }
            guard let form = FormPairs(request.body), let claims = claims(for: form, issuer) else {
                return Self.response(400, ["error": "invalid_grant"])
            }
            let token = signer.token(claims: JSONWriter.bytes(of: .object(claims)))
            return Self.response(200, ["access_token": "none", "token_type": "Bearer", "id_token": .string(token)])
        default: return Self.response(404, ["error": "not_found"])
        }
    }

    private static func response(_ status: Int, _ content: JSONValue) -> OutsideResponse {
        OutsideResponse(status: status, body: JSONWriter.bytes(of: content))
    }

    /// What the ID token for a code says.
    private func claims(for form: FormPairs, _ issuer: String) -> JSONObject? {
        guard let code = form["code"], let bytes = Base64.bytes(of: code.utf8),
            let plain = seal.open(bytes, for: Self.purpose), let content = try? JSONReader.value(of: plain),
            let expires = content["e"]?.integer, expires > clock(), content["p"]?.text == ByteText(issuer),
            let redirect = form["redirect_uri"], content["r"]?.text == ByteText(redirect),
            let verifier = form["code_verifier"],
            content["c"]?.text == ByteText(Base64.text(of: Digest.sha256.of(Array(verifier.utf8)))),
            let client = form["client_id"], let email = content["m"]?.string, let name = content["n"]?.string,
            let nonce = content["o"]?.string
        else { return nil }
        let now = clock() / 1_000
        let names = name.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        var claims = JSONObject([
            ("iss", .string(issuer)), ("aud", .string(client)), ("sub", .string(Self.subject(of: email, issuer))),
            ("nonce", .string(nonce)), ("iat", .integer(now)), ("exp", .integer(now + Self.tokenSeconds)),
            ("email", .string(email)), ("email_verified", true), ("name", .string(name)),
        ])
        if let first = names.first {
            let others = names.dropFirst().joined(separator: " ")
            for (claim, value) in [
                ("given_name", first), ("family_name", others), ("firstName", first), ("lastName", others),
            ]
            where !value.isEmpty { claims.set(claim, to: .string(value)) }
        }
        return claims
    }

    /// The same address is the same user, whatever was deleted in between.
    static func subject(of email: String, _ issuer: String) -> String {
        let digest = Digest.sha256.of(Array("\(issuer) \(email.lowercased())".utf8))
        return "1" + digest.prefix(subjectDigits - 1).map { String($0 % 10) }.joined()
    }

    private func signer() async -> TokenSigner? {
        if let made = made.withLock({ $0 }) { return made }
        return await aside { [self] in
            made.withLock { made in
                let signer = made ?? TokenSigner(PrivateKey.makeRSA())
                made = signer
                return signer
            }
        }
    }
}
