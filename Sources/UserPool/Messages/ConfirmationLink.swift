import JSON

/// The link in a mail by which a new user confirms that its address is theirs: Cognito's
/// `/confirmUser?client_id=...&user_name=...&confirmation_code=...`.
struct ConfirmationLink: Sendable {
    /// Scheme and authority by which the server was called.
    let base: String
    let clientID: String
    let username: String

    /// What Cognito says where an app says nothing.
    static let subject = "Your verification link"
    static let text = "Please click the link below to verify your email address. {##Verify Email##}"

    func address(code: String) -> String {
        let query = [("client_id", clientID), ("user_name", username), ("confirmation_code", code)]
        let pairs = query.map { "\($0.0)=\(FormPairs.encoded($0.1))" }.joined(separator: "&")
        return "\(base)\(HostedPath.confirmUser.rawValue)?\(pairs)"
    }
}

extension PoolRun {
    /// The link for a user; nil where the pool sends codes.
    func confirmationLink(for user: String, _ client: AppClient) -> ConfirmationLink? {
        guard settings.verifiesByLink else { return nil }
        return ConfirmationLink(base: call.base, clientID: client.id, username: user)
    }
}
