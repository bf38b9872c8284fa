import JSON

/// Somebody else by whom users may sign in: a provider of OpenID Connect.
package struct IdentityProvider: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case google
        case apple
        case facebook
        case amazon
        /// Any other.
        case oidc
    }

    /// How the pool proves to the provider that it is its client.
    package enum Proof: Sendable, Equatable {
        /// By the verifier of each sign-in alone (RFC 7636).
        case none
        case secret(String)
        case apple(AppleClientKey)
    }

    /// What becomes of a claim.
    package struct Mapping: Sendable, Equatable {
        package let attribute: String
        package let claim: String

        package init(attribute: String, claim: String) {
            self.attribute = attribute
            self.claim = claim
        }
    }

    /// Where its doors are.
    package struct Endpoints: Sendable, Equatable {
        package var authorization: String
        package var token: String
        package var keys: String
        package var userInfo: String?

        package init(authorization: String, token: String, keys: String, userInfo: String? = nil) {
            self.authorization = authorization
            self.token = token
            self.keys = keys
            self.userInfo = userInfo
        }
    }

    /// What apps ask for it by, and what the names of its users begin with.
    package var name: String
    package var kind: Kind
    package var clientID: String
    package var proof = Proof.none
    package var issuer: String
    /// Nil: the issuer says it itself (`/.well-known/openid-configuration`).
    package var endpoints: Endpoints?
    package var scopes: [String]
    package var mapping: [Mapping]
    /// By what apps may ask for it beside its name, such as a domain of addresses.
    package var identifiers: [String] = []
    /// True if a page of this server takes its place, which believes whoever says who they are.
    package var isStandIn = false

    /// One that is as usual for its kind.
    package init(_ kind: Kind, name: String? = nil, clientID: String, issuer: String? = nil) {
        self.kind = kind
        self.name = name ?? kind.serviceName ?? kind.rawValue
        self.clientID = clientID
        self.issuer = issuer ?? kind.issuer ?? ""
        scopes = kind.usualScopes
        mapping = kind.usualMapping
    }

    /// One that a page of this server takes the place of.
    package init(standInFor kind: Kind, name: String? = nil) {
        self.init(kind, name: name, clientID: "stand-in")
        // Nobody can have such a name (RFC 6761).
        issuer = "https://\(self.name.lowercased()).stand-in.invalid"
        isStandIn = true
    }

    private static let nameBytesMax = 32
    private static let reservedNames: Set<ByteText> = ["cognito"]

    /// Returns whether a provider can be called so. An underscore ends the name where a user's begins with it.
    package static func isName(_ text: String) -> Bool {
        (3...nameBytesMax).contains(text.utf8.count) && !reservedNames.contains(text.lowercased())
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// What people know it by.
    var title: String {
        switch kind {
        case .google: "Google"
        case .apple: "Apple"
        case .facebook: "Facebook"
        case .amazon: "Amazon"
        case .oidc: name
        }
    }

    /// Returns whether a token may say that this issued it. Google's say it in two ways.
    func isIssuer(_ text: String) -> Bool {
        ByteText(text) == ByteText(issuer)
            || (kind == .google && !isStandIn && ByteText("https://\(text)") == ByteText(issuer))
    }

    /// True if the provider sends its answer as a form from its own page. Apple does where it tells of people.
    var answersByForm: Bool {
        kind == .apple && !isStandIn && scopes.contains { ByteText($0) == "email" || ByteText($0) == "name" }
    }

    /// What the name of one of its users is here.
    func userName(of subject: String) -> String { "\(name)_\(subject)" }
}

extension IdentityProvider.Kind {
    /// What Cognito calls it; nil where whoever sets it up gives it a name.
    package var serviceName: String? {
        switch self {
        case .google: "Google"
        case .apple: "SignInWithApple"
        case .facebook: "Facebook"
        case .amazon: "LoginWithAmazon"
        case .oidc: nil
        }
    }

    /// What Cognito calls providers of that kind.
    var serviceType: String { serviceName ?? "OIDC" }

    /// Where the provider says what it is; nil where that has to be set, or where it speaks something else.
    package var issuer: String? {
        switch self {
        case .google: "https://accounts.google.com"
        case .apple: "https://appleid.apple.com"
        case .facebook, .amazon, .oidc: nil
        }
    }

    /// True if it speaks OpenID Connect with whoever signs people in by it. The others have protocols of their own.
    package var speaksOpenID: Bool {
        switch self {
        case .google, .apple, .oidc: true
        case .facebook, .amazon: false
        }
    }

    fileprivate var usualScopes: [String] {
        self == .apple ? ["openid", "email", "name"] : ["openid", "email", "profile"]
    }

    fileprivate var usualMapping: [IdentityProvider.Mapping] {
        let names = self == .apple ? ("firstName", "lastName") : ("given_name", "family_name")
        return [
            .init(attribute: "email", claim: "email"), .init(attribute: "name", claim: "name"),
            .init(attribute: "given_name", claim: names.0), .init(attribute: "family_name", claim: names.1),
        ]
    }
}
