import Access
import JSON

/// Who calls with an access token: the user, and the sign-in that the token came of.
struct SignedInUser: Sendable {
    let user: User
    let signIn: SignInRecord
    let scopes: Set<ByteText>
    /// The app that the token was given to.
    let client: AppClient
}

extension PoolRun {
    /// The user of the request's `AccessToken`, which has to be good for the API and must not have been taken back.
    func signedInUser() async throws(PoolError) -> SignedInUser {
        try await signedInUser(input.required("AccessToken"), needing: Self.userScope)
    }

    /// The same for any access token and scope.
    func signedInUser(_ text: String, needing scope: String) async throws(PoolError) -> SignedInUser {
        let keys = try await pool.tokenKeys()
        let token: JSONWebToken
        do throws(PoolTokenFault) {
            token = try JSONWebToken(text, provedBy: keys)
        } catch {
            throw .notAuthorized(
                error == .malformed ? "Invalid Access Token" : "Could not verify signature for Access Token")
        }
        guard token.claims["token_use"]?.text == "access", isOwnIssuer(token.text("iss")),
            let id = token.text("origin_jti"), let expires = token.time("exp"),
            let clientID = token.text("client_id"), let client = pool.clients[clientID]
        else { throw .invalidAccessToken }
        guard expires > now / 1_000 else { throw .notAuthorized("Access Token has expired") }
        let scopes = Set(texts: (token.text("scope") ?? "").words)
        guard scopes.contains(scope) else { throw .missingScope }
        let (found, holder) = try await read { reader throws(PoolError) -> (SignInRecord?, User?) in
            let signIn = try reader.signIn(id)
            return (signIn, try signIn.flatMap { signIn throws(PoolError) in try reader.user(signIn.user) })
        }
        guard let signIn = found, ByteText(signIn.client) == ByteText(client.id), !signIn.isRevoked
        else {
            throw .notAuthorized("Access Token has been revoked")
        }
        guard let user = holder, token.claims["sub"]?.text == ByteText(user.sub) else {
            throw .userNotFound
        }
        guard user.isEnabled else { throw .disabled }
        return SignedInUser(user: user, signIn: signIn, scopes: scopes, client: client)
    }

    /// Returns whether an issuer is this pool, by whichever of the server's names it was called.
    func isOwnIssuer(_ issuer: String?) -> Bool {
        guard let issuer else { return false }
        if let set = settings.issuer { return ByteText(issuer) == ByteText(set) }
        return TokenIssuer.isAddress(issuer, ofPool: pool.identifiers.userPoolID)
    }
}
