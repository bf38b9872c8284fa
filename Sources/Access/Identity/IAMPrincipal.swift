import Blueprint
import JSON

/// An IAM principal: the owner of credentials with which requests are signed.
package struct IAMPrincipal: Sendable, Equatable {
    /// What the owner of credentials is to the API.
    package enum Role: Sendable, Equatable, CaseIterable {
        /// A signed-in identity of the identity pool.
        case authenticated
        /// A guest of the identity pool.
        case unauthenticated
        /// Whoever runs the API: no identity of a pool, and no rule holds them back.
        case administrator
    }

    package let role: Role
    package let accessKeyID: String
    package let accountID: String
    package let identityPoolID: String?
    package let identityID: String?
    package let userARN: String
    /// What functions are told as the name: that of a role and its session, else the access key.
    package let username: String
    /// How a signed-in identity has signed in to the pool.
    package let authProvider: String?
    /// True if the owner acts in the role of a group, which takes the place of that of signed-in users: Amplify gives it no
    /// policy for the API.
    package let isInGroupRole: Bool
    /// The name of that group, where it is known.
    package let group: String?
    /// The function of the app whose credentials these are.
    package let function: String?
    /// What that function may do with the API; nil: no rule speaks of it.
    package let operations: DataOperations?
    /// What that function may do with the other services; nil: everything.
    package let rights: FunctionRights?

    /// Whoever deploys names no account: this is the one that AWS itself uses in examples.
    package static let exampleAccountID = "123456789012"

    package init(
        role: Role, accessKeyID: String, identityID: String? = nil, identityPoolID: String? = nil,
        accountID: String = IAMPrincipal.exampleAccountID, userARN: String? = nil, username: String? = nil,
        authProvider: String? = nil, isInGroupRole: Bool = false, group: String? = nil, function: String? = nil,
        operations: DataOperations? = nil, rights: FunctionRights? = nil
    ) {
        self.role = role
        self.accessKeyID = accessKeyID
        self.accountID = accountID
        self.identityID = identityID
        self.identityPoolID = identityPoolID
        self.authProvider = authProvider
        self.username = username ?? accessKeyID
        self.isInGroupRole = isInGroupRole
        self.group = group
        self.function = function
        self.operations = operations
        self.rights = rights
        let roleName: String? =
            switch role {
            case .authenticated: "authRole"
            case .unauthenticated: "unauthRole"
            case .administrator: nil
            }
        self.userARN =
            userARN
            ?? roleName.map {
                ARN("sts", region: "", account: accountID, "assumed-role/\($0)/CognitoIdentityCredentials").description
            } ?? ARN("iam", region: "", account: accountID, "user/\(accessKeyID)").description
    }

    /// What resolvers see as `cognitoIdentityAuthType`.
    package var authType: String? {
        switch role {
        case .authenticated: "authenticated"
        case .unauthenticated: "unauthenticated"
        case .administrator: nil
        }
    }
}

extension IAMPrincipal {
    /// Returns whether another is the same identity of the pool in the same role, with keys that were given out anew.
    func isSameIdentity(as other: IAMPrincipal) -> Bool {
        identityID != nil && role == other.role && isInGroupRole == other.isInGroupRole && texts == other.texts
    }

    private var texts: [ByteText?] {
        [identityID, identityPoolID, authProvider, userARN, accountID, group, function].map { $0.map { ByteText($0) } }
    }
}
