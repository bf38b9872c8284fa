import Blueprint
import JSON

/// What each mode of an API needs to recognise its callers. Plain values, made from the configuration.
package struct CredentialSettings: Sendable {
    package var modes: Set<AuthMode>
    package var apiKeys: [APIKey] = []
    /// Whose tokens are good: user pools, OpenID Connect providers, and the local issuer.
    package var issuers: [TokenIssuer] = []
    package var principals: [PrincipalCredential] = []
    package var authorizer: AuthorizerSettings?
    /// The service in the scope of signatures.
    package var signedService = "appsync"

    package init(modes: [AuthMode]) {
        // Made of a list at once, it would cost each start a search of the runtime for what a sequence is.
        self.modes = []
        for mode in modes { self.modes.insert(mode) }
    }
}

/// A key that callers send as `x-api-key`.
package struct APIKey: Sendable, Equatable {
    package let key: String
    /// When it ends, in seconds since 1970; nil: never.
    package let expires: Int64?
    /// True if it is no secret, and so good for requests that come from this machine only.
    package let isForThisMachine: Bool

    package init(_ key: String, expires: Int64? = nil, isForThisMachine: Bool = false) {
        self.key = key
        self.expires = expires
        self.isForThisMachine = isForThisMachine
    }

    /// Returns whether it has not ended.
    package func isCurrent(now: Int64) -> Bool { expires.map { now < $0 } ?? true }
}

/// Credentials with which requests are signed, and whose they are.
package struct PrincipalCredential: Sendable, Equatable {
    package let secret: String
    /// What temporary credentials send beside the signature.
    package let sessionToken: String?
    package let principal: IAMPrincipal
    package let reach: Reach

    package init(
        secret: String, sessionToken: String? = nil, principal: IAMPrincipal, reach: Reach = .anywhere
    ) {
        self.reach = reach
        self.secret = secret
        self.sessionToken = sessionToken
        self.principal = principal
    }
}

/// A function that decides about tokens.
package struct AuthorizerSettings: Sendable, Equatable {
    package let url: String
    /// How many seconds an answer is good, unless it says so itself.
    package let cacheSeconds: Int64
    /// A regular expression that a token must match as a whole before the function is asked.
    package let tokenPattern: String?
    package let apiID: String
    package let accountID: String

    package static let usualCacheSeconds: Int64 = 300

    package init(
        url: String, cacheSeconds: Int64 = Self.usualCacheSeconds, tokenPattern: String? = nil, apiID: String = "local",
        accountID: String = IAMPrincipal.exampleAccountID
    ) {
        self.url = url
        self.cacheSeconds = cacheSeconds
        self.tokenPattern = tokenPattern
        self.apiID = apiID
        self.accountID = accountID
    }
}
