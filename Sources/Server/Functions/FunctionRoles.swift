import Access
import Blueprint
import Crypto
import Functions
import JSON
import Synchronization

/// The access keys of the functions that run here: each is who it says it is, as long as the server runs that has given them out.
///
/// A function's rights at the services are its project's (`GivenRights`), and at files those of rules as well.
final class FunctionRoles: TemporaryCredentials {
    private let keys: RoleKeys
    /// By access key: a request is recognised without a code that is made anew.
    private let known: Mutex<[ByteText: Known]>
    private let accountID: String
    private let identities: Mutex<IdentityRights>

    /// The rights of the pool's identities.
    var identityRights: IdentityRights { identities.withLock { $0 } }

    private struct Known: Sendable {
        let name: String
        let credentials: FunctionCredentials
        let principal: IAMPrincipal
    }

    /// The beginning of roles' ids.
    private static let rolePrefix = "AROA"

    /// - Parameter keys: those of several nodes, so that a link that a function has signed is good at all of them.
    init(
        _ functions: [String], _ rights: GivenRights = GivenRights(), keys: RoleKeys = RoleKeys(),
        accountID: String = IAMPrincipal.exampleAccountID
    ) {
        self.keys = keys
        self.accountID = accountID
        known = Mutex(Self.known(functions, rights, keys, accountID))
        identities = Mutex(rights.identities)
    }

    /// Goes on with these functions: one that is gone is nobody any more, and who stays has the same keys.
    func adopt(_ functions: [String], _ rights: GivenRights) {
        let next = Self.known(functions, rights, keys, accountID)
        known.withLock { $0 = next }
        identities.withLock { $0 = rights.identities }
    }

    private static func known(
        _ functions: [String], _ rights: GivenRights, _ keys: RoleKeys, _ accountID: String
    ) -> [ByteText: Known] {
        let all = functions.map { function in
            let credentials = keys.credentials(of: function)
            let principal = IAMPrincipal(
                role: .administrator, accessKeyID: credentials.accessKeyID, accountID: accountID,
                userARN: ARN("sts", region: "", account: accountID, "assumed-role/\(function)/\(function)").description,
                username: "\(rolePrefix)\(credentials.accessKeyID.dropFirst(RoleKeys.prefix.count)):\(function)",
                function: function,
                operations: rights.operations[function], rights: rights.rights[function])
            return Known(name: function, credentials: credentials, principal: principal)
        }
        return Dictionary(
            texts: all.map { ($0.credentials.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func credentials(of function: String) -> FunctionCredentials { keys.credentials(of: function) }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let known = known.withLock({ $0[accessKeyID] }),
            ConstantTime.areEqual(known.credentials.sessionToken, sessionToken)
        else { return nil }
        return TemporaryCredential(secret: known.credentials.secret, principal: known.principal, expires: .max)
    }
}
