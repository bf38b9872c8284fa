import Access
import Blueprint
import Crypto
import Functions
import JSON
import Synchronization

/// The access keys of the functions that run here: each is who it says it is, as long as the server runs that has given them out.
///
/// Of the user pool a function may do everything, as whoever has written it may; of the API too, unless the schema says what
/// (`allow.resource(fn).to([...])`); of files what rules give it.
final class FunctionRoles: TemporaryCredentials {
    private let key: [UInt8]
    /// By access key: a request is recognised without a code that is made anew.
    private let known: Mutex<[ByteText: Known]>
    private let accountID: String

    private struct Known: Sendable {
        let name: String
        let credentials: FunctionCredentials
        /// What it may do with the API; nil: everything.
        let operations: DataOperations?
    }

    private static let keyPrefix = "ASIA"
    private static let nameBytes = 10

    /// - Parameter grants: what functions may do with the API; of others nobody speaks.
    init(
        _ functions: [String], grants: [String: DataOperations] = [:],
        accountID: String = IAMPrincipal.exampleAccountID
    ) {
        self.accountID = accountID
        let key = RandomBytes.make(count: 32)
        self.key = key
        known = Mutex(Self.known(functions, grants, key))
    }

    /// Goes on with these functions: one that is gone is nobody any more, and who stays has the same keys.
    func adopt(_ functions: [String], grants: [String: DataOperations]) {
        let next = Self.known(functions, grants, key)
        known.withLock { $0 = next }
    }

    private static func known(
        _ functions: [String], _ grants: [String: DataOperations], _ key: [UInt8]
    ) -> [ByteText: Known] {
        let all = functions.map { Known(name: $0, credentials: credentials(of: $0, key), operations: grants[$0]) }
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
        let function = known.name
        let principal = IAMPrincipal(
            role: .administrator, accessKeyID: accessKeyID, accountID: accountID,
            userARN: "arn:aws:sts::\(accountID):assumed-role/\(function)/\(function)",
            username: "\(accessKeyID):\(function)", function: function, operations: known.operations)
        return TemporaryCredential(secret: known.credentials.secret, principal: principal, expires: .max)
    }

    private static func accessKeyID(of function: String, _ key: [UInt8]) -> String {
        let code = HMACSHA256.code(of: Array("name \(function)".utf8), key: key)
        return keyPrefix + Base32.text(of: Array(code.prefix(nameBytes)))
    }

    private static func text(_ what: String, _ function: String, _ key: [UInt8]) -> String {
        Base64.text(of: HMACSHA256.code(of: Array("\(what) \(function)".utf8), key: key), .standard)
    }
}
