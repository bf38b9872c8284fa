import Access
import Crypto
import Functions
import JSON

/// The access keys of the functions that run here: each is who it says it is, as long as the server runs that has given them out.
///
/// Of the API and of the user pool a function may do everything, as whoever has written it may; of files what rules give it.
struct FunctionRoles: TemporaryCredentials {
    private let key: [UInt8]
    private let names: [ByteText: String]
    private let accountID: String

    private static let keyPrefix = "ASIA"
    private static let nameBytes = 10

    init(_ functions: [String], accountID: String = IAMPrincipal.exampleAccountID) {
        self.accountID = accountID
        let key = RandomBytes.make(count: 32)
        self.key = key
        names = Dictionary(
            texts: functions.map { (Self.accessKeyID(of: $0, key), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func credentials(of function: String) -> FunctionCredentials {
        FunctionCredentials(
            accessKeyID: Self.accessKeyID(of: function, key), secret: text("secret", function),
            sessionToken: text("session", function))
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let function = names[accessKeyID],
            ConstantTime.areEqual(text("session", function), sessionToken)
        else { return nil }
        let principal = IAMPrincipal(
            role: .administrator, accessKeyID: accessKeyID, accountID: accountID,
            userARN: "arn:aws:sts::\(accountID):assumed-role/\(function)/\(function)",
            username: "\(accessKeyID):\(function)", function: function)
        return TemporaryCredential(secret: text("secret", function), principal: principal, expires: .max)
    }

    private static func accessKeyID(of function: String, _ key: [UInt8]) -> String {
        let code = HMACSHA256.code(of: Array("name \(function)".utf8), key: key)
        return keyPrefix + Base32.text(of: Array(code.prefix(nameBytes)))
    }

    private func text(_ what: String, _ function: String) -> String {
        Base64.text(of: HMACSHA256.code(of: Array("\(what) \(function)".utf8), key: key), .standard)
    }
}
