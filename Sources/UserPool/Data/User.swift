import JSON
import Store

/// A user of the pool, as they are stored.
struct User: Sendable {
    enum Status: String, Sendable {
        case unconfirmed = "UNCONFIRMED"
        case confirmed = "CONFIRMED"
        /// Invited: the password is a temporary one.
        case mustChangePassword = "FORCE_CHANGE_PASSWORD"
        case mustReset = "RESET_REQUIRED"
        /// Came from somebody else's sign-in, and has no password.
        case external = "EXTERNAL_PROVIDER"
    }

    /// Never given to another user, also after this one is deleted: tokens, sessions and codes are bound to it.
    let number: Int64
    let sub: String
    /// What tokens and proofs call the user: the name they have chosen, or the `sub`.
    let name: String
    var status: Status
    var isEnabled: Bool
    let created: Int64
    var modified: Int64
    /// Texts by name, without `sub`.
    var attributes: JSONObject
    var password: StoredPassword?
    /// A hash from another system, for users who were imported and have not signed in since.
    var foreignHash: String?
    /// Until when a temporary password is good.
    var temporaryUntil: Int64?
    var secondFactors: SecondFactorChoice
    var totpSecret: [UInt8]?
    /// The counter of the last code of the authenticator app: none at or before it is taken.
    var totpCounter: Int64

    func attribute(_ name: String) -> String? { attributes[name]?.string }

    /// True if there is a password that proves who they are, by whichever trace of it.
    var hasPassword: Bool { password != nil || foreignHash != nil }

    func hasVerified(_ attribute: String) -> Bool {
        self.attribute("\(attribute)_verified") == "true" && !(self.attribute(attribute) ?? "").isEmpty
    }
}

/// What proves a password, and is none.
struct StoredPassword: Sendable {
    let salt: [UInt8]
    let verifier: [UInt8]
}

/// The second factors that a user has chosen.
struct SecondFactorChoice: Sendable, Equatable {
    var enabled: [PoolSettings.SecondFactor] = []
    var preferred: PoolSettings.SecondFactor?

    init() {}

    /// As it is stored: names with blanks between them, the preferred one with a `*`.
    init(stored: String) {
        for word in stored.words {
            let isPreferred = word.hasSuffix("*")
            guard let factor = PoolSettings.SecondFactor(rawValue: isPreferred ? String(word.dropLast()) : word) else {
                continue
            }
            enabled.append(factor)
            if isPreferred { preferred = factor }
        }
    }

    var stored: String {
        enabled.map { $0 == preferred ? "\($0.rawValue)*" : $0.rawValue }.joined(separator: " ")
    }
}
