import Access
import Crypto
import JSON
import Network

extension PayloadClaim {
    static let unsignedName = "UNSIGNED-PAYLOAD"
    private static let unsignedChunksName = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
    private static let signedChunksName = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
    private static let signedChunksWithTrailerName = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"

    /// What a request that is signed claims.
    init(_ claim: SignatureClaim, _ key: HMACKey) throws(FileError) {
        // Hot path: most bodies come in one piece.
        if claim.payload == Self.unsignedName {
            self = .unsigned
            return
        }
        let signing = ChunkSigning(
            key: key, date: claim.date, scope: claim.header.scope, seed: claim.header.signature)
        try self.init(claim.payload, signing: claim.isLink ? nil : signing)
    }

    /// What a request that nobody has signed claims. Clients that sign nothing may leave out what their body is.
    init(ofUnsigned fields: HTTPFields) throws(FileError) {
        if let text = fields["x-amz-content-sha256"] {
            try self.init(text, signing: nil)
        } else if fields.list("content-encoding", contains: "aws-chunked") {
            self = .chunks(Chunks(signing: nil, hasTrailer: true))
        } else {
            self = .unsigned
        }
    }

    /// - Parameter signing: what the signatures of chunks go on from; nil where there can be none.
    private init(_ text: String, signing: ChunkSigning?) throws(FileError) {
        switch text {
        case Self.unsignedName:
            self = .unsigned
        case Self.unsignedChunksName:
            self = .chunks(Chunks(signing: nil, hasTrailer: true))
        case Self.signedChunksName where signing != nil:
            self = .chunks(Chunks(signing: signing, hasTrailer: false))
        case Self.signedChunksWithTrailerName where signing != nil:
            self = .chunks(Chunks(signing: signing, hasTrailer: true))
        default:
            guard Hexadecimal.areDigest(text.utf8), let digest = Hexadecimal.bytes(of: text.utf8) else {
                throw .invalidArgument(
                    "x-amz-content-sha256 must be \(Self.unsignedName), \(Self.unsignedChunksName), \(Self.signedChunksName), \(Self.signedChunksWithTrailerName) or a valid sha256 value."
                ).with("ArgumentName", "x-amz-content-sha256").with("ArgumentValue", text)
            }
            self = .digest(digest)
        }
    }
}
