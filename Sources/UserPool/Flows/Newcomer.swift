import Crypto
import JSON

/// Somebody who is to become a user: checked, and not stored yet.
struct Newcomer: Sendable {
    let user: User
    /// By what they will be meant.
    let names: [(name: UserName, kind: String)]
}

extension PoolRun {
    /// Makes a newcomer of a name and attributes.
    func newcomer(
        _ given: String, _ attributes: JSONObject, isByAdministrator: Bool
    ) throws(PoolError) -> Newcomer {
        var attributes = attributes
        let sub = UUIDText.random()
        var names: [(name: UserName, kind: String)] = [(UserName(sub, in: settings), "sub")]
        let name: String
        if settings.namesUsersItself {
            let attribute = try addressKind(of: given)
            if let other = attributes[attribute]?.text, other != ByteText(given) {
                throw .invalidParameter("Username and \(attribute) should match.")
            }
            attributes.set(attribute, to: .string(given))
            name = sub
            // Whoever asks learns that the address is taken in its own words.
            names.append((UserName(given, in: settings), attribute))
        } else {
            if settings.aliases.contains("email"), ContactAddress.isEmail(given) {
                throw .invalidParameter(
                    "Username cannot be of email format, since user pool is configured for email alias.")
            }
            if settings.aliases.contains("phone_number"), ContactAddress.isPhone(given) {
                throw .invalidParameter(
                    "Username cannot be of phone number format, since user pool is configured for phone number alias.")
            }
            if let provider = settings.providers.first(where: { self.name(given).isOfUser(of: $0) }) {
                throw .invalidParameter("Username cannot begin as those of users of \(provider.name) do.")
            }
            name = given
            names.append((UserName(given, in: settings), "username"))
        }
        for attribute in attributes {
            let fault = settings.attributes.fault(
                of: attribute.key, attribute.value.string ?? "", isByAdministrator: isByAdministrator, isNew: true)
            if let fault { throw fault }
        }
        // Amplify's pages send an empty address where somebody signs up by the other one.
        var demanded = settings.attributes
        if settings.signInNames.contains(.email), settings.signInNames.contains(.phone) {
            for address in ["email", "phone_number"] where attributes[address]?.string == "" {
                attributes.remove(address)
                demanded.required.removeAll { ByteText($0) == ByteText(address) }
            }
        }
        if !isByAdministrator, let missing = demanded.missing(in: attributes) {
            throw .invalidParameter(
                "Attributes did not conform to the schema: \(missing): The attribute \(missing) is required")
        }
        // An address that nobody has proved is told as such, and not left open.
        for address in ["email", "phone_number"] where !(attributes[address]?.string ?? "").isEmpty {
            if attributes["\(address)_verified"] == nil { attributes.set("\(address)_verified", to: "false") }
        }
        let user = User(
            number: 0, sub: sub, name: name, status: .unconfirmed, isEnabled: true, created: now, modified: now,
            attributes: attributes, password: nil, foreignHash: nil, temporaryUntil: nil,
            secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0)
        return Newcomer(user: user, names: names)
    }

    /// Which kind of address users sign up with here.
    private func addressKind(of given: String) throws(PoolError) -> String {
        let takesEmail = settings.signInNames.contains(.email)
        let takesPhone = settings.signInNames.contains(.phone)
        if takesEmail, ContactAddress.isEmail(given) { return "email" }
        if takesPhone, ContactAddress.isPhone(given) { return "phone_number" }
        throw .invalidParameter(
            takesEmail && takesPhone
                ? "Username should be either an email or a phone number."
                : takesEmail ? "Username should be an email." : "Username should be a phone number.")
    }

    /// What is stored of a password; nil for none. It is counted beside the loop.
    func storedPassword(_ password: String?, name: String) async throws(PoolError) -> StoredPassword? {
        guard let password else { return nil }
        let identity = SRPIdentity(poolName: pool.identifiers.poolName, userID: name)
        return try await aside {
            let verifier = SRPVerifier(password: password, of: identity)
            return StoredPassword(salt: verifier.salt, verifier: verifier.number)
        }
    }
}

extension User {
    func with(password: StoredPassword?) -> User {
        var user = self
        user.password = password
        return user
    }
}
