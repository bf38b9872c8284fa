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
    /// When the database was told of its use, where several nodes have the session; nil: not by this one.
    var noted: Int64?

    mutating func wasUsed(at time: Int64) { lastUsed = max(lastUsed, time) }

    static func mark(of token: String) -> ByteText {
        ByteText(Hexadecimal.text(of: Digest.sha256.of(Array(token.utf8))))
    }

    func isOver(at now: Int64) -> Bool {
        now >= ends || now - lastUsed >= ConsoleLimits.sessionIdleMilliseconds || now < began - 60_000
    }
}
