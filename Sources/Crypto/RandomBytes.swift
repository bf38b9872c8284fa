import Glibc

/// Random bytes that nobody can foretell: the system's, which need no generator of ours to be seeded first.
package enum RandomBytes {
    /// The system gives so many at once.
    private static let pieceBytesMax = 256

    package static func make(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let piece = buffer[initialized...].prefix(pieceBytesMax)
                // A generator without entropy must not hand out a key.
                precondition(
                    getentropy(UnsafeMutableBufferPointer(rebasing: piece).baseAddress, piece.count) == 0,
                    "the system made no random bytes")
                initialized += piece.count
            }
        }
    }
}
