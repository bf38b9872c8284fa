/// A long body that becomes a gzip file piece by piece, one in each turn of its loop: the others have theirs in between.
///
/// Unchecked: the thread of the loop alone uses it.
final class LongCompression: @unchecked Sendable {
    private let body: [UInt8]
    private var position = 0
    private var deflater: Deflater
    private var output: [UInt8] = []

    /// Shorter ones are compressed at once, with the loop's own compressor.
    static let bodyBytesMin = 256 * 1024
    /// About a millisecond.
    static let bytesPerTurn = 128 * 1024

    enum Progress {
        case more
        case done([UInt8])
        /// There is no memory for it.
        case failed
    }

    /// Nil where there is no memory for it.
    init?(_ body: [UInt8]) {
        guard let deflater = try? Deflater(.gzip) else { return nil }
        self.deflater = deflater
        self.body = body
    }

    func next() -> Progress {
        let end = min(position + Self.bytesPerTurn, body.count)
        let isLast = end == body.count
        do {
            try body.withUnsafeBytes { bytes in
                try deflater.deflate(
                    UnsafeRawBufferPointer(rebasing: bytes[position..<end]), ending: isLast ? .finish : .more,
                    into: &output)
            }
        } catch {
            return .failed
        }
        position = end
        return isLast ? .done(output) : .more
    }
}
