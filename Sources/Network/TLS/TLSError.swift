import Glibc

/// Why a TLS connection ended other than by its peer's orderly goodbye.
package enum TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The peer's certificate is not to be trusted: the reason, and the names the certificate is for.
    case untrusted(reason: String, names: String?)
    /// The peer broke the protocol, or refused ours; the text is OpenSSL's.
    case protocolFailure(String)
    /// The connection ended without a goodbye, so what was received may lack its end.
    case truncated
    /// The socket failed with this `errno`.
    case system(Int32)

    package var description: String {
        switch self {
        case .untrusted(let reason, let names):
            guard let names else { return "the certificate is not trusted: \(reason)" }
            return "the certificate is not trusted: \(reason) (it is for \(names))"
        case .protocolFailure(let reason): return "TLS failed: \(reason)"
        case .truncated: return "the connection ended in the middle of TLS"
        case .system(let code): return String(cString: strerror(code))
        }
    }
}
