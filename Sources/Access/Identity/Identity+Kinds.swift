import Blueprint
import JSON

/// Identities by their mode.
extension Identity {
    /// Everybody with a key is the same caller.
    package static let apiKey = Identity(mode: .apiKey, proof: .apiKey)

    /// The same, for as long as the key is good.
    package static func apiKey(expires: Int64) -> Identity {
        Identity(mode: .apiKey, proof: .apiKey, expires: expires)
    }

    /// The owner of a user pool's token.
    package static func userPool(claims: JSONObject) -> Identity {
        Identity(mode: .userPools, proof: .token(TokenClaims(claims: claims)))
    }

    /// The owner of an ID token of a user pool.
    package static func userPool(
        username: String, sub: String, groups: [String] = [], claims: [(String, JSONValue)] = []
    ) -> Identity {
        var all = JSONObject([
            ("sub", .string(sub)), ("cognito:username", .string(username)), ("token_use", "id"),
        ])
        if !groups.isEmpty { all["cognito:groups"] = .array(groups.map(JSONValue.string)) }
        for (name, value) in claims { all[name] = value }
        return userPool(claims: all)
    }

    /// The owner of an OpenID Connect provider's token.
    package static func oidc(claims: JSONObject) -> Identity {
        Identity(mode: .oidc, proof: .token(TokenClaims(claims: claims)))
    }

    package static func iam(_ principal: IAMPrincipal, expires: Int64? = nil) -> Identity {
        Identity(mode: .iam, proof: .principal(principal), expires: expires)
    }

    package static func iam(_ role: IAMPrincipal.Role, identityID: String? = nil) -> Identity {
        iam(IAMPrincipal(role: role, accessKeyID: "ASIAEXAMPLE", identityID: identityID))
    }

    /// A caller that the authorizer admitted.
    package static func lambda(
        resolverContext: JSONObject = JSONObject(), deniedFields: some Sequence<String> = []
    ) -> Identity {
        Identity(
            mode: .lambda,
            proof: .authorizer(AuthorizerContext(resolverContext: resolverContext, deniedFields: deniedFields)))
    }
}
