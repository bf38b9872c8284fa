import Access
import Crypto
import JSON
import Store

/// The identity pool's own token (`GetOpenIdToken`): it is good for STS alone.
struct OpenIDToken: Sendable {
    let identity: String
    let isSignedIn: Bool
    /// The sign-in of the login that was shown for it.
    let origin: String?

    static let issuer = "https://cognito-identity.amazonaws.com"
    fileprivate static let lifeSeconds: Int64 = 600
    fileprivate static let signedIn = "authenticated"
    fileprivate static let guest = "unauthenticated"

    /// Why a text is no such token.
    enum Fault: Error {
        case invalid
        case expired
    }

    /// Proves a token.
    init(_ text: String, keys: PoolKeys, of identifiers: PoolIdentifiers, nowSeconds: Int64) throws(Fault) {
        let token: JSONWebToken
        do throws(PoolTokenFault) { token = try JSONWebToken(text, provedBy: keys) } catch { throw .invalid }
        guard token.claims["iss"]?.text == ByteText(Self.issuer),
            token.claims["aud"]?.text == ByteText(identifiers.identityPoolID), let identity = token.text("sub"),
            let expires = token.time("exp"),
            let methods = token.claims["amr"]?.array?.compactMap(\.text)
        else { throw .invalid }
        guard expires > nowSeconds else { throw .expired }
        self.identity = identity
        isSignedIn = methods.contains(ByteText(Self.signedIn))
        origin = token.text("origin_jti")
    }
}

extension PoolRun {
    /// A token that says who an identity is, and whether it has signed in.
    func openIDToken(of identity: ShownIdentity) async throws(PoolError) -> String {
        let provider = pool.identifiers.providerName
        let methods: [JSONValue] =
            if let login = identity.login {
                [
                    .string(OpenIDToken.signedIn), .string(provider),
                    .string("\(provider):CognitoSignIn:\(login.subject)"),
                ]
            } else {
                [.string(OpenIDToken.guest)]
            }
        let seconds = now / 1_000
        var content = JSONObject([
            ("sub", .string(identity.id)), ("aud", .string(pool.identifiers.identityPoolID)),
            ("amr", .array(methods)), ("iss", .string(OpenIDToken.issuer)),
            ("exp", .integer(seconds + OpenIDToken.lifeSeconds)), ("iat", .integer(seconds)),
            ("jti", .string(UUIDText.random())),
        ])
        content["origin_jti"] = identity.login?.origin.map(JSONValue.string)
        let claims = JSONWriter.bytes(of: .object(content))
        let keys = try await pool.tokenKeys()
        return try await aside { keys.signer.token(claims: claims) }
    }
}
