import Crypto
import JSON
import Store

/// The three tokens of a sign-in, and those of a refresh.
struct IssuedTokens: Sendable {
    let access: String
    let id: String
    /// Nil where the client keeps the one that it has.
    let refresh: String?
    let accessSeconds: Int64

    /// As `AuthenticationResult`.
    var result: JSONObject {
        var result = JSONObject([
            ("AccessToken", .string(access)), ("ExpiresIn", .integer(accessSeconds)), ("IdToken", .string(id)),
        ])
        if let refresh { result.set("RefreshToken", to: .string(refresh)) }
        result.set("TokenType", to: "Bearer")
        return result
    }
}

/// What the tokens of a sign-in say, beside times and names of their own.
struct TokenSubject: Sendable {
    let user: User
    let groups: [Group]
    let client: AppClient
    /// The sign-in: `origin_jti`.
    let origin: String
    /// When the user has signed in, in seconds since 1970.
    let authenticated: Int64
    var scopes: String
    var nonce: String?
    /// The device that the sign-in is bound to.
    var device: String?
}

extension PoolRun {
    /// The scope of who has signed in by the API, which lets its tokens be used there.
    static let userScope = "aws.cognito.signin.user.admin"

    /// The issuer in tokens: as set, or the address by which the pool was called.
    var issuer: String { settings.issuer ?? "\(call.base)/\(pool.identifiers.userPoolID)" }

    /// Makes access and ID token. The signatures are made beside the loop.
    ///
    /// The app's functions are asked first: the one behind sign-ins may still refuse, the one for tokens says more in them.
    func tokens(
        of subject: TokenSubject, refresh: RefreshToken?, _ occasion: TokenOccasion = .signIn
    ) async throws(PoolError) -> IssuedTokens {
        // On the pages it was told when the browser was signed in.
        if occasion != .refresh, occasion != .hosted {
            try await tellOfSignIn(subject.user, newDevice: settings.deviceTracking != .off && subject.device == nil)
        }
        let customization = try await customization(of: subject, occasion)
        let keys = try await pool.tokenKeys()
        let seconds = now / 1_000
        let event = UUIDText.random()
        var accessClaims = accessClaims(subject, event: event, at: seconds)
        var identityClaims = identityClaims(subject, event: event, at: seconds)
        if let customization { customization.apply(to: &accessClaims, identity: &identityClaims) }
        let access = JSONWriter.bytes(of: .object(accessClaims))
        let identity = JSONWriter.bytes(of: .object(identityClaims))
        let signed = try await aside {
            (access: keys.signer.token(claims: access), id: keys.signer.token(claims: identity))
        }
        return IssuedTokens(
            access: signed.access, id: signed.id, refresh: refresh?.text, accessSeconds: subject.client.accessSeconds)
    }

    private func accessClaims(_ subject: TokenSubject, event: String, at seconds: Int64) -> JSONObject {
        var claims = commonClaims(subject, event: event)
        if let device = subject.device { claims.set("device_key", to: .string(device)) }
        claims.set("client_id", to: .string(subject.client.id))
        claims.set("token_use", to: "access")
        claims.set("scope", to: .string(subject.scopes))
        claims.set("auth_time", to: .integer(subject.authenticated))
        claims.set("exp", to: .integer(seconds + subject.client.accessSeconds))
        claims.set("iat", to: .integer(seconds))
        claims.set("jti", to: .string(UUIDText.random()))
        claims.set("username", to: .string(subject.user.name))
        // Those of the pages' codes have a number more.
        if ByteText(subject.scopes) != ByteText(Self.userScope) { claims.set("version", to: 2) }
        return claims
    }

    private func identityClaims(_ subject: TokenSubject, event: String, at seconds: Int64) -> JSONObject {
        var claims = commonClaims(subject, event: event)
        let groups = pool.withRoles(subject.groups)
        let roles = groups.compactMap(\.role)
        if !roles.isEmpty {
            claims.set("cognito:roles", to: .array(roles.map(JSONValue.string)))
            // Of the groups that count most, one alone can be preferred.
            let first = groups.first { $0.role != nil }
            let rivals = groups.filter { $0.role != nil && $0.precedence == first?.precedence }
            if let role = first?.role, Set(texts: rivals.compactMap(\.role)).count == 1 {
                claims.set("cognito:preferred_role", to: .string(role))
            }
        }
        let shown = ShownAttributes(subject.scopes)
        let attributes = subject.user.shownAttributes { shown.contains($0) && subject.client.shows($0) }
        for claim in attributes { claims.set(claim.key, to: claim.value) }
        if let identities = subject.user.identityClaims { claims.set(ForeignUser.attribute, to: identities) }
        claims.set("cognito:username", to: .string(subject.user.name))
        if let nonce = subject.nonce { claims.set("nonce", to: .string(nonce)) }
        claims.set("aud", to: .string(subject.client.id))
        claims.set("token_use", to: "id")
        claims.set("auth_time", to: .integer(subject.authenticated))
        claims.set("exp", to: .integer(seconds + subject.client.idSeconds))
        claims.set("iat", to: .integer(seconds))
        claims.set("jti", to: .string(UUIDText.random()))
        return claims
    }

    private func commonClaims(_ subject: TokenSubject, event: String) -> JSONObject {
        var claims = JSONObject([("sub", .string(subject.user.sub)), ("iss", .string(issuer))])
        if !subject.groups.isEmpty {
            claims.set("cognito:groups", to: .array(subject.groups.map { .string($0.name) }))
        }
        claims.set("origin_jti", to: .string(subject.origin))
        claims.set("event_id", to: .string(event))
        return claims
    }
}
