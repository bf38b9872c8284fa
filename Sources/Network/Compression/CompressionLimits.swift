/// The limits and settings of compression, in one place.
package enum CompressionLimits {
    /// Bytes below which a response is sent as it is: compression would cost more than it saves.
    package static let responseBytesMin = 1024

    /// zlib's level for everything that is made once and sent once. On lists of models as JSON, level 6 takes two to four
    /// times as long and saves a tenth to a fifth of the bytes.
    static let level: Int32 = 2

    /// Bytes that zlib writes at a time, and what each stream holds for it.
    static let chunkBytes = 16 * 1024

    /// The windows that zlib can compress with, as powers of two. Eight is missing on purpose: zlib's raw compressor has
    /// no window of 256 bytes, and versions of it have silently used a larger one.
    static let windowBits = 9...15

    /// zlib's measure for the rest of its memory. With 8, and the largest window, a compressor has 256 KiB.
    static let memoryLevel: Int32 = 8
}
