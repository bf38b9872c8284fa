import Crypto
import JSON

/// What the signatures of a body's chunks are made with. Each one covers the one before it, and the first that of the request.
package struct ChunkSigning: Sendable {
    /// The key of the day, the region and the service.
    package let key: HMACKey
    /// The time of the request, as it was signed.
    package let date: String
    package let scope: String
    /// The signature of the request.
    package let seed: String

    package init(key: HMACKey, date: String, scope: String, seed: String) {
        self.key = key
        self.date = date
        self.scope = scope
        self.seed = seed
    }

    private static let digestOfNothing = Hexadecimal.text(of: Digest.sha256.of([]))

    /// The signature of a chunk whose bytes have that digest.
    func signature(ofChunk digest: [UInt8], after previous: String) -> String {
        signature("AWS4-HMAC-SHA256-PAYLOAD", previous, [Self.digestOfNothing, Hexadecimal.text(of: digest)])
    }

    /// The signature of the lines behind the last chunk.
    func signature(ofTrailer lines: [UInt8], after previous: String) -> String {
        signature("AWS4-HMAC-SHA256-TRAILER", previous, [Hexadecimal.text(of: Digest.sha256.of(lines))])
    }

    private func signature(_ algorithm: String, _ previous: String, _ digests: [String]) -> String {
        let text = ([algorithm, date, scope, previous] + digests).joined(separator: "\n")
        return Hexadecimal.text(of: key.code(of: Array(text.utf8)))
    }
}
