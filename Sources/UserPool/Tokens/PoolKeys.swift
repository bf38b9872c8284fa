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

/// A token of the pool, taken apart and proved.
struct PoolToken: Sendable {
    let claims: JSONObject

    private static let nestingMax = 16

    /// Why a token is none.
    enum Fault: Error {
        case malformed
        case unsigned
    }

    /// Proves a token: three parts, our own algorithm and one of our keys, whatever else its head says.
    init(_ text: String, keys: PoolKeys) throws(Fault) {
        let bytes = Array(text.utf8)
        let limits = JSONLimits(bytesMax: PoolLimits.tokenBytesMax, nestingMax: Self.nestingMax)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard bytes.count <= PoolLimits.tokenBytesMax, parts.count == 3,
            let headBytes = Base64.bytes(of: parts[0]), let claimBytes = Base64.bytes(of: parts[1]),
            let signature = Base64.bytes(of: parts[2]),
            let head = try? JSONReader.value(of: headBytes, limits: limits).object,
            let claims = try? JSONReader.value(of: claimBytes, limits: limits).object
        else { throw .malformed }
        guard head["alg"]?.text == "RS256", head["crit"] == nil, head["zip"] == nil,
            let id = head["kid"]?.string, let key = keys.verifiers[id],
            signature.count == key.rsaNumbers?.modulus.count,
            key.verifies(signature, of: Array(bytes[..<parts[1].endIndex]), by: .rs256)
        else { throw .unsigned }
        self.claims = claims
    }

    func text(_ name: String) -> String? { claims[name]?.string }

    /// A claim that is a time, in seconds since 1970.
    func seconds(_ name: String) -> Int64? { claims[name]?.integer }
}
