import Blueprint

extension AuthResource {
    /// The providers elsewhere by which people may sign in.
    package struct ExternalProviders: Sendable, Equatable {
        /// Google, Facebook, Amazon and Apple, as far as there are any, in this order.
        package var social: [SocialProvider] = []
        package var openIDConnect: [OpenIDProvider] = []
        package var saml: SAMLProvider?
        /// What the app asks for, by Cognito's names; nil: everything.
        package var scopes: [String]?
        package var callbackURLs: [String] = []
        package var logoutURLs: [String] = []

        package init() {}
    }

    /// A setting that is kept apart from the project.
    package enum SecretValue: Sendable, Equatable {
        /// `secret('NAME')`
        case named(String)
        /// Known only when the app is deployed.
        case unknown
    }

    /// Which claims of a provider become which attributes, both as they are written; those of `custom` begin so.
    package struct AttributeMapping: Sendable, Equatable {
        package let attribute: String
        package let claim: String

        package init(attribute: String, claim: String) { (self.attribute, self.claim) = (attribute, claim) }

        /// The attribute as Cognito calls it.
        package var poolAttribute: String {
            switch attribute {
            case "emailVerified": "email_verified"
            case "phoneNumberVerified": "phone_number_verified"
            default: UserAttribute.standardNames.first { $0.written == attribute }?.name ?? attribute
            }
        }
    }

    /// A provider that Cognito knows by name.
    package struct SocialProvider: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case google
            case facebook
            case amazon = "loginWithAmazon"
            case apple = "signInWithApple"

            /// What clients call it.
            package var clientName: String {
                switch self {
                case .google: "GOOGLE"
                case .facebook: "FACEBOOK"
                case .amazon: "LOGIN_WITH_AMAZON"
                case .apple: "SIGN_IN_WITH_APPLE"
                }
            }

            /// The secrets that it needs.
            package var secrets: [String] {
                self == .apple ? ["clientId", "teamId", "keyId", "privateKey"] : ["clientId", "clientSecret"]
            }
        }

        package let kind: Kind
        /// By the names that they have in `defineAuth`.
        package let secrets: [String: SecretValue]
        package let scopes: [String]
        package let mapping: [AttributeMapping]
        /// The version of Facebook's API.
        package let apiVersion: String?

        package init(
            kind: Kind, secrets: [String: SecretValue] = [:], scopes: [String] = [], mapping: [AttributeMapping] = [],
            apiVersion: String? = nil
        ) {
            self.kind = kind
            self.secrets = secrets
            self.scopes = scopes
            self.mapping = mapping
            self.apiVersion = apiVersion
        }
    }

    /// A provider that speaks OpenID Connect.
    package struct OpenIDProvider: Sendable, Equatable {
        /// Nil: Cognito makes one up.
        package var name: String?
        package var clientID: SecretValue
        package var clientSecret: SecretValue
        package var issuerURL: String
        /// Where its endpoints are, unless its issuer says so: `authorization`, `token`, `userInfo`, `jwksUri`.
        package var endpoints: [String: String] = [:]
        package var identifiers: [String] = []
        package var scopes: [String] = []
        package var mapping: [AttributeMapping] = []
        /// True if attributes are asked for by POST.
        package var asksByPost = false

        package init(name: String?, clientID: SecretValue, clientSecret: SecretValue, issuerURL: String) {
            (self.name, self.clientID) = (name, clientID)
            (self.clientSecret, self.issuerURL) = (clientSecret, issuerURL)
        }
    }

    /// A provider that speaks SAML.
    package struct SAMLProvider: Sendable, Equatable {
        package var name: String?
        /// The document, or its address.
        package var metadata: String
        package var isMetadataURL: Bool
        package var identifiers: [String] = []
        package var mapping: [AttributeMapping] = []
        package var signsOut = false
        package var signsRequests = false
        package var demandsEncryption = false

        package init(_ name: String?, metadata: String, isURL: Bool) {
            (self.name, self.metadata, isMetadataURL) = (name, metadata, isURL)
        }
    }
}
