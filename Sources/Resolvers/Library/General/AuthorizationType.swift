import JSON

/// What `util.authType()` answers.
enum AuthorizationType: String {
    case key = "API Key Authorization"
    case lambda = "Lambda Authorization"
    case iam = "IAM Authorization"
    case userPool = "User Pool Authorization"
    case openID = "Open ID Connect Authorization"

    /// The members that the identity of a mode has, and those that are not null. One with others is of another mode.
    private static let shapes: [(type: AuthorizationType, members: Set<ByteText>, required: [String])] = [
        (.lambda, ["resolverContext"], []),
        (
            .iam,
            [
                "accountId", "cognitoIdentityPoolId", "cognitoIdentityId", "sourceIp", "username", "userArn",
                "cognitoIdentityAuthType", "cognitoIdentityAuthProvider",
            ],
            ["accountId", "sourceIp", "username", "userArn"]
        ),
        (
            .userPool, ["sub", "issuer", "username", "claims", "sourceIp", "defaultAuthStrategy", "groups"],
            ["sub", "issuer", "username", "claims", "sourceIp", "defaultAuthStrategy"]
        ),
        (.openID, ["sub", "issuer", "claims"], ["sub", "issuer", "claims"]),
    ]

    /// An identity says by its shape of which mode it is.
    init(of identity: JSONValue) {
        guard let identity = identity.object else {
            self = .key
            return
        }
        self =
            Self.shapes.first { shape in
                identity.allSatisfy { shape.members.contains($0.key) }
                    && shape.required.allSatisfy { !(identity[$0] ?? .null).isNull }
            }?.type ?? .key
    }
}
