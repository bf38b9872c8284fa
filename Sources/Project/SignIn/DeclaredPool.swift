import Blueprint

/// What a user pool, its app client and the identity pool come to: what Amplify makes of `defineAuth`, with what `amplify/backend.ts`
/// assigns to the resources themselves.
package struct DeclaredPool: Sendable, Equatable {
    /// By what users sign in: `email`, `phone_number`; empty: by a name.
    package var usernameAttributes: [String] = []
    /// What Cognito verifies by a message.
    package var verifiedAttributes: [String] = []
    /// What every user has, by Cognito's names.
    package var requiredAttributes: [String] = []
    /// The addresses whose new value holds only when a code that went to it has come back.
    package var addressesProvedFirst: [String] = []
    /// Where the code goes by which a forgotten password is replaced; nil: as Cognito does where nothing is said.
    package var recovery: AuthResource.AccountRecovery?
    /// How the app may sign in, by Cognito's names.
    package var signInFlows: [String] = Self.usualSignInFlows
    /// The attributes that users may set by the app, and those that it is shown; nil: all.
    package var writeAttributes: [String]?
    package var readAttributes: [String]?
    /// True if who asks for a user who is not there is told so; nil: as usual.
    package var tellsOfUsers: Bool?
    /// How long a refresh token is good beside the one that took its place; nil: none takes its place.
    package var rotationGraceSeconds: Int?
    /// How long a challenge may be answered.
    package var challengeSeconds: Int?
    package var devices: Devices?
    /// How long an invited user's first password is good.
    package var temporaryPasswordDays: Int?
    package var passwordPolicy = PasswordPolicy()
    package var mfaMode = AuthResource.Multifactor.Mode.off
    package var mfaFactors: [AuthResource.Multifactor.Factor] = []
    /// By what a sign-in may begin; nil: by a password alone.
    package var firstFactors: [AuthResource.FirstFactor]?
    /// The domain that passkeys are good for.
    package var relyingParty: String?
    package var demandsPasskeyVerification = false
    package var allowsGuests = true
    /// The name of the app's backend, where it signs users in by itself.
    package var developerProvider: String?
    package var groups: [Group] = []
    package var callbackURLs: [String] = Self.usualCallbackURLs
    package var logoutURLs: [String] = []
    /// What the app asks for at the hosted pages, by Cognito's names.
    package var scopes: [String] = Self.allScopes
    /// How it gets tokens there: `code`, `implicit`.
    package var flows: [String] = ["code"]
    /// By which attributes, once they are verified, users who have a name of their own sign in too.
    package var aliases: [String] = []
    package var isCaseSensitive = false
    /// True if people may sign up; else administrators invite them.
    package var allowsSelfSignUp = true
    package var messages = Messages()
    package var tokens = TokenTimes()

    package init() {}

    /// How devices of users are told apart.
    package struct Devices: Sendable, Equatable {
        /// True if the user says which are remembered.
        package var areOnRequest = false
        /// True if a remembered one stands in for the second factor.
        package var standIn = false

        package init(areOnRequest: Bool, standIn: Bool) { (self.areOnRequest, self.standIn) = (areOnRequest, standIn) }
    }

    /// The flows of a client of which nothing is said, and the one of users who choose how they sign in.
    package static let usualSignInFlows = ["ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"]
    package static let choiceFlow = "ALLOW_USER_AUTH"

    /// What Cognito is given where a project says nothing.
    package static let usualCallbackURLs = ["https://example.com"]
    static let allScopes = ["phone", "email", "openid", "profile", "aws.cognito.signin.user.admin"]

    /// What a message says, as far as the project says it: `{####}` stands for the code, `{username}` for the name.
    package struct Message: Sendable, Equatable {
        package var subject: String?
        package var body: String?
        package var phone: String?

        package init(subject: String? = nil, body: String? = nil, phone: String? = nil) {
            self.subject = subject
            self.body = body
            self.phone = phone
        }
    }

    package struct Messages: Sendable, Equatable {
        package var verification = Message()
        /// Mails with a link in the place of a code; nil: codes are sent.
        package var link: Message?
        package var invitation = Message()
        package var signIn = Message()
    }

    /// How long tokens are good; nil: as usual.
    package struct TokenTimes: Sendable, Equatable {
        package var accessSeconds: Int?
        package var idSeconds: Int?
        package var refreshSeconds: Int?
    }

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
        addressesProvedFirst = usernameAttributes
        recovery = auth.recovery
        tellsOfUsers = false
        requiredAttributes = Self.required(auth)
        mfaMode = auth.multifactor.mode
        mfaFactors = auth.multifactor.factors
        let others: [(AuthResource.FirstFactor, Bool)] = [
            (.emailCode, login.email?.isFirstFactor ?? false), (.messageCode, login.phone?.isFirstFactor ?? false),
            (.passkey, login.passkeys != nil),
        ]
        if others.contains(where: \.1) {
            firstFactors = [.password] + others.filter(\.1).map(\.0)
            signInFlows.append(Self.choiceFlow)
        }
        if let passkeys = login.passkeys {
            relyingParty = passkeys.relyingParty ?? "localhost"
            demandsPasskeyVerification = passkeys.demandsVerification
        }
        groups = auth.groups.enumerated().map { Group(name: $1, precedence: $0) }
        messages.verification = Message(
            subject: login.email?.subject, body: login.email?.style == .link ? nil : login.email?.body,
            phone: login.phone?.message)
        if login.email?.style == .link {
            messages.link = Message(subject: login.email?.subject, body: login.email?.body)
        }
        messages.invitation = Message(
            subject: login.email?.invitation?.subject, body: login.email?.invitation?.body,
            phone: login.email?.invitation?.message)
        messages.signIn = Message(phone: auth.multifactor.message)
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
