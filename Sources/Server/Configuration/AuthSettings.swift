import Access

/// Who may call: what is needed to recognise callers, for each authorization mode. Which modes an API has is said by its
/// project's `Settings`.
package struct AuthSettings: Sendable {
    /// The key that Amplify's own local mock hands out.
    package static let wellKnownKey = "da2-fakeApiId123456"

    /// Keys that stand in documents and examples. They are no secrets, so they are good for requests from this machine only.
    private static let publishedKeys = [wellKnownKey, "da2-replaceThisByAKeyOfYourOwn", "da2-..."]

    /// Returns whether a key can be a secret: it is not one that everybody knows.
    static func canBeSecret(_ key: String) -> Bool { !key.isEmpty && !publishedKeys.contains(key) }

    package var apiKeys = [APIKey(wellKnownKey, isForThisMachine: true)]
    package var userPools = UserPools()
    package var oidc = OIDC()
    /// With which requests are signed, and as whom.
    package var principals: [PrincipalCredential] = []
    /// The function that decides about each token; nil: there is none.
    package var authorizerURL: String?
    /// How many seconds an answer of it is good.
    package var authorizerCacheSeconds = AuthorizerSettings.usualCacheSeconds
    /// True if denials are explained, in the log and to clients on this machine.
    package var explainsDenials = false

    /// Tokens of a Cognito user pool.
    package struct UserPools: Sendable {
        /// Nil: the pool is the one that is built in.
        package var issuer: String?
        /// The file or URL of the keys; nil: the issuer says where they are.
        package var jwks: String?
        /// The clients whose tokens are accepted; empty: every client of the pool.
        package var clientIDs: [String] = []
    }

    /// Tokens of an OpenID Connect provider.
    package struct OIDC: Sendable {
        /// Nil: there is no provider.
        package var issuer: String?
        package var jwks: String?
        /// A regular expression that the token's client must match.
        package var clientID: String?
        /// How many milliseconds a token is good after it was issued; 0: as long as it says.
        package var issuedAtMilliseconds: Int64 = 0
        /// How many milliseconds a token is good after its owner signed in; 0: as long as it says.
        package var authenticatedMilliseconds: Int64 = 0
    }
}
