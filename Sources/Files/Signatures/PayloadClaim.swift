/// What a request says about its body, and has signed.
package enum PayloadClaim: Sendable {
    /// The body's SHA-256.
    case digest([UInt8])
    /// Nothing.
    case unsigned
    /// That it comes in chunks.
    case chunks(Chunks)

    /// The form of the chunks of `aws-chunked`.
    package struct Chunks: Sendable {
        /// What each of them is signed with; nil where they are not.
        package let signing: ChunkSigning?
        /// True if fields may follow the last one.
        package let hasTrailer: Bool

        package init(signing: ChunkSigning?, hasTrailer: Bool) {
            self.signing = signing
            self.hasTrailer = hasTrailer
        }
    }
}
