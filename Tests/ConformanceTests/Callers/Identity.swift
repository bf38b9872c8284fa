import JSON

/// A caller in a case, and what it shows to be let in.
enum Identity: Sendable {
    case anonymous
    case apiKey(String)
    /// A token of a user pool or of an OpenID Connect provider.
    case token(TokenIdentity)
    /// A text that an authorizer function decides about.
    case authorized(AuthorizedIdentity)
    /// Whoever signs requests.
    case signer(SigningIdentity)

    /// What the server is told to accept.
    static let knownAPIKey = "da2-fakeApiId123456"

    init(_ name: String, _ fields: CaseFields) throws(CaseFormError) {
        switch try fields.text("type") {
        case "none":
            try fields.expectOnly(["type"])
            self = .anonymous
        case "apiKey":
            try fields.expectOnly(["type", "key"])
            self = .apiKey(try fields.text("key", or: Self.knownAPIKey))
        case "userPool":
            self = .token(try TokenIdentity(fields, isOfUserPool: true))
        case "oidc":
            self = .token(try TokenIdentity(fields, isOfUserPool: false))
        case "lambda":
            self = .authorized(try AuthorizedIdentity(fields))
        case "iam":
            self = .signer(try SigningIdentity(name, fields))
        case let type:
            throw CaseFormError("the identity \(name) has the type \(type), which is none")
        }
    }
}

/// A caller whom an authorizer function knows by a token.
struct AuthorizedIdentity: Sendable {
    let token: String
    /// What the function answers about it.
    let decision: JSONValue

    init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["type", "token", "isAuthorized", "resolverContext", "deniedFields", "handlerContext"])
        token = try fields.text("token")
        var decision = JSONObject([
            ("isAuthorized", .bool(try fields.flag("isAuthorized", or: true))), ("ttlOverride", 0),
            ("resolverContext", .object(try fields.object("resolverContext"))),
            ("deniedFields", .array(try fields.array("deniedFields"))),
        ])
        if let context = fields.members["handlerContext"] { decision.set("handlerContext", to: context) }
        self.decision = .object(decision)
    }
}
