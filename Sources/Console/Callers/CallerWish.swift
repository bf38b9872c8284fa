import Access
import Blueprint
import JSON

/// On whose behalf something is asked for: the object `as` of the API.
package enum CallerWish: Sendable {
    case administrator
    case apiKey
    case user(String)
    case made(MadeCaller)
    case guest
    case iam(role: String, identityID: String?)
    case token(String)

    /// Somebody made up.
    package struct MadeCaller: Sendable {
        let username: String
        let groups: [String]
        let claims: JSONObject
        let isOpenID: Bool
    }

    /// Nothing said: the administrator.
    init(_ value: JSONValue?) throws(ConsoleError) {
        guard let value, !value.isNull else {
            self = .administrator
            return
        }
        guard let object = value.object else { throw .badRequest("as is an object.", place: "as") }
        let input = ConsoleInput(object)
        switch try input.text("kind") {
        case "admin": self = .administrator
        case "apiKey": self = .apiKey
        case "guest": self = .guest
        case "user": self = .user(try input.text("username"))
        case "token": self = .token(try input.text("token"))
        case "iam":
            self = .iam(
                role: try input.optionalText("role") ?? "authenticated",
                identityID: try input.optionalText("identityId"))
        case "made":
            let claims = try input["claims"].map { _ throws(ConsoleError) in try input.objectMember("claims") }
            let made = MadeCaller(
                username: try input.text("username"),
                groups: try input.texts("groups", max: ConsoleLimits.valuesMax) ?? [],
                claims: claims ?? JSONObject(), isOpenID: try input.optionalText("provider") == "oidc")
            guard JSONWriter.bytes(of: .object(made.claims)).count <= ConsoleLimits.claimsBytesMax else {
                throw .badRequest("The claims have \(ConsoleLimits.claimsBytesMax) bytes at most.", place: "as.claims")
            }
            self = .made(made)
        case let kind:
            throw .badRequest(
                "There is no caller of the kind \(kind): admin, apiKey, user, made, guest, iam, token.",
                place: "as.kind")
        }
    }

    var isAdministrator: Bool {
        if case .administrator = self { true } else { false }
    }

    /// The same as the API writes it.
    var json: JSONValue {
        switch self {
        case .administrator: ["kind": "admin"]
        case .apiKey: ["kind": "apiKey"]
        case .guest: ["kind": "guest"]
        case .user(let name): ["kind": "user", "username": .string(name)]
        case .token(let token): ["kind": "token", "token": .string(token)]
        case .iam(let role, let identity):
            ["kind": "iam", "role": .string(role), "identityId": .text(identity)]
        case .made(let made):
            [
                "kind": "made", "username": .string(made.username), "groups": .texts(made.groups),
                "claims": .object(made.claims), "provider": .string(made.isOpenID ? "oidc" : "userPools"),
            ]
        }
    }
}
