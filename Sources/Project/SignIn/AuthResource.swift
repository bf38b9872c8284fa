import Blueprint

/// How people sign in to an app, as `defineAuth({...})` in `amplify/auth/resource.ts` says it.
///
///     AuthResource
///      ├─ login              by email, by phone, by passkeys, by providers elsewhere
///      ├─ attributes         what is kept of a user beside that
///      ├─ groups             in the order of their precedence
///      ├─ multifactor        whether a second factor is asked for, and which there are
///      ├─ recovery           where the code goes when a password is forgotten
///      ├─ triggers           functions that are called on the way
///      ├─ access             functions that may administer users
///      ├─ senders            who sends messages
///      └─ pool               what the user pool and its app client come to, with what `amplify/backend.ts` changes of them
package struct AuthResource: Sendable, Equatable {
    /// The name of the resource; nil: Amplify's own.
    package var name: String?
    package var login = Login()
    package var attributes: [UserAttribute] = []
    package var groups: [String] = []
    package var multifactor = Multifactor()
    package var recovery = AccountRecovery.emailOnly
    /// The first factor that is tried when a client names none.
    package var preferredChallenge: FirstFactor?
    package var triggers: [Trigger] = []
    package var access: [AccessGrant] = []
    package var emailSender: EmailSender?
    package var messageSender: MessageSender?
    package var pool = DeclaredPool()

    package init() {}

    /// How people may sign in.
    package struct Login: Sendable, Equatable {
        package var email: EmailLogin?
        package var phone: PhoneLogin?
        package var passkeys: Passkeys?
        package var providers: ExternalProviders?

        package init() {}
    }

    /// A function that the user pool calls on the way of a user.
    package struct Trigger: Sendable, Equatable {
        package let event: Event
        package let function: FunctionReference

        package init(event: Event, function: FunctionReference) {
            self.event = event
            self.function = function
        }

        package enum Event: String, Sendable, CaseIterable {
            case createAuthChallenge, customMessage, defineAuthChallenge, postAuthentication, postConfirmation
            case preAuthentication, preSignUp, preTokenGeneration, userMigration, verifyAuthChallengeResponse
        }
    }

    /// What a function may do to users.
    package struct AccessGrant: Sendable, Equatable {
        package let function: FunctionReference
        /// As they are written: `manageUsers`, `addUserToGroup`, …
        package let actions: [String]

        package init(_ function: FunctionReference, actions: [String]) {
            (self.function, self.actions) = (function, actions)
        }
    }

    /// Where the code goes by which a forgotten password is replaced.
    package enum AccountRecovery: String, Sendable, CaseIterable {
        case emailAndPhoneWithoutMFA = "EMAIL_AND_PHONE_WITHOUT_MFA"
        case phoneWithoutMFAAndEmail = "PHONE_WITHOUT_MFA_AND_EMAIL"
        case emailOnly = "EMAIL_ONLY"
        case phoneOnlyWithoutMFA = "PHONE_ONLY_WITHOUT_MFA"
        case phoneAndEmail = "PHONE_AND_EMAIL"
        case none = "NONE"
    }

    /// By what a sign-in may begin.
    package enum FirstFactor: String, Sendable, CaseIterable {
        case password = "PASSWORD"
        case emailCode = "EMAIL_OTP"
        case messageCode = "SMS_OTP"
        case passkey = "WEB_AUTHN"
    }
}
