import JSON

/// An app as the pool knows it.
package struct AppClient: Sendable, Equatable {
    /// A way to sign in. Those for administrators need a signature too.
    package enum Flow: String, Sendable, CaseIterable {
        case srp = "ALLOW_USER_SRP_AUTH"
        case password = "ALLOW_USER_PASSWORD_AUTH"
        case adminPassword = "ALLOW_ADMIN_USER_PASSWORD_AUTH"
        case refresh = "ALLOW_REFRESH_TOKEN_AUTH"
        case custom = "ALLOW_CUSTOM_AUTH"
        case choice = "ALLOW_USER_AUTH"
    }

    package var id: String
    /// Nil for a client that cannot keep one, as an app on a phone or a page.
    package var secret: String?
    package var flows = Set(Flow.allCases)
    /// True if the configuration says the flows; else those of the project's client hold.
    package var saysFlows = false
    /// The attributes that its users may set of themselves by it; nil: all that users may.
    package var writeAttributes: Set<ByteText>?
    /// The attributes that it is shown; nil: all.
    package var readAttributes: Set<ByteText>?
    package var accessSeconds: Int64 = 3_600
    package var idSeconds: Int64 = 3_600
    package var refreshSeconds: Int64 = 30 * 86_400
    /// How long a session between two answers of a sign-in is good.
    package var sessionSeconds: Int64 = 180
    /// True if each refresh gives a new refresh token and ends the old one, and how long the old one is still taken from a
    /// client that did not get the answer. Nil: refresh tokens stay what they are.
    package var rotationGraceSeconds: Int64?

    /// Where the pages may send somebody back to with a code, to the character. Empty: the app does not use the pages.
    package var redirectURIs: [String] = []
    /// Where they may send somebody who has signed out.
    package var logoutURIs: [String] = []
    /// What the app may ask for on the pages.
    package var scopes = ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"]

    package init(_ id: String) {
        self.id = id
    }

    /// Throws where users may not set one of these attributes by it.
    func demandWritable(_ names: some Sequence<String>) throws(PoolError) {
        guard let writeAttributes else { return }
        for name in names where !writeAttributes.contains(ByteText(name)) {
            throw .notAuthorized("A client attempted to write unauthorized attribute")
        }
    }

    /// Returns whether it is shown an attribute.
    func shows(_ attribute: String) -> Bool { readAttributes?.contains(ByteText(attribute)) ?? true }

    private static let addressBytesMax = 1_024

    /// Returns whether somebody can be sent there: a scheme that leads to an app and not into the page itself, and no fragment.
    package static func isAppAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.count <= addressBytesMax else {
            return false
        }
        let scheme = String(text[..<colon])
        let rest = String(text[text.utf8.index(after: colon)...])
        guard scheme.utf8.first?.isLetter ?? false,
            scheme.utf8.allSatisfy({ $0.isAlphanumeric || "+-.".utf8.contains($0) }),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#\"<>\\^`{|}".utf8.contains($0) })
        else { return false }
        switch scheme.lowercased() {
        case "javascript", "data", "vbscript", "file", "blob", "about": return false
        case "http", "https": return rest.hasPrefix("//") && rest.utf8.count > 2 && !rest.hasPrefix("///")
        default: return rest.hasPrefix("/")
        }
    }

    /// Returns whether it can be asked for (RFC 6749, 3.3).
    package static func isScope(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}
