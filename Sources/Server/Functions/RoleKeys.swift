import Crypto
import Functions
import JSON

/// Makes access keys for roles, each by the role's name. Nobody else can make them, and they end with the server, or with the last of several nodes.
struct RoleKeys: Sendable {
    private let key: [UInt8]

    static let keyBytes = 32

    /// - Parameter key: that of several nodes; nil: one of this server alone.
    init(_ key: [UInt8]? = nil) { self.key = key ?? RandomBytes.make(count: Self.keyBytes) }

    static let prefix = "ASIA"
    private static let nameBytes = 10

    /// - Parameter role: a name that is unique among the roles of these keys.
    func credentials(of role: String) -> FunctionCredentials {
        FunctionCredentials(
            accessKeyID: accessKeyID(of: role), secret: text("secret", role), sessionToken: text("session", role))
    }

    private func accessKeyID(of role: String) -> String {
        let code = HMACSHA256.code(of: Array("name \(role)".utf8), key: key)
        return Self.prefix + Base32.text(of: Array(code.prefix(Self.nameBytes)))
    }

    private func text(_ what: String, _ role: String) -> String {
        Base64.text(of: HMACSHA256.code(of: Array("\(what) \(role)".utf8), key: key), .standard)
    }
}
