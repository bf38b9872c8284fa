import Blueprint

extension AuthResource {
    /// Sign-in by email. In the texts `{####}` stands for the code, `{username}` for the name, and `{##TEXT##}` for a link.
    package struct EmailLogin: Sendable, Equatable {
        package enum Style: String, Sendable, CaseIterable {
            case code = "CODE"
            case link = "LINK"
        }

        /// What a new user gets to prove an address; nil: a code.
        package var style: Style?
        package var subject: String?
        package var body: String?
        package var invitation: Invitation?
        /// True if a code by email is enough to sign in.
        package var isFirstFactor = false

        package init() {}
    }

    /// What a user gets whom an administrator has made.
    package struct Invitation: Sendable, Equatable {
        package var subject: String?
        package var body: String?
        package var message: String?

        package init() {}
    }

    /// Sign-in by phone number.
    package struct PhoneLogin: Sendable, Equatable {
        /// The text message with `{####}` for the code.
        package var message: String?
        /// True if a code by text message is enough to sign in.
        package var isFirstFactor = false

        package init() {}
    }

    /// Sign-in by passkeys.
    package struct Passkeys: Sendable, Equatable {
        /// The domain that they are good for; nil: where the app is.
        package var relyingParty: String?
        /// True if the device has to make sure who holds it.
        package var demandsVerification = false

        package init() {}
    }

    /// The second factor.
    package struct Multifactor: Sendable, Equatable {
        package enum Mode: String, Sendable, CaseIterable {
            case off = "OFF"
            case optional = "OPTIONAL"
            case required = "REQUIRED"
        }

        /// In the order in which clients are told of them.
        package enum Factor: String, Sendable, CaseIterable {
            case message = "SMS"
            case generator = "TOTP"
            case email = "EMAIL"
        }

        package var mode = Mode.off
        package var factors: [Factor] = []
        /// The text message with `{####}` for the code.
        package var message: String?

        package init() {}
    }

    /// Who sends emails.
    package enum EmailSender: Sendable, Equatable {
        case address(from: String, name: String?, replyTo: String?)
        case function(FunctionReference, key: String?)
    }

    /// Who sends text messages.
    package enum MessageSender: Sendable, Equatable {
        case service(region: String?, caller: String?, externalID: String?)
        case function(FunctionReference, key: String?)
    }
}
