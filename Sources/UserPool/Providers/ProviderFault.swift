import JSON

/// Why nothing comes of a sign-in at a provider.
struct ProviderFault: Error {
    /// What the app is told.
    let answer: AuthorizationFault
    /// What a person who runs the server should know beside; nil: nothing.
    let reason: String?

    /// The provider does not do its part.
    static func failed(_ provider: IdentityProvider, _ reason: String) -> ProviderFault {
        ProviderFault(
            answer: AuthorizationFault(
                error: "server_error", description: "The provider \(provider.name) could not be asked."),
            reason: "\(provider.name): \(reason)")
    }

    /// What it says is not to be believed, or not enough.
    static func refused(_ provider: IdentityProvider, _ what: String) -> ProviderFault {
        ProviderFault(
            answer: AuthorizationFault(
                error: "invalid_request",
                description: "The provider \(provider.name) has given no good answer: \(what)."
            ),
            reason: "\(provider.name): \(what)")
    }

    /// The codes of OAuth 2.0 and OpenID Connect that an app is told as they came.
    private static let passedOn: Set<ByteText> = [
        "access_denied", "login_required", "interaction_required", "account_selection_required", "consent_required",
        "temporarily_unavailable", "server_error",
    ]

    /// The provider has refused itself, in the way that browsers bring. What else it says there anybody could have written.
    static func told(_ provider: IdentityProvider, _ error: String) -> AuthorizationFault {
        let isCancelled = ByteText(error) == "user_cancelled_authorize"
        let code = isCancelled ? "access_denied" : passedOn.contains(error) ? error : "invalid_request"
        return AuthorizationFault(
            error: code,
            description: ByteText(code) == "access_denied"
                ? "\(provider.name): the sign-in was cancelled or refused" : "\(provider.name) has refused the sign-in")
    }
}
