import JSON

/// How the pool behaves. Plain values, made from the configuration; what is not set is as Amplify makes a pool.
package struct PoolSettings: Sendable {
    /// By what a sign-in may begin.
    package enum FirstFactor: String, Sendable, CaseIterable {
        case password = "PASSWORD"
        case emailCode = "EMAIL_OTP"
        case messageCode = "SMS_OTP"
        case passkey = "WEB_AUTHN"

        /// True if it is a code that goes to an address.
        var isCode: Bool { self == .emailCode || self == .messageCode }
    }

    /// What users sign in by.
    package enum SignInName: String, Sendable, CaseIterable {
        case username
        case email
        case phone
    }

    /// Whether a second factor is asked for.
    package enum SecondFactorDemand: String, Sendable, CaseIterable {
        case off = "OFF"
        /// By those who have set one up.
        case optional = "OPTIONAL"
        case required = "ON"
    }

    package enum SecondFactor: String, Sendable, CaseIterable {
        case totp = "SOFTWARE_TOKEN_MFA"
        case sms = "SMS_MFA"
        case email = "EMAIL_OTP"
    }

    /// Whether a client learns that a user does not exist.
    package enum ExistenceErrors: String, Sendable, CaseIterable {
        case hidden = "ENABLED"
        case shown = "LEGACY"
    }

    /// Whether the devices of users are told apart.
    package enum DeviceTracking: String, Sendable, CaseIterable {
        case off
        /// The user says which are remembered.
        case onRequest = "optional"
        case always
    }

    /// With `email` or `phone`, these are the names that users sign up with, and the pool gives them names of its own.
    package var signInNames: [SignInName] = [.username]
    /// By which attributes users who have a name of their own may sign in too, once they are verified.
    package var aliases: [String] = []
    /// True if `Ann` and `ann` are two users.
    package var isCaseSensitive = false
    package var attributes = AttributeSchema()
    package var password = PasswordPolicy()
    package var allowsSelfSignUp = true
    /// The addresses that a new user proves to have, the first of which gets the code: `email`, `phone_number`.
    package var verifiedAttributes = ["email", "phone_number"]
    /// The addresses whose new value holds only when a code that went to it has come back: `email`, `phone_number`.
    package var addressesProvedFirst: [String] = []
    /// Where the code goes by which a forgotten password is replaced; nil: to the first verified address of `verifiedAttributes`.
    package var accountRecovery: AccountRecovery?
    /// By what a sign-in may begin where users choose (`USER_AUTH`).
    package var firstFactors = FirstFactor.allCases
    /// True if mails to new users bring a link that confirms them, and no code.
    package var verifiesByLink = false
    package var existenceErrors = ExistenceErrors.hidden
    package var secondFactorDemand = SecondFactorDemand.optional
    package var secondFactors: [SecondFactor] = SecondFactor.allCases
    package var deviceTracking = DeviceTracking.off
    /// True if a device that is remembered, and proves to be it, stands in for the second factor.
    package var rememberedDevicesStandIn = false
    /// The clients of the pool; the first is the one in the outputs. Empty: one with the pool's own identifier.
    package var clients: [AppClient] = []
    /// What stands in tokens as their issuer; nil: the address by which the pool was called.
    package var issuer: String?
    /// True if guests get an identity and credentials.
    package var allowsGuests = true
    /// True if an identity that nobody knows is taken as a new guest's. Browsers keep theirs when the data was deleted.
    package var adoptsUnknownGuests = true
    /// The name of the app's own backend, where it signs users in by itself (developer identities); nil: it does not.
    package var developerProvider: String?
    /// How long an invited user's first password is good, in days.
    package var temporaryPasswordDays: Int64 = 7
    /// The groups that exist from the start.
    package var groups: [GroupSetting] = []
    /// The groups that have a role without having been given one: those that rules of files name, as Amplify makes them.
    package var groupsWithRoles: Set<ByteText> = []

    package var messages = MessageTemplates()
    package var passkeys = PasskeySettings()
    /// By whom users may sign in beside the pool itself.
    package var providers: [IdentityProvider] = []

    package var triggers = TriggerSettings()
    /// How much one address, or one user, may make.
    package var creation = CreationLimits()

    package init() {}

    func provider(_ name: String) -> IdentityProvider? { providers.first { ByteText($0.name) == ByteText(name) } }

    /// True if the pool names its users itself.
    package var namesUsersItself: Bool { !signInNames.contains(.username) }
}

/// A group that exists from the start.
package struct GroupSetting: Sendable, Equatable {
    package var name: String
    package var precedence: Int64?
    package var role: String?

    package init(_ name: String, precedence: Int64? = nil, role: String? = nil) {
        self.name = name
        self.precedence = precedence
        self.role = role
    }
}
