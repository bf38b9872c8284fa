/// The four bytes that a client lays over the payload of a frame.
struct WebSocketMask: Hashable, Sendable {
    /// The bytes in the order of memory.
    let key: UInt32

    /// Turns masked bytes into plain ones, or plain ones into masked ones.
    ///
    /// A hot path: every byte that a client sends goes through here, eight at a time. The offset says how many bytes of the
    /// payload came before these.
    func apply(to bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        // The part of the key that comes next is moved to the front.
        let rotation = UInt32(truncatingIfNeeded: offset & 3) * 8
        let bigEndian = UInt32(bigEndian: key)
        let rotated = UInt32(bigEndian: bigEndian << rotation | bigEndian >> ((32 &- rotation) & 31))
        guard rotated != 0 else { return }
        let word = UInt64(rotated) << 32 | UInt64(rotated)
        var index = 0
        while index &+ 8 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: masked ^ word, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        withUnsafeBytes(of: rotated) { key in
            while index < bytes.count {
                bytes[index] ^= key[index & 3]
                index &+= 1
            }
        }
    }
}
