import Crypto
import JSON

/// Somebody who has signed in as the administrator. The database knows the cookie by its digest alone.
struct OperatorSession: Sendable {
    /// The digest of the cookie's value.
    let mark: ByteText
    let began: Int64
    let ends: Int64
    let address: String
    var lastUsed: Int64
    /// The time of the last use that was written down, where several nodes have the session; nil: none by this one.
    var noted: Int64?

    mutating func wasUsed(at time: Int64) { lastUsed = max(lastUsed, time) }

    static func mark(of token: String) -> ByteText {
        ByteText(Hexadecimal.text(of: Digest.sha256.of(Array(token.utf8))))
    }

    func isOver(at now: Int64) -> Bool {
        now >= ends || now - lastUsed >= ConsoleLimits.sessionIdleMilliseconds || now < began - 60_000
    }
}
