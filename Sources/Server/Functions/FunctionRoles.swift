import Access
import Crypto
import Functions
import JSON

/// The access keys of the functions that run here: each is who it says it is, as long as the server runs that has given them out.
///
/// Of the API and of the user pool a function may do everything, as whoever has written it may; of files what rules give it.
struct FunctionRoles: TemporaryCredentials {
    private let key: [UInt8]
    /// By access key: a request is recognised without a code that is made anew.
    private let functions: [ByteText: (name: String, credentials: FunctionCredentials)]
    private let accountID: String

    private static let keyPrefix = "ASIA"
    private static let nameBytes = 10

    init(_ functions: [String], accountID: String = IAMPrincipal.exampleAccountID) {
        self.accountID = accountID
        let key = RandomBytes.make(count: 32)
        self.key = key
        let all = functions.map { (name: $0, credentials: Self.credentials(of: $0, key)) }
        self.functions = Dictionary(
            texts: all.map { ($0.credentials.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func credentials(of function: String) -> FunctionCredentials { Self.credentials(of: function, key) }

    private static func credentials(of function: String, _ key: [UInt8]) -> FunctionCredentials {
        FunctionCredentials(
            accessKeyID: accessKeyID(of: function, key), secret: text("secret", function, key),
            sessionToken: text("session", function, key))
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let (function, credentials) = functions[accessKeyID],
            ConstantTime.areEqual(credentials.sessionToken, sessionToken)
        else { return nil }
        let principal = IAMPrincipal(
            role: .administrator, accessKeyID: accessKeyID, accountID: accountID,
            userARN: "arn:aws:sts::\(accountID):assumed-role/\(function)/\(function)",
            username: "\(accessKeyID):\(function)", function: function)
        return TemporaryCredential(secret: credentials.secret, principal: principal, expires: .max)
    }

    private static func accessKeyID(of function: String, _ key: [UInt8]) -> String {
        let code = HMACSHA256.code(of: Array("name \(function)".utf8), key: key)
        return keyPrefix + Base32.text(of: Array(code.prefix(nameBytes)))
    }

    private static func text(_ what: String, _ function: String, _ key: [UInt8]) -> String {
        Base64.text(of: HMACSHA256.code(of: Array("\(what) \(function)".utf8), key: key), .standard)
    }
}
