import COpenSSL

/// Random bytes that nobody can foretell.
package enum RandomBytes {
    package static func make(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // A generator without entropy must not hand out a key.
            precondition(RAND_bytes(buffer.baseAddress, Int32(clamping: count)) == 1, "OpenSSL made no random bytes")
            initialized = count
        }
    }
}
