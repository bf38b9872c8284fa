import COpenSSL

/// A key made from a password at a cost of memory and time (RFC 7914), so that guessing is dear for everybody.
package struct Scrypt: Sendable, Equatable {
    /// How many blocks are kept, a power of 2; how large one is, in 128 bytes; and how often all of it is done.
    package let blocks: Int
    package let blockSize: Int
    package let repetitions: Int

    /// The memory that one key may take: the usual parameters for it, 2 to the 17 blocks of size 8, take 128 MiB.
    package static let memoryBytesMax = 160 << 20
    /// Blocks, their size and repetitions, multiplied: a second or two.
    package static let workMax = 1 << 22
    /// The longest key.
    package static let keyBytesMax = 1 << 10

    /// The cost of new keys: 32 MiB, and a tenth of a second.
    package static let standard = Scrypt(known: 1 << 15, 8, 1)

    private init(known blocks: Int, _ blockSize: Int, _ repetitions: Int) {
        self.blocks = blocks
        self.blockSize = blockSize
        self.repetitions = repetitions
    }

    /// Nil for parameters that there is no scrypt with, and for those above the limits.
    package init?(blocks: Int, blockSize: Int, repetitions: Int) {
        let most = 1...Self.workMax
        guard most.contains(blocks), most.contains(blockSize), most.contains(repetitions), blocks > 1,
            blocks & (blocks - 1) == 0, blockSize > 1 || blocks < 1 << 16,
            128 * blockSize * (blocks + repetitions + 2) <= Self.memoryBytesMax,
            blocks * blockSize * repetitions <= Self.workMax
        else { return nil }
        self.init(known: blocks, blockSize, repetitions)
    }

    /// The key of a password, of at most so many bytes.
    package func key(of password: [UInt8], salt: [UInt8], count: Int) -> [UInt8] {
        precondition((1...Self.keyBytesMax).contains(count), "a key of \(count) bytes")
        let key = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let made = password.withUnsafeBytes { password in
                // Without a place for it, OpenSSL takes an empty password for none.
                EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                    UInt64(blocks), UInt64(blockSize), UInt64(repetitions), UInt64(Self.memoryBytesMax),
                    buffer.baseAddress, count)
            }
            initialized = made == 1 ? count : 0
        }
        // OpenSSL fails here only without memory; an empty key would equal another one.
        precondition(key.count == count, "OpenSSL made no key")
        return key
    }
}
