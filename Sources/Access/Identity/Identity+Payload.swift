import JSON

/// What functions and authorizers of fields are told of the caller: `$context.identity` of AppSync.
extension Identity {
    /// The identity as JSON. `sourceAddresses` are those of the request: an identity can call from many places.
    package func payload(sourceAddresses: [String]) -> JSONValue {
        let addresses = JSONValue.array(sourceAddresses.map(JSONValue.string))
        switch proof {
        case .apiKey:
            return .null
        case .token(let token):
            return .object(mode == .userPools ? Self.poolPayload(token, addresses) : Self.issuerPayload(token))
        case .principal(let principal):
            return .object(Self.principalPayload(principal, addresses))
        case .authorizer(let context):
            return .object(JSONObject([("resolverContext", .object(context.resolverContext))]))
        }
    }

    private static func poolPayload(_ token: TokenClaims, _ addresses: JSONValue) -> JSONObject {
        JSONObject([
            ("sub", text(token.subject)), ("issuer", text(token.issuer)), ("username", text(token.username)),
            ("claims", .object(token.claims)), ("sourceIp", addresses), ("defaultAuthStrategy", "ALLOW"),
            ("groups", token.groups.isEmpty ? .null : .array(token.groups.map { .string($0.string) })),
        ])
    }

    private static func issuerPayload(_ token: TokenClaims) -> JSONObject {
        JSONObject([
            ("sub", text(token.subject)), ("issuer", text(token.issuer)), ("claims", .object(token.claims)),
        ])
    }

    private static func principalPayload(_ principal: IAMPrincipal, _ addresses: JSONValue) -> JSONObject {
        JSONObject([
            ("accountId", .string(principal.accountID)),
            ("cognitoIdentityPoolId", text(principal.identityPoolID)),
            ("cognitoIdentityId", text(principal.identityID)),
            ("sourceIp", addresses),
            ("username", .string(principal.username)),
            ("userArn", .string(principal.userARN)),
            ("cognitoIdentityAuthType", text(principal.authType)),
            ("cognitoIdentityAuthProvider", text(principal.authProvider)),
        ])
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
