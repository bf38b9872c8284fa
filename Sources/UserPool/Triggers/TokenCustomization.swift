import JSON

/// What the function for tokens wants them to say.
struct TokenCustomization: Sendable {
    /// Claims of one token: those that are set, and those that are left out.
    struct Claims: Sendable {
        var added = JSONObject()
        var suppressed: Set<ByteText> = []
        /// Claims that no function decides about: who the token is for, from whom, and how long it is good.
        private static let fixed: Set<ByteText> = [
            "acr", "amr", "at_hash", "auth_time", "azp", "exp", "iat", "iss", "jti", "nbf", "nonce", "origin_jti",
            "sub",
            "token_use", "cognito:username", "username", "client_id", "aud", "device_key", "event_id", "scope",
            "version",
            "identities",
        ]

        func apply(to claims: inout JSONObject) {
            for name in suppressed where !Self.fixed.contains(name) { claims.remove(name.string) }
            for claim in added where !Self.fixed.contains(claim.key) && !suppressed.contains(claim.key) {
                claims.set(claim.key, to: claim.value)
            }
        }
    }

    var id = Claims()
    var access = Claims()
    /// Nil: the groups stay what they are.
    var groups: [String]?
    var roles: [String]?
    var preferredRole: String?
    var addedScopes: [String] = []
    var suppressedScopes: Set<ByteText> = []

    /// Reads a function's answer, in the form of its version.
    init?(_ response: JSONObject, version: Int64) {
        let isFirst = version == 1
        guard let details = response[isFirst ? "claimsOverrideDetails" : "claimsAndScopeOverrideDetails"]?.object else {
            return nil
        }
        if isFirst {
            id = Self.claims(.object(details), isText: true)
        } else {
            id = Self.claims(details["idTokenGeneration"], isText: false)
            access = Self.claims(details["accessTokenGeneration"], isText: false)
            addedScopes = Self.texts(details["accessTokenGeneration"]?["scopesToAdd"])
            suppressedScopes = Set(texts: Self.texts(details["accessTokenGeneration"]?["scopesToSuppress"]))
        }
        if let override = details["groupOverrideDetails"]?.object {
            groups = override["groupsToOverride"]?.array.map { $0.compactMap(\.string) }
            roles = override["iamRolesToOverride"]?.array.map { $0.compactMap(\.string) }
            preferredRole = override["preferredRole"]?.string
        }
    }

    private static func claims(_ value: JSONValue?, isText: Bool) -> Claims {
        var claims = Claims()
        for member in value?["claimsToAddOrOverride"]?.object?.members ?? [] {
            // The first form knows texts only.
            if isText, member.value.string == nil { continue }
            claims.added.set(member.key, to: member.value)
        }
        claims.suppressed = Set(texts: texts(value?["claimsToSuppress"]))
        return claims
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    /// Puts all of it into the claims of both tokens.
    func apply(to access: inout JSONObject, identity: inout JSONObject) {
        if let groups {
            let names = JSONValue.array(groups.map(JSONValue.string))
            access.set("cognito:groups", to: names)
            identity.set("cognito:groups", to: names)
        }
        if let roles { identity.set("cognito:roles", to: .array(roles.map(JSONValue.string))) }
        if let preferredRole { identity.set("cognito:preferred_role", to: .string(preferredRole)) }
        if let scope = access["scope"]?.string { access.set("scope", to: .string(scopes(scope))) }
        self.access.apply(to: &access)
        id.apply(to: &identity)
    }

    /// The scopes of an access token. None that lets a token be used for more than its sign-in is added.
    func scopes(_ scopes: String) -> String {
        let present = scopes.words
        let kept = present.filter { !suppressedScopes.contains($0) }
        let added = addedScopes.filter {
            !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: " ")) && !$0.hasPrefix("aws.cognito.")
        }
        return (kept + added).eachOnce().joined(separator: " ")
    }
}

/// Why tokens are made, as the function for them is told.
enum TokenOccasion: String, Sendable {
    case signIn = "Authentication"
    case newPassword = "NewPasswordChallenge"
    case device = "AuthenticateDevice"
    case hosted = "HostedAuth"
    case refresh = "RefreshTokens"
}

extension PoolRun {
    /// Asks the function for tokens what they are to say; nil where there is none, or where it wants nothing else.
    func customization(
        of subject: TokenSubject, _ occasion: TokenOccasion
    ) async throws(PoolError) -> TokenCustomization? {
        guard hasTrigger(.preTokenGeneration) else { return nil }
        let version = settings.triggers.tokenVersion
        let roles = pool.withRoles(subject.groups).compactMap(\.role)
        var configuration = JSONObject([
            ("groupsToOverride", .array(subject.groups.map { .string($0.name) })),
            ("iamRolesToOverride", .array(roles.map(JSONValue.string))),
        ])
        configuration.set("preferredRole", to: roles.first.map(JSONValue.string) ?? .null)
        var request = JSONObject([
            ("groupConfiguration", .object(configuration)), ("clientMetadata", clientMetadata),
        ])
        if version > 1 {
            request.set("scopes", to: .array(subject.scopes.words.map(JSONValue.string)))
        }
        let response = try await call(
            .preTokenGeneration, occasion.rawValue, about: TriggerSubject(subject.user), request: request,
            response: JSONObject([
                (version == 1 ? "claimsOverrideDetails" : "claimsAndScopeOverrideDetails", JSONValue.null)
            ]), version: version)
        return response.flatMap { TokenCustomization($0, version: version) }
    }
}
