import COpenSSL

/// Owner of an OpenSSL memory BIO: bytes that OpenSSL reads from, or that it has written.
struct MemoryBuffer: ~Copyable {
    /// Nil when memory ran out; every OpenSSL reader and writer then fails by itself.
    let pointer: OpaquePointer?

    /// An empty buffer to write to.
    init() { pointer = BIO_new(BIO_s_mem()) }

    /// A buffer with these bytes to read.
    init(reading bytes: [UInt8]) {
        pointer = BIO_new(BIO_s_mem())
        _ = bytes.withUnsafeBytes { BIO_write(pointer, $0.baseAddress, Int32(clamping: $0.count)) }
    }

    deinit { BIO_free(pointer) }

    /// The written bytes.
    var bytes: [UInt8] {
        guard let pointer else { return [] }
        var length = 0
        guard let start = homeport_memory_bytes(pointer, &length), length > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: length))
    }

    /// The written bytes, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
