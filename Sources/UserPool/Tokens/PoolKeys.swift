import Access
import Crypto
import JSON

/// The keys of the pool's tokens: one signs, those before it are still published.
package struct PoolKeys: Sendable {
    /// A key that signs no more, and until when there may be tokens that it has signed, in seconds since 1970.
    package struct Former: Sendable {
        package let id: String
        package let key: PublicKey
        package let until: Int64

        package init(id: String, key: PublicKey, until: Int64) {
            self.id = id
            self.key = key
            self.until = until
        }
    }

    package let signer: TokenSigner
    package let former: [Former]
    let verifiers: [ByteText: PublicKey]

    package init(_ signer: TokenSigner, former: [Former] = []) {
        self.signer = signer
        self.former = former
        verifiers = Dictionary(
            texts: [(signer.keyID, signer.publicKey)] + former.map { ($0.id, $0.key) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Those that are still of use.
    func good(at seconds: Int64) -> PoolKeys {
        former.contains { $0.until <= seconds } ? PoolKeys(signer, former: former.filter { $0.until > seconds }) : self
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
