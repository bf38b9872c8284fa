/// How DEFLATE data is wrapped.
package enum CompressionFormat: Sendable, Hashable, CaseIterable {
    /// Bare DEFLATE blocks, as in WebSocket messages.
    case raw
    /// With zlib's header and checksum: what HTTP calls "deflate".
    case zlib
    case gzip

    /// zlib tells the formats apart by the sign and the size of one number.
    func zlibWindowBits(_ windowBits: Int) -> Int32 {
        switch self {
        case .raw: Int32(-windowBits)
        case .zlib: Int32(windowBits)
        case .gzip: Int32(windowBits + 16)
        }
    }
}
