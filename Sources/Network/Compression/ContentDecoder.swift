/// Undoes the content coding of a request body, piece by piece, and never makes more than the body's limit.
package struct ContentDecoder: ~Copyable {
    /// The memory of zlib for one body: its window and its state.
    static let heldBytes = 44 * 1024

    private let coding: ContentCoding
    private let bytesMax: Int
    private var inflater: Inflater?
    /// The first byte of a "deflate" body: only with the second it tells the format.
    private var heldByte: UInt8?
    private var madeBytes = 0
    private var hasEnded = false

    package init(_ coding: ContentCoding, bytesMax: Int) throws(CompressionError) {
        self.coding = coding
        self.bytesMax = min(bytesMax, Int.max - 1)
        inflater = coding == .gzip ? try Inflater(.gzip) : nil
    }

    /// Inflates from `position` on and moves it behind what was used. With `upTo` the caller sets how much it can take now:
    /// `outputIsFull` means to call again with the rest, or with no input when that is used up.
    package mutating func decode(
        _ input: UnsafeRawBufferPointer, at position: inout Int, into output: inout [UInt8], upTo pieceBytesMax: Int
    ) throws(CompressionError) -> Inflater.Progress {
        if inflater == nil, try !chooseFormat(input, at: &position, into: &output) { return .needsInput }
        while true {
            if hasEnded {
                guard position < input.count else { return .needsInput }
                try startNextMember()
            }
            // One byte more than is allowed, so that a body of just the limit is told from a longer one.
            let room = min(pieceBytesMax, bytesMax - madeBytes + 1)
            let before = output.count
            guard let progress = try inflater?.inflate(input, at: &position, into: &output, upTo: room) else {
                return .needsInput
            }
            madeBytes += output.count - before
            guard madeBytes <= bytesMax else { throw .tooLong(bytesMax: bytesMax) }
            guard progress == .ended else { return progress }
            hasEnded = true
        }
    }

    /// Checks that the body ended where its compressed data does.
    package func finish() throws(CompressionError) {
        guard hasEnded else {
            throw .truncated(expected: coding == .gzip ? .gzip : .zlib, length: consumedBytes)
        }
    }

    private var consumedBytes: Int {
        switch inflater {
        case .some(let inflater): inflater.consumedBytes
        case .none: heldByte == nil ? 0 : 1
        }
    }

    /// A gzip file may be several, one after the other. The other formats just end.
    private mutating func startNextMember() throws(CompressionError) {
        guard coding == .gzip else { throw .trailingBytes(offset: consumedBytes) }
        inflater?.reset()
        hasEnded = false
    }

    private mutating func chooseFormat(
        _ input: UnsafeRawBufferPointer, at position: inout Int, into output: inout [UInt8]
    ) throws(CompressionError) -> Bool {
        guard position < input.count else { return false }
        guard let first = heldByte else {
            heldByte = input[position]
            position += 1
            return try chooseFormat(input, at: &position, into: &output)
        }
        let isZlib = first & 0x0F == 8 && (Int(first) << 8 | Int(input[position])) % 31 == 0
        var inflater = try Inflater(isZlib ? .zlib : .raw)
        // One byte makes no output yet in either format.
        var taken = 0
        _ = try withUnsafeBytes(of: first) { byte throws(CompressionError) in
            try inflater.inflate(byte, at: &taken, into: &output, upTo: 1)
        }
        self.inflater = consume inflater
        heldByte = nil
        return true
    }
}
