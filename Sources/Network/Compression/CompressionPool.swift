/// The compressors of one thread, shared by all its connections and made when first needed.
///
/// A compressor takes a quarter of a megabyte. No connection has one of its own: a response, and a WebSocket message, is
/// compressed as a whole, and the compressor is as new for the next. An idle connection therefore costs nothing here.
package struct CompressionPool: ~Copyable {
    private var gzip: Deflater?
    private var messageInflater: Inflater?
    /// By window size: who asked for a small window gets one.
    private var messageDeflaters: [Int: MessageDeflater] = [:]

    /// For a compressed message, whose length has to be known before it is written.
    private var scratch: [UInt8] = []
    private static let scratchBytesMax = 64 * 1024

    private final class MessageDeflater {
        var deflater: Deflater

        init(windowBits: Int) throws(CompressionError) {
            deflater = try Deflater(.raw, windowBits: windowBits)
        }
    }

    package init() {}

    /// Appends the bytes as one gzip file. Without memory for it nothing is appended and the answer is false: the caller
    /// sends the bytes as they are.
    package mutating func gzip(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
        let start = output.count
        do throws(CompressionError) {
            if gzip == nil { gzip = try Deflater(.gzip) } else { gzip?.reset() }
            try gzip?.deflate(bytes, ending: .finish, into: &output)
            return true
        } catch {
            gzip = nil
            output.removeSubrange(start...)
            return false
        }
    }

    /// Appends a WebSocket message compressed on its own, without the four bytes that RFC 7692 leaves out.
    mutating func deflateMessage(
        _ bytes: UnsafeRawBufferPointer, windowBits: Int, into output: inout [UInt8]
    ) throws(CompressionError) {
        // What zlib flushes for nothing at all is five bytes; the standard's way to write it is one.
        guard !bytes.isEmpty else { return output.append(0) }
        let deflater: MessageDeflater
        if let made = messageDeflaters[windowBits] {
            deflater = made
            deflater.deflater.reset()
        } else {
            deflater = try MessageDeflater(windowBits: windowBits)
            messageDeflaters[windowBits] = deflater
        }
        try deflater.deflater.deflate(bytes, ending: .flush, into: &output)
        output.removeLast(MemoryLayout.size(ofValue: PerMessageDeflate.tail))
    }

    /// Appends what a compressed WebSocket message holds.
    mutating func inflateMessage(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8], bytesMax: Int
    ) throws(CompressionError) {
        if messageInflater == nil { messageInflater = try Inflater(.raw) } else { messageInflater?.reset() }
        let start = output.count
        // The message as a whole, then the four bytes that the sender left out.
        if bytes.isEmpty { return }
        var hasEnded = try inflatePart(bytes, into: &output, start: start, bytesMax: bytesMax)
        if hasEnded { return }
        hasEnded = try withUnsafeBytes(of: PerMessageDeflate.tail) { tail throws(CompressionError) in
            try inflatePart(tail, into: &output, start: start, bytesMax: bytesMax)
        }
        guard hasEnded || messageInflater?.isBetweenBlocks == true else {
            throw .truncated(expected: .raw, length: bytes.count)
        }
    }

    /// The answer says whether the data ended with a last block. More blocks may stand behind one.
    private mutating func inflatePart(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8], start: Int, bytesMax: Int
    ) throws(CompressionError) -> Bool {
        var position = 0
        while position < bytes.count {
            // One byte more than is allowed, so that a message of just the limit is told from a longer one.
            let room = bytesMax - (output.count - start) + 1
            let progress = try messageInflater?.inflate(bytes, at: &position, into: &output, upTo: room)
            guard output.count - start <= bytesMax else { throw .tooLong(bytesMax: bytesMax) }
            guard progress == .ended else { return false }
            if position == bytes.count { return true }
            messageInflater?.resetKeepingWindow()
        }
        return false
    }

    /// An empty buffer, to be given back.
    mutating func takeScratch() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &scratch)
        return taken
    }

    /// Takes the buffer for the next who needs one, unless it has grown out of proportion.
    mutating func giveBack(_ buffer: inout [UInt8]) {
        guard buffer.capacity <= Self.scratchBytesMax else { return }
        swap(&buffer, &scratch)
        scratch.removeAll(keepingCapacity: true)
    }
}
