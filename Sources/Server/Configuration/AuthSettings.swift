/// Who may call: the API's authorization modes, and what is needed to check each.
package struct AuthSettings: Sendable, Equatable {
    /// The key that Amplify's own local mock hands out.
    package static let wellKnownKey = "da2-fakeApiId123456"

    /// Keys that stand in documents and examples. They are no secrets, so they are good for requests from this machine only.
    static let publishedKeys = [wellKnownKey, "da2-replaceThisByAKeyOfYourOwn", "da2-..."]

    package var primary: AuthorizationMode
    package var additional: [AuthorizationMode]
    package var apiKeys: [APIKey]
    /// A user pool elsewhere; nil: the one that is built in.
    package var userPools: UserPools?
    package var oidc: OIDC?
    package var iamCredentials: [IAMCredential]
    package var lambda: LambdaAuthorizer?
    /// Whether denials are explained, in the log and to clients on this machine.
    package var explainsDenials: Bool

    /// The default mode and the additional ones.
    package var modes: [AuthorizationMode] { [primary] + additional }

    /// A key that callers send as `x-api-key`.
    package struct APIKey: Sendable, Equatable {
        package let key: String
        /// When it ends, in seconds since 1970; nil: never.
        package let expires: Int64?

        /// Whether it can be a secret: it is not one that everybody knows.
        var isOwn: Bool { !key.isEmpty && !AuthSettings.publishedKeys.contains(key) }

        func isCurrent(now: Int64) -> Bool { expires.map { now < $0 } ?? true }
    }

    /// Tokens of a Cognito user pool.
    package struct UserPools: Sendable, Equatable {
        package let issuer: String
        /// The file or URL of the keys; nil: the issuer says where they are.
        package let jwks: String?
        /// Whose tokens are good; empty: those of every client of the pool.
        package let clientIDs: [String]
    }

    /// Tokens of an OpenID Connect provider.
    package struct OIDC: Sendable, Equatable {
        package let issuer: String
        package let jwks: String?
        /// A regular expression that the token's client must match.
        package let clientID: String?
        /// How many milliseconds a token is good after it was issued; 0: as long as it says.
        package let issuedAtMilliseconds: Int64
        /// How many milliseconds a token is good after its owner signed in; 0: as long as it says.
        package let authenticatedMilliseconds: Int64
    }

    /// Keys with which requests are signed, and as whom.
    package struct IAMCredential: Sendable, Equatable {
        /// What the owner of credentials may do.
        package enum Role: String, Sendable, CaseIterable {
            case authenticated = "auth"
            case unauthenticated = "unauth"
            case administrator = "admin"
        }

        package let accessKeyID: String
        package let secretAccessKey: String
        package let role: Role
        /// What temporary credentials send beside their signature.
        package let sessionToken: String?
        package let identityID: String?
        package let identityPoolID: String?
        /// Nil: the account of AWS's own examples.
        package let accountID: String?
    }

    /// A function that decides about each token.
    package struct LambdaAuthorizer: Sendable, Equatable {
        package let url: String
        /// How many seconds an answer is good.
        package let cacheSeconds: Int64
    }
}

/// AppSync's authorization modes.
package enum AuthorizationMode: String, Sendable, CaseIterable {
    case apiKey = "API_KEY"
    case userPools = "AMAZON_COGNITO_USER_POOLS"
    case iam = "AWS_IAM"
    case oidc = "OPENID_CONNECT"
    case lambda = "AWS_LAMBDA"
}
