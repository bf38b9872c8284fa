import Crypto
import JSON

/// The key by which an app of Apple's proves who it is: instead of a secret it signs a token of its own for each sign-in.
package struct AppleClientKey: Sendable, Equatable {
    package let team: String
    package let keyID: String
    private let key: PrivateKey

    private static let lifeSeconds: Int64 = 300

    /// Nil where the text holds no key for it, which is one on P-256.
    package init?(team: String, keyID: String, pem: [UInt8]) {
        guard let key = PrivateKey(pem: pem), key.publicKey.fits(.es256) else { return nil }
        self.team = team
        self.keyID = keyID
        self.key = key
    }

    package static func == (one: AppleClientKey, other: AppleClientKey) -> Bool {
        ByteText(one.team) == ByteText(other.team) && ByteText(one.keyID) == ByteText(other.keyID)
            && one.key === other.key
    }

    /// What is sent in the place of a secret. `now` is in seconds since 1970.
    func secret(of client: String, for issuer: String, now: Int64) -> String {
        let head = JSONWriter.bytes(of: ["alg": "ES256", "kid": .string(keyID)])
        let claims = JSONWriter.bytes(of: [
            "iss": .string(team), "iat": .integer(now), "exp": .integer(now + Self.lifeSeconds),
            "aud": .string(issuer), "sub": .string(client),
        ])
        let signed = "\(Base64.text(of: head)).\(Base64.text(of: claims))"
        return "\(signed).\(Base64.text(of: key.signature(of: Array(signed.utf8), by: .es256) ?? []))"
    }
}
