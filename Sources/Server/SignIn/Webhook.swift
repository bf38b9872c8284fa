import Crypto
import JSON

/// A service that is called with messages, each signed as Standard Webhooks say (standardwebhooks.com): libraries of most
/// languages can tell that a call comes from here.
package struct Webhook: Sendable, Equatable {
    let url: String
    private let key: [UInt8]

    private static let prefix = "whsec_"
    private static let keyBytes = 24...64

    package init?(url: String, secret: String) {
        guard let key = Self.key(of: secret) else { return nil }
        self.url = url
        self.key = key
    }

    /// The bytes that a secret stands for; nil where it is none.
    static func key(of secret: String) -> [UInt8]? {
        let text = secret.utf8.starts(with: prefix.utf8) ? secret.utf8.dropFirst(prefix.utf8.count) : secret.utf8[...]
        guard let key = Base64.bytes(of: text, .standard), keyBytes.contains(key.count) else { return nil }
        return key
    }

    /// The fields of a call. `identifier` stays the same when a message is sent again.
    func fields(of body: [UInt8], identifier: String, seconds: Int64) -> [(name: String, value: String)] {
        let code = HMACSHA256.code(of: Array("\(identifier).\(seconds).".utf8) + body, key: key)
        return [
            ("content-type", "application/json"), ("webhook-id", identifier), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", "v1,\(Base64.text(of: code, .standard))"),
        ]
    }
}
