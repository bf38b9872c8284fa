import CZlib

/// A compressor: a zlib stream that gives its memory back when it goes out of scope.
package struct Deflater: ~Copyable {
    /// The end of a piece.
    package enum Ending: Sendable {
        /// Nothing: zlib may keep bytes back for the next piece.
        case more
        /// All that was given is in the output, which ends at a byte's border with an empty block (`00 00 FF FF`).
        case flush
        /// The end of the data, with the checksum of the format.
        case finish
    }

    package let format: CompressionFormat

    // zlib's state points back to the stream, so the stream must never move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let chunk: UnsafeMutablePointer<UInt8>

    package init(
        _ format: CompressionFormat, level: Int32 = CompressionLimits.level,
        windowBits: Int = CompressionLimits.windowBits.upperBound
    ) throws(CompressionError) {
        precondition(CompressionLimits.windowBits.contains(windowBits), "zlib has no such window")
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let outcome = homeport_deflate_init(
            stream, level, format.zlibWindowBits(windowBits), CompressionLimits.memoryLevel)
        guard outcome == Z_OK else {
            stream.deallocate()
            throw .outOfMemory
        }
        self.format = format
        self.stream = stream
        chunk = .allocate(capacity: CompressionLimits.chunkBytes)
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        chunk.deallocate()
    }

    /// Compresses a piece and appends what comes out.
    package mutating func deflate(
        _ input: UnsafeRawBufferPointer, ending: Ending, into output: inout [UInt8]
    ) throws(CompressionError) {
        // zlib counts in 32 bits: larger input goes in parts.
        var rest = input
        let partBytes = 1 << 30
        while rest.count > partBytes {
            try deflatePart(UnsafeRawBufferPointer(rebasing: rest[..<partBytes]), flush: Z_NO_FLUSH, into: &output)
            rest = UnsafeRawBufferPointer(rebasing: rest[partBytes...])
        }
        let flush =
            switch ending {
            case .more: Z_NO_FLUSH
            case .flush: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        try deflatePart(rest, flush: flush, into: &output)
    }

    private mutating func deflatePart(
        _ input: UnsafeRawBufferPointer, flush: Int32, into output: inout [UInt8]
    ) throws(CompressionError) {
        // zlib reads only; its header just does not say so.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        repeat {
            stream.pointee.next_out = chunk
            stream.pointee.avail_out = UInt32(CompressionLimits.chunkBytes)
            let outcome = CZlib.deflate(stream, flush)
            // A buffer error only says that there was nothing left to do.
            guard outcome == Z_OK || outcome == Z_STREAM_END || outcome == Z_BUF_ERROR else { throw .outOfMemory }
            let made = CompressionLimits.chunkBytes - Int(stream.pointee.avail_out)
            output.append(contentsOf: UnsafeBufferPointer(start: chunk, count: made))
        } while stream.pointee.avail_out == 0
        stream.pointee.next_in = nil
    }

    /// Makes the stream as new, to compress something else.
    package mutating func reset() {
        deflateReset(stream)
    }
}
