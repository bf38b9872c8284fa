/// The limits and settings of compression, in one place.
package enum CompressionLimits {
    /// Bytes below which a response is sent as it is: compression would cost more than it saves.
    package static let responseBytesMin = 1024

    /// zlib's level for everything that is made once and sent once. On GraphQL answers level 4 gives most of what 6 gives
    /// in half the time.
    static let level: Int32 = 4

    /// Bytes that zlib writes at a time, and what each stream holds for it.
    static let chunkBytes = 16 * 1024

    /// The windows that zlib can compress with, as powers of two. Eight is missing on purpose: zlib's raw compressor has
    /// no window of 256 bytes, and versions of it have silently used a larger one.
    static let windowBits = 9...15

    /// zlib's measure for the size of its hash table: 8 takes 128 KiB beside the window of 64 KiB and 64 KiB of output.
    static let memoryLevel: Int32 = 8
}
