import Cloud
import JSON

/// An operation of the service: its name, who may call it, what its request has, and what it does.
struct PoolOperation: Sendable {
    /// Which of the two services it belongs to.
    enum Service: String, Sendable, CaseIterable {
        case userPool = "AWSCognitoIdentityProviderService"
        case identityPool = "AWSCognitoIdentityService"
    }

    /// Who may call it.
    enum Access: Sendable {
        /// Everybody: what the request holds proves what has to be proved.
        case open
        /// Administrators, by a signature.
        case administrators
    }

    let name: String
    let access: Access
    let members: [MemberShape.Member]
    /// Nil: the answer has no body.
    let run: @Sendable (PoolRun) async throws(PoolError) -> JSONObject?

    init(
        _ name: String, _ access: Access = .open, _ members: [MemberShape.Member],
        _ run: @escaping @Sendable (PoolRun) async throws(PoolError) -> JSONObject?
    ) {
        self.name = name
        self.access = access
        self.members = members
        self.run = run
    }

    /// The operation that a target names.
    static func named(_ target: String) -> PoolOperation? { byTarget[target] }

    /// All of the user pool's, by what they are about.
    private static let userPool: [[PoolOperation]] = [
        signUp, signIn, tokens, profile, passwords, authenticators, devices, passkeys,
        // Administrators'.
        users, groups, lists, links, descriptions,
    ]

    static let byTarget: [ByteText: PoolOperation] = {
        var operations: [ByteText: PoolOperation] = [:]
        for operation in userPool.joined() {
            operations["\(Service.userPool.rawValue).\(operation.name)"] = operation
        }
        for operation in identities + developerIdentities {
            operations["\(Service.identityPool.rawValue).\(operation.name)"] = operation
        }
        return operations
    }()
}

/// Shapes that many operations share.
extension MemberShape {
    static let username = MemberShape.text(1...128, .name)
    static let password = MemberShape.text(0...256, .solid, isSecret: true)
    static let code = MemberShape.text(1...2_048, .solid)
    static let session = MemberShape.text(20...4_096, isSecret: true)
    static let accessToken = MemberShape.text(0...PoolLimits.tokenBytesMax, .token, isSecret: true)
    static let clientID = MemberShape.text(1...128, .clientID)
    static let secretHash = MemberShape.text(1...128, .base64, isSecret: true)
    static let poolID = MemberShape.text(1...55, .identifier)
    static let attributeName = MemberShape.text(1...32, .name)
    static let attributes = MemberShape.list(
        .object([
            Member("Name", attributeName, isRequired: true), Member("Value", .text(0...2_048, isSecret: true)),
        ]), max: PoolLimits.attributesMax)
    static let metadata = MemberShape.texts(keyMax: 131_072, valueMax: 131_072)
}

extension [MemberShape.Member] {
    /// What clients tell of themselves. Triggers get the metadata; nobody reads the rest.
    static let clientNotes: Self = [
        MemberShape.Member("ClientMetadata", .metadata),
        MemberShape.Member("AnalyticsMetadata", .object([])),
        MemberShape.Member("UserContextData", .object([])),
    ]
}
