/// Where the code goes by which a forgotten password is replaced, by the names that the CDK gives to the choices.
package enum AccountRecovery: String, Sendable, CaseIterable {
    case emailAndPhoneWithoutMFA = "EMAIL_AND_PHONE_WITHOUT_MFA"
    case phoneWithoutMFAAndEmail = "PHONE_WITHOUT_MFA_AND_EMAIL"
    case emailOnly = "EMAIL_ONLY"
    case phoneOnlyWithoutMFA = "PHONE_ONLY_WITHOUT_MFA"
    case phoneAndEmail = "PHONE_AND_EMAIL"
    /// Administrators alone.
    case none = "NONE"

    /// The attributes whose addresses get it, the first one that is verified.
    var attributes: [String] {
        switch self {
        case .emailAndPhoneWithoutMFA: ["email", "phone_number"]
        case .phoneWithoutMFAAndEmail, .phoneAndEmail: ["phone_number", "email"]
        case .emailOnly: ["email"]
        case .phoneOnlyWithoutMFA: ["phone_number"]
        case .none: []
        }
    }

    /// True if an address that brings the second factor may bring this code, too: then who holds it needs nothing else.
    var passesSecondFactor: Bool { self == .phoneAndEmail }
}
