/// A way to sign, by its name in JSON Web Tokens (RFC 7518, section 3.1). Those with a shared secret, and `none`, are
/// not among them on purpose.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case es256 = "ES256"
    case es384 = "ES384"

    package var digest: Digest {
        switch self {
        case .rs256, .es256: .sha256
        case .rs384, .es384: .sha384
        case .rs512: .sha512
        }
    }

    /// The curve of the keys that it works with; nil for RSA.
    package var curve: Curve? {
        switch self {
        case .rs256, .rs384, .rs512: nil
        case .es256: .p256
        case .es384: .p384
        }
    }
}

/// An elliptic curve of NIST.
package enum Curve: String, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"

    /// The bytes of a coordinate.
    package var byteCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }

    /// Its name in OpenSSL.
    var systemName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        }
    }
}
