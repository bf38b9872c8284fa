/// What a user pool, its app client and the identity pool come to: what Amplify makes of `defineAuth`, with what `amplify/backend.ts`
/// assigns to the resources themselves.
package struct DeclaredPool: Sendable, Equatable {
    /// By what users sign in: `email`, `phone_number`; empty: by a name.
    package var usernameAttributes: [String] = []
    /// What Cognito verifies by a message.
    package var verifiedAttributes: [String] = []
    /// What every user has, by Cognito's names.
    package var requiredAttributes: [String] = []
    package var passwordPolicy = PasswordPolicy()
    package var mfaMode = AuthResource.Multifactor.Mode.off
    package var mfaFactors: [AuthResource.Multifactor.Factor] = []
    /// By what a sign-in may begin; nil: by a password alone.
    package var firstFactors: [AuthResource.FirstFactor]?
    /// The domain that passkeys are good for.
    package var relyingParty: String?
    package var demandsPasskeyVerification = false
    package var allowsGuests = true
    package var groups: [Group] = []
    package var callbackURLs: [String] = Self.usualCallbackURLs
    package var logoutURLs: [String] = []
    /// What the app asks for at the hosted pages, by Cognito's names.
    package var scopes: [String] = Self.allScopes
    /// How it gets tokens there: `code`, `implicit`.
    package var flows: [String] = ["code"]

    package init() {}

    /// What Cognito is given where a project says nothing.
    static let usualCallbackURLs = ["https://example.com"]
    static let allScopes = ["phone", "email", "openid", "profile", "aws.cognito.signin.user.admin"]

    /// What a password has to have.
    package struct PasswordPolicy: Sendable, Equatable {
        package var lengthMin = 8
        package var needsLowercase = true
        package var needsNumbers = true
        package var needsSymbols = true
        package var needsUppercase = true

        package init() {}
    }

    /// A group, whose roles go before those of groups with a higher number.
    package struct Group: Sendable, Equatable {
        package let name: String
        /// Nil: it has none.
        package var precedence: Int?

        package init(name: String, precedence: Int?) {
            self.name = name
            self.precedence = precedence
        }
    }
}

extension DeclaredPool {
    /// What Amplify makes of a resource.
    package init(_ auth: AuthResource) {
        let login = auth.login
        usernameAttributes = (login.email == nil ? [] : ["email"]) + (login.phone == nil ? [] : ["phone_number"])
        verifiedAttributes = usernameAttributes
        requiredAttributes = Self.required(auth)
        mfaMode = auth.multifactor.mode
        mfaFactors = auth.multifactor.factors
        let others: [(AuthResource.FirstFactor, Bool)] = [
            (.emailCode, login.email?.isFirstFactor ?? false), (.messageCode, login.phone?.isFirstFactor ?? false),
            (.passkey, login.passkeys != nil),
        ]
        if others.contains(where: \.1) { firstFactors = [.password] + others.filter(\.1).map(\.0) }
        if let passkeys = login.passkeys {
            relyingParty = passkeys.relyingParty ?? "localhost"
            demandsPasskeyVerification = passkeys.demandsVerification
        }
        groups = auth.groups.enumerated().map { Group(name: $1, precedence: $0) }
        guard let providers = login.providers else { return }
        callbackURLs = providers.callbackURLs
        logoutURLs = providers.logoutURLs
        scopes = providers.scopes.map(Self.completed) ?? Self.allScopes
    }

    /// By what people sign in comes first, then the others as they are written.
    private static func required(_ auth: AuthResource) -> [String] {
        let first = [("email", auth.login.email != nil), ("phone_number", auth.login.phone != nil)]
        let ahead = first.filter { name, isUsed in
            auth.attributes.first { $0.name == name }?.isRequired ?? isUsed
        }.map(\.0)
        return ahead + auth.attributes.filter { $0.isRequired && !first.map(\.0).contains($0.name) }.map(\.name)
    }

    /// With the scope that others need.
    private static func completed(_ scopes: [String]) -> [String] {
        let needing: Set = ["phone", "email", "profile"]
        return scopes.contains("openid") || !scopes.contains(where: needing.contains) ? scopes : scopes + ["openid"]
    }
}
