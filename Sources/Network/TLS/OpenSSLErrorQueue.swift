import COpenSSL

/// The errors that OpenSSL collects per thread, as text.
///
/// A call into OpenSSL that can fail is preceded by `clear()`: what an earlier call left behind would otherwise be
/// taken for its outcome.
enum OpenSSLErrorQueue {
    /// How many errors a text joins; the first says what went wrong, the others where it passed through.
    static let textErrorsMax = 4

    static func clear() { ERR_clear_error() }

    /// Empties the queue and says what was in it, the oldest error first.
    static func takeText() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            if reasons.count < textErrorsMax { reasons.append(text(of: code)) }
        }
        return reasons.isEmpty ? "OpenSSL gave no reason" : reasons.joined(separator: "; ")
    }

    /// The reason code of the oldest error, without taking it.
    static var firstReason: Int32 { ERR_GET_REASON(ERR_peek_error()) }

    private static func text(of code: UInt) -> String {
        guard let reason = ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
        return String(cString: reason)
    }
}
