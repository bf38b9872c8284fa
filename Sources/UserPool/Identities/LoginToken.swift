import Access
import JSON
import Store

/// A login that a request to the identity pool has shown: an ID token of the user pool, proved.
struct LoginToken: Sendable {
    /// The user's `sub`, to which their identity is bound.
    let subject: String
    /// The sign-in that it came of, where it names one.
    let origin: String?
    /// The role of the group that counts most, where there is one.
    let preferredRole: String?
    let roles: [String]
}

/// The logins that a request to the identity pool has shown, all of them proved. Those of several providers are of one identity, or the
/// call is refused.
struct ShownLogins: Sendable {
    /// That of the user pool.
    var user: LoginToken?
    /// A token for a user of the app's backend.
    var developer: DeveloperToken?

    var isEmpty: Bool { user == nil && developer == nil }
}

/// A token that the app's backend got for a user of its own, and the identity that it names.
struct DeveloperToken: Sendable {
    let identity: String
    let login: DeveloperLogin
}

extension PoolRun {
    /// The logins of the request.
    ///
    /// - Parameter takingDeveloperTokens: true where the call takes tokens of the app's backend.
    func logins(takingDeveloperTokens: Bool = false) async throws(PoolError) -> ShownLogins {
        try await logins(input.object("Logins") ?? JSONObject(), takingDeveloperTokens: takingDeveloperTokens)
    }

    /// Proves logins. Several of the user pool are the same user's, or the call is refused.
    func logins(_ logins: JSONObject, takingDeveloperTokens: Bool) async throws(PoolError) -> ShownLogins {
        guard logins.count <= PoolLimits.loginsMax else {
            throw .invalidParameter(
                "1 validation error detected: Value at 'logins' failed to satisfy constraint: Member must have length less "
                    + "than or equal to \(PoolLimits.loginsMax)")
        }
        // Whoever else vouches for somebody is refused before any token is looked at.
        for login in logins where !isOwnProvider(login.key) {
            guard Self.isDeveloperToken(login.key), settings.developerProvider != nil else {
                throw Self.unsupportedProvider
            }
            guard takingDeveloperTokens else { throw Self.invalid("Can't pass in a Cognito token.") }
        }
        var shown = ShownLogins()
        for login in logins {
            let text = login.value.string ?? ""
            guard !Self.isDeveloperToken(login.key) else {
                shown.developer = try await developerToken(text)
                continue
            }
            let token = try await loginToken(text, from: login.key)
            if let found = shown.user, ByteText(found.subject) != ByteText(token.subject) { throw .loginsDoNotMatch }
            shown.user = token
        }
        return shown
    }

    /// Returns whether a login is a token that the app's backend got for a user of its own.
    private static func isDeveloperToken(_ provider: String) -> Bool {
        ByteText(provider) == ByteText(OpenIDToken.providerName)
    }

    /// Proves such a token. It is good while its user has the identity.
    private func developerToken(_ text: String) async throws(PoolError) -> DeveloperToken {
        let keys = try await pool.tokenKeys()
        let token: OpenIDToken
        do throws(OpenIDToken.Fault) {
            token = try OpenIDToken(text, keys: keys, of: pool.identifiers, settings, nowSeconds: now / 1_000)
        } catch {
            throw Self.invalid(error == .expired ? "Token is expired." : "Couldn't verify signed token.")
        }
        guard let login = token.developer else { throw Self.invalid("Can't pass in a Cognito token.") }
        let identity = token.identity
        guard try await read({ reader throws(PoolError) in try reader.has(login, identity) }) else {
            throw .loginsDoNotMatch
        }
        return DeveloperToken(identity: identity, login: login)
    }

    /// Returns whether a provider of logins is this user pool: by Cognito's name of it, or by its issuer without the scheme.
    func isOwnProvider(_ name: String) -> Bool {
        ByteText(name) == ByteText(pool.identifiers.providerName) || isOwnIssuer("https://\(name)")
            || isOwnIssuer("http://\(name)")
    }

    private static let unsupportedProvider = PoolError.notAuthorized(
        "Token is not from a supported provider of this identity pool.")

    private func loginToken(_ text: String, from provider: String) async throws(PoolError) -> LoginToken {
        let keys = try await pool.tokenKeys()
        let token: JSONWebToken
        do throws(PoolTokenFault) {
            token = try JSONWebToken(text, provedBy: keys)
        } catch {
            throw Self.invalid(
                error == .malformed
                    ? "Not a valid OpenId Connect identity token." : "Couldn't verify signed token.")
        }
        guard let issuer = token.text("iss"), isOwnIssuer(issuer), names(provider, issuer) else {
            throw Self.invalid("Issuer doesn't match providerName")
        }
        guard token.claims["token_use"]?.text == "id", let subject = token.text("sub"),
            let expires = token.time("exp")
        else { throw Self.invalid("Not a Cognito token.") }
        guard let client = token.text("aud"), pool.clients[client] != nil else { throw Self.unsupportedProvider }
        guard expires > now / 1_000 else { throw Self.invalid("Token expired: \(expires) >= \(now / 1_000)") }
        let (settings, origin) = (settings, token.text("origin_jti"))
        try await read { reader throws(PoolError) in
            _ = try reader.owner(of: subject, settings)
            guard try !reader.isEnded(origin) else { throw .disabled }
        }
        return LoginToken(
            subject: subject, origin: origin, preferredRole: token.text("cognito:preferred_role"),
            roles: token.claims["cognito:roles"]?.array?.compactMap(\.string) ?? [])
    }

    /// Returns whether a provider's name is that of a token's issuer: Cognito's name of the pool stands for every address of it.
    private func names(_ provider: String, _ issuer: String) -> Bool {
        ByteText(provider) == ByteText(pool.identifiers.providerName)
            || ["https://", "http://"].contains { ByteText("\($0)\(provider)") == ByteText(issuer) }
    }

    private static func invalid(_ reason: String) -> PoolError { .notAuthorized("Invalid login token. \(reason)") }
}

extension RoomReading {
    /// Returns whether a sign-in that a token names was ended with its user.
    func isEnded(_ origin: String?) throws(PoolError) -> Bool {
        guard let origin else { return false }
        return try signIn(origin)?.isEnded ?? false
    }

    /// The user of a login. Who was deleted or disabled has no identity, whatever their tokens say.
    func owner(of subject: String, _ settings: PoolSettings) throws(PoolError) -> User {
        guard let user = try user(named: UserName(subject, in: settings)), ByteText(user.sub) == ByteText(subject)
        else { throw .notAuthorized("Invalid login token. User does not exist.") }
        guard user.isEnabled else { throw .disabled }
        return user
    }
}

extension PoolError {
    static let loginsDoNotMatch = notAuthorized(
        "Logins don't match. Please include at least one valid login for this identity or identity pool.")
    static let noGuests = notAuthorized("Unauthenticated access is not supported for this identity pool.")

    static func unknownIdentity(_ id: String) -> PoolError { notFound("Identity '\(id)' not found.") }
    static func forbiddenIdentity(_ id: String) -> PoolError {
        notAuthorized("Access to Identity '\(id)' is forbidden.")
    }
}
