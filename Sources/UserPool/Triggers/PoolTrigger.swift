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

    /// As errors call it.
    var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// As events call it, before what has happened.
    var source: String { self == .preTokenGeneration ? "TokenGeneration" : name }
}

/// The functions of the app's that the pool calls.
package struct TriggerSettings: Sendable, Equatable {
    /// By trigger, the URL of its function.
    package var urls: [PoolTrigger: String] = [:]
    /// Which form of event the function for tokens gets: 1, 2 or 3.
    package var tokenVersion: Int64 = 1

    package init() {}
}
