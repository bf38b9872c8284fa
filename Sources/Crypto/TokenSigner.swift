/// Signs tokens with an RSA key (RFC 7515, RS256), and says which key by its name.
package struct TokenSigner: Sendable {
    package let keyID: String
    private let key: PrivateKey
    private let head: String

    /// The name of a key is a part of the digest of its modulus: the same key has the same name everywhere.
    package init(_ key: PrivateKey) {
        self.key = key
        keyID = Self.name(of: key.publicKey.rsaNumbers?.modulus ?? [])
        head = Base64.text(of: Array(#"{"kid":"\#(keyID)","alg":"RS256","typ":"JWT"}"#.utf8))
    }

    package static func name(of modulus: [UInt8]) -> String {
        Base64.text(of: Array(Digest.sha256.of(modulus).prefix(12)))
    }

    package var publicKey: PublicKey { key.publicKey }

    /// The token with these claims, which are JSON.
    package func token(claims: [UInt8]) -> String {
        let signed = "\(head).\(Base64.text(of: claims))"
        return "\(signed).\(Base64.text(of: key.signature(of: Array(signed.utf8), by: .rs256) ?? []))"
    }
}
