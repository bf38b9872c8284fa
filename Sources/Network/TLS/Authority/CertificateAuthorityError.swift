/// Why no certificate could be made, and what to do.
package enum CertificateAuthorityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file or directory could not be read or written.
    case file(SystemError)
    /// A name that cannot stand in a certificate.
    case invalidName(String)
    case tooManyNames(limit: Int)
    /// One half of the authority is there without the other.
    case incomplete(present: String, missing: String)
    /// The authority that is there cannot be used.
    case unusableAuthority(TLSConfigurationError)
    /// The authority was made for other names than this one.
    case mayNotSign(String, authority: String, key: String)
    /// OpenSSL failed; the text is its own.
    case cryptography(String)

    package var description: String {
        switch self {
        case .file(let error): return error.description
        case .invalidName(let name):
            return "\"\(name)\" cannot stand in a certificate: expected a domain name or an address"
        case .tooManyNames(let limit): return "a certificate takes at most \(limit) names"
        case .incomplete(let present, let missing):
            return "\(present) is there, but \(missing) is not: bring it back, or remove both for a new authority"
        case .unusableAuthority(let error):
            return "\(error.description) Or remove the authority and its key for a new one."
        case .mayNotSign(let name, let authority, let key):
            return "the authority in \(authority) may not sign for \(name), since it was made for other names: "
                + "remove it and \(key), run this again, and trust the new one"
        case .cryptography(let reason): return "OpenSSL failed: \(reason)"
        }
    }
}
