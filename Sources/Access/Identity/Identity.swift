import Blueprint
import JSON

/// Who is calling, as one of the API's modes has proved it.
///
/// An identity never changes and is shared by all who need it. What it may do is not its own business: see `Caller`.
package final class Identity: Sendable {
    /// What the caller has proved.
    package enum Proof: Sendable {
        /// That they have a key of the API.
        case apiKey
        /// That an issuer vouches for these claims.
        case token(TokenClaims)
        /// That they have the secret of IAM credentials.
        case principal(IAMPrincipal)
        /// That the authorizer knows them.
        case authorizer(AuthorizerContext)
    }

    package let mode: AuthMode
    package let proof: Proof
    /// When the proof runs out, in seconds since 1970, if it does: what it authorised and is still going on ends then.
    package let expires: Int64?

    package init(mode: AuthMode, proof: Proof, expires: Int64? = nil) {
        self.mode = mode
        self.proof = proof
        self.expires = expires
    }

    /// The claims of a user pool's or a provider's token.
    package var token: TokenClaims? {
        if case .token(let claims) = proof { claims } else { nil }
    }

    package var principal: IAMPrincipal? {
        if case .principal(let principal) = proof { principal } else { nil }
    }

    package var authorizer: AuthorizerContext? {
        if case .authorizer(let context) = proof { context } else { nil }
    }

    /// What the caller is called in logs; never a credential.
    package var name: String {
        switch proof {
        case .apiKey: "an API key"
        case .token(let token): token.username ?? token.subject ?? "a token without a subject"
        case .principal(let principal): principal.userARN
        case .authorizer: "a caller that the authorizer admitted"
        }
    }
}

/// What a token says of its owner.
package struct TokenClaims: Sendable {
    package let claims: JSONObject
    package let subject: String?
    package let issuer: String?
    /// The user's name in a user pool: `username` of an access token, `cognito:username` of an ID token.
    package let username: String?
    /// The user's groups in a user pool.
    package let groups: [ByteText]

    package init(claims: JSONObject) {
        self.claims = claims
        subject = claims["sub"]?.string
        issuer = claims["iss"]?.string
        username = claims["username"]?.string ?? claims["cognito:username"]?.string
        groups = claims["cognito:groups"]?.array?.compactMap(\.text) ?? []
    }
}

/// What an authorizer said of a caller that it admitted.
package struct AuthorizerContext: Sendable {
    /// What functions are told.
    package let resolverContext: JSONObject
    /// The fields that are null for the caller, as `Type.field`.
    package let deniedFields: Set<ByteText>

    package init(resolverContext: JSONObject = JSONObject(), deniedFields: some Sequence<String> = []) {
        self.resolverContext = resolverContext
        self.deniedFields = Set(texts: deniedFields.compactMap(Self.coordinate))
    }

    /// `Type.field` of a name in that form, or of an ARN that ends in `types/Type/fields/field`.
    private static func coordinate(_ name: String) -> String? {
        guard name.hasPrefix("arn:") else { return name }
        let parts = name.parts(separatedBy: "/")
        guard parts.count >= 4, parts[parts.count - 4] == "types", parts[parts.count - 2] == "fields" else {
            return nil
        }
        return "\(parts[parts.count - 3]).\(parts[parts.count - 1])"
    }
}
