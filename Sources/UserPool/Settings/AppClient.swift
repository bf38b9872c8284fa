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
    package var accessSeconds: Int64 = 3_600
    package var idSeconds: Int64 = 3_600
    package var refreshSeconds: Int64 = 30 * 86_400
    /// How long a session between two answers of a sign-in is good.
    package var sessionSeconds: Int64 = 180
    /// Whether each refresh gives a new refresh token and ends the old one, and how long the old one is still taken from a
    /// client that did not get the answer. Nil: refresh tokens stay what they are.
    package var rotationGraceSeconds: Int64?

    package init(_ id: String) {
        self.id = id
    }
}
