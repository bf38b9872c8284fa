import Access
import Crypto
import JSON
import Store

/// The identity pool's own token: that of `GetOpenIdToken` is good for STS alone. That of a user of the app's backend
/// (`GetOpenIdTokenForDeveloperIdentity`) is a login as well.
struct OpenIDToken: Sendable {
    let identity: String
    let isSignedIn: Bool
    /// The sign-in of the login that was shown for it.
    let origin: String?
    /// The user of the app's backend whom it was made for.
    let developer: DeveloperLogin?

    /// The name of the pool where its own token is a login.
    static let providerName = "cognito-identity.amazonaws.com"
    static let issuer = "https://\(providerName)"
    fileprivate static let lifeSeconds: Int64 = 600
    fileprivate static let signedIn = "authenticated"
    fileprivate static let guest = "unauthenticated"

    /// Why a text is no such token.
    enum Fault: Error {
        case invalid
        case expired
    }

    /// Proves a token.
    init(
        _ text: String, keys: PoolKeys, of identifiers: PoolIdentifiers, _ settings: PoolSettings, nowSeconds: Int64
    ) throws(Fault) {
        let token: JSONWebToken
        do throws(PoolTokenFault) { token = try JSONWebToken(text, provedBy: keys) } catch { throw .invalid }
        guard token.claims["iss"]?.text == ByteText(Self.issuer),
            token.claims["aud"]?.text == ByteText(identifiers.identityPoolID), let identity = token.text("sub"),
            let expires = token.time("exp"),
            let methods = token.claims["amr"]?.array?.compactMap(\.text), let first = methods.first
        else { throw .invalid }
        guard expires > nowSeconds else { throw .expired }
        self.identity = identity
        isSignedIn = first == ByteText(Self.signedIn)
        origin = token.text("origin_jti")
        if methods.count == 3, methods[1] == ByteText(identifiers.providerName) {
            developer = nil
        } else if isSignedIn {
            // Of another backend, or of one that has gone, it is no token any more.
            guard methods.count == 3, let provider = settings.developerProvider, methods[1] == ByteText(provider),
                let login = DeveloperLogin(methods[2].string, of: provider, in: identifiers.identityPoolID)
            else { throw .invalid }
            developer = login
        } else {
            developer = nil
        }
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
        return try await openIDToken(
            of: identity.id, methods, seconds: OpenIDToken.lifeSeconds, origin: identity.login?.origin)
    }

    /// A token that says who an identity is, for a user of the app's backend.
    func openIDToken(
        of identity: String, _ login: DeveloperLogin, seconds: Int64
    ) async throws(PoolError) -> String {
        try await openIDToken(
            of: identity,
            [
                .string(OpenIDToken.signedIn), .string(login.provider),
                .string(login.name(in: pool.identifiers.identityPoolID)),
            ], seconds: seconds, origin: nil)
    }

    private func openIDToken(
        of identity: String, _ methods: [JSONValue], seconds life: Int64, origin: String?
    ) async throws(PoolError) -> String {
        let seconds = now / 1_000
        var content = JSONObject([
            ("sub", .string(identity)), ("aud", .string(pool.identifiers.identityPoolID)),
            ("amr", .array(methods)), ("iss", .string(OpenIDToken.issuer)), ("exp", .integer(seconds + life)),
            ("iat", .integer(seconds)), ("jti", .string(UUIDText.random())),
        ])
        content["origin_jti"] = origin.map(JSONValue.string)
        let claims = JSONWriter.bytes(of: .object(content))
        let keys = try await pool.tokenKeys()
        return try await aside { keys.signer.token(claims: claims) }
    }
}
