import JSON

/// A function of the app's that the pool calls at a certain point.
package enum PoolTrigger: String, Sendable, CaseIterable {
    case preSignUp
    case postConfirmation
    case preAuthentication
    case postAuthentication
    case preTokenGeneration
    case customMessage
    case userMigration
    case defineAuthChallenge
    case createAuthChallenge
    case verifyAuthChallengeResponse
    case customEmailSender
    case customSMSSender = "customSmsSender"

    /// As errors call it.
    var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// As events call it, before what has happened.
    var source: String {
        switch self {
        case .preTokenGeneration: "TokenGeneration"
        case .customSMSSender: "CustomSMSSender"
        default: name
        }
    }
}

/// The functions of the app's that the pool calls.
package struct TriggerSettings: Sendable, Equatable {
    /// By trigger, the URL of its function.
    package var urls: [PoolTrigger: String] = [:]
    /// Which form of event the function for tokens gets: 1, 2 or 3.
    package var tokenVersion: Int64 = 1

    package init() {}

    /// The function that sends messages of a medium in the pool's place.
    func sender(of medium: CodeDelivery.Medium) -> String? { urls[medium.senderTrigger] }

    /// Returns whether a function is asked, or told, of each message of a medium.
    func haveSay(in medium: CodeDelivery.Medium) -> Bool { urls[.customMessage] != nil || sender(of: medium) != nil }
}

extension CodeDelivery.Medium {
    /// The trigger of the function that sends such messages.
    var senderTrigger: PoolTrigger { self == .email ? .customEmailSender : .customSMSSender }

    /// The attribute with the address.
    var attribute: String { self == .email ? "email" : "phone_number" }
}
