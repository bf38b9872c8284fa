import Access
import Crypto
import JSON

/// The keys of the pool's tokens: one signs, those before it are still published.
package struct PoolKeys: Sendable {
    package let signer: TokenSigner
    let verifiers: [ByteText: PublicKey]

    /// - Parameter former: keys that tokens which are still good were signed with, by name.
    package init(_ signer: TokenSigner, former: [(id: String, key: PublicKey)] = []) {
        self.signer = signer
        verifiers = Dictionary(
            texts: [(signer.keyID, signer.publicKey)] + former.map { ($0.id, $0.key) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The set that others verify tokens with (RFC 7517), the key that signs first.
    package var published: JSONValue {
        let others = verifiers.keys.sorted().filter { $0 != ByteText(signer.keyID) }
        let keys = [ByteText(signer.keyID)] + others
        return .object(
            JSONObject([
                (
                    "keys",
                    .array(
                        keys.compactMap { id in
                            verifiers[id].map { LocalIssuer.entry($0, id: id.string) }
                        })
                )
            ]))
    }
}

/// Why a text is no token of the pool.
enum PoolTokenFault: Error {
    case malformed
    case unsigned
}

extension JSONWebToken {
    /// A token that one of the pool's keys has signed, by the algorithm that the pool signs with, whatever else its head says.
    init(_ text: String, provedBy keys: PoolKeys) throws(PoolTokenFault) {
        guard let token = JSONWebToken(text) else { throw .malformed }
        guard ByteText(token.algorithmName) == "RS256", let id = token.keyID, let key = keys.verifiers[id],
            token.signature.count == key.rsaNumbers?.modulus.count,
            key.verifies(token.signature, of: token.signed, by: .rs256)
        else { throw .unsigned }
        self = token
    }
}
