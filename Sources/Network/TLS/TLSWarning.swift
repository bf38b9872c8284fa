/// A warning about a certificate that works for now, or that clients will refuse.
package enum TLSWarning: Equatable, Sendable, CustomStringConvertible {
    case expired(file: String, on: String)
    case expires(file: String, on: String)
    case notYetValid(file: String)
    case withoutNames(file: String)

    /// When to begin to speak of an end that comes near.
    static let secondsBeforeEnd = 14 * 86_400

    static func warnings(for certificate: Certificate, in file: String) -> [TLSWarning] {
        var warnings: [TLSWarning] = []
        if certificate.secondsUntilExpired <= 0 {
            warnings.append(.expired(file: file, on: certificate.expires))
        } else if certificate.secondsUntilExpired < secondsBeforeEnd {
            warnings.append(.expires(file: file, on: certificate.expires))
        }
        if certificate.secondsUntilValid > 0 { warnings.append(.notYetValid(file: file)) }
        if certificate.names == nil { warnings.append(.withoutNames(file: file)) }
        return warnings
    }

    package var description: String {
        switch self {
        case .expired(let file, let end): return "the certificate in \(file) expired on \(end): clients will refuse it"
        case .expires(let file, let end): return "the certificate in \(file) expires on \(end)"
        case .notYetValid(let file): return "the certificate in \(file) is not valid yet: is the clock right?"
        case .withoutNames(let file):
            return "the certificate in \(file) has no subject alternative name: clients will refuse it"
        }
    }
}
