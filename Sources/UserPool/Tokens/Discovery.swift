import JSON

extension UserPool {
    /// The keys that the pool's tokens are verified with; nil where there are none to be had.
    package func publishedKeys() async -> JSONValue? {
        do throws(PoolError) { return try await tokenKeys().published } catch { return nil }
    }

    /// What the issuer says of itself (OpenID Connect Discovery). `base` is the address by which it was called.
    package func discovery(base: String) -> JSONValue {
        let issuer = settings.issuer ?? "\(base)/\(identifiers.userPoolID)"
        func address(_ path: String) -> JSONValue { .string("\(base)/\(path)") }
        var content = JSONObject()
        content.set("authorization_endpoint", to: address("oauth2/authorize"))
        content.set("code_challenge_methods_supported", to: ["S256"])
        content.set("end_session_endpoint", to: address("logout"))
        content.set("id_token_signing_alg_values_supported", to: ["RS256"])
        content.set("issuer", to: .string(issuer))
        content.set("jwks_uri", to: address("\(identifiers.userPoolID)/.well-known/jwks.json"))
        content.set("response_types_supported", to: ["code"])
        content.set("revocation_endpoint", to: address("oauth2/revoke"))
        content.set("scopes_supported", to: ["openid", "email", "phone", "profile"])
        content.set("subject_types_supported", to: ["public"])
        content.set("token_endpoint", to: address("oauth2/token"))
        content.set("token_endpoint_auth_methods_supported", to: ["client_secret_basic", "client_secret_post"])
        content.set("userinfo_endpoint", to: address("oauth2/userInfo"))
        return .object(content)
    }
}
