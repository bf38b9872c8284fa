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
    private let key: [UInt8]
    /// By access key: a request is recognised without a code that is made anew.
    private let known: Mutex<[ByteText: Known]>
    private let accountID: String
    private let identities: Mutex<IdentityRights>

    /// The rights of the pool's identities at functions.
    var identityRights: IdentityRights { identities.withLock { $0 } }

    private struct Known: Sendable {
        let name: String
        let credentials: FunctionCredentials
        let principal: IAMPrincipal
    }

    private static let keyPrefix = "ASIA"
    /// The beginning of roles' ids.
    private static let rolePrefix = "AROA"
    private static let nameBytes = 10

    init(
        _ functions: [String], _ rights: GivenRights = GivenRights(), accountID: String = IAMPrincipal.exampleAccountID
    ) {
        self.accountID = accountID
        let key = RandomBytes.make(count: 32)
        self.key = key
        known = Mutex(Self.known(functions, rights, key, accountID))
        identities = Mutex(rights.identities)
    }

    /// Goes on with these functions: one that is gone is nobody any more, and who stays has the same keys.
    func adopt(_ functions: [String], _ rights: GivenRights) {
        let next = Self.known(functions, rights, key, accountID)
        known.withLock { $0 = next }
        identities.withLock { $0 = rights.identities }
    }

    private static func known(
        _ functions: [String], _ rights: GivenRights, _ key: [UInt8], _ accountID: String
    ) -> [ByteText: Known] {
        let all = functions.map { function in
            let credentials = credentials(of: function, key)
            let principal = IAMPrincipal(
                role: .administrator, accessKeyID: credentials.accessKeyID, accountID: accountID,
                userARN: "arn:aws:sts::\(accountID):assumed-role/\(function)/\(function)",
                username: "\(rolePrefix)\(credentials.accessKeyID.dropFirst(keyPrefix.count)):\(function)",
                function: function,
                operations: rights.operations[function], rights: rights.rights[function])
            return Known(name: function, credentials: credentials, principal: principal)
        }
        return Dictionary(
            texts: all.map { ($0.credentials.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func credentials(of function: String) -> FunctionCredentials { Self.credentials(of: function, key) }

    private static func credentials(of function: String, _ key: [UInt8]) -> FunctionCredentials {
        FunctionCredentials(
            accessKeyID: accessKeyID(of: function, key), secret: text("secret", function, key),
            sessionToken: text("session", function, key))
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let known = known.withLock({ $0[accessKeyID] }),
            ConstantTime.areEqual(known.credentials.sessionToken, sessionToken)
        else { return nil }
        return TemporaryCredential(secret: known.credentials.secret, principal: known.principal, expires: .max)
    }

    private static func accessKeyID(of function: String, _ key: [UInt8]) -> String {
        let code = HMACSHA256.code(of: Array("name \(function)".utf8), key: key)
        return keyPrefix + Base32.text(of: Array(code.prefix(nameBytes)))
    }

    private static func text(_ what: String, _ function: String, _ key: [UInt8]) -> String {
        Base64.text(of: HMACSHA256.code(of: Array("\(what) \(function)".utf8), key: key), .standard)
    }
}
