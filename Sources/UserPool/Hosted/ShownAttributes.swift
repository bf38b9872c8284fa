import JSON

/// Which of a user's attributes an app may read by its scopes, in ID tokens and at `/oauth2/userInfo`: `email` and `phone` alone
/// narrow it down; `profile`, or none of the three, means all.
struct ShownAttributes: Sendable {
    private let only: Set<ByteText>?

    init(_ scopes: Set<ByteText>) {
        guard !scopes.contains("profile"), scopes.contains("email") || scopes.contains("phone") else {
            only = nil
            return
        }
        var names: Set<ByteText> = []
        if scopes.contains("email") { names.formUnion(["email", "email_verified"]) }
        if scopes.contains("phone") { names.formUnion(["phone_number", "phone_number_verified"]) }
        only = names
    }

    init(_ scopes: String) { self.init(Set(texts: scopes.words)) }

    func contains(_ attribute: String) -> Bool { only?.contains(ByteText(attribute)) ?? true }
}
