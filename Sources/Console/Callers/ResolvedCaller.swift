import Access
import Blueprint
import JSON

/// Somebody on whose behalf something is done: an identity that was made, with what people call it.
struct ResolvedCaller: Sendable {
    let identity: Identity
    let label: String
    /// What else is to be said of them: `user pool · no group`.
    let detail: String
    let wish: CallerWish

    var isAdministrator: Bool { identity.principal?.role == .administrator }

    var json: JSONValue {
        .members([
            "label": .string(label), "detail": .string(detail), "provider": .string(identity.mode.word),
            "claims": identity.token.map { .object($0.claims) } ?? .null, "as": wish.json,
        ])
    }
}

extension AuthMode {
    /// What the API of the console calls it.
    package var word: String {
        switch self {
        case .apiKey: "apiKey"
        case .userPools: "userPools"
        case .iam: "iam"
        case .oidc: "oidc"
        case .lambda: "lambda"
        }
    }

    /// The same for people.
    var label: String {
        switch self {
        case .apiKey: "API key"
        case .userPools: "user pool"
        case .iam: "IAM"
        case .oidc: "OpenID Connect"
        case .lambda: "authorizer"
        }
    }
}
