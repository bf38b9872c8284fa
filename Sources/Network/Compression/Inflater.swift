import CZlib

/// A decompressor: a zlib stream that never makes more than it is allowed to.
///
/// Data that a stranger sends can be a thousand times as long when inflated, so each call says how much it takes.
package struct Inflater: ~Copyable {
    /// Where a call has stopped.
    package enum Progress: Sendable, Hashable {
        /// All input is used up.
        case needsInput
        /// So much was made as the call allowed; there may be more.
        case outputIsFull
        /// The end of the compressed data. There may be input behind it.
        case ended
    }

    package let format: CompressionFormat

    /// Compressed bytes taken since the stream was new.
    package private(set) var consumedBytes = 0

    // zlib's state points back to the stream, so the stream must never move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let chunk: UnsafeMutablePointer<UInt8>

    package init(_ format: CompressionFormat) throws(CompressionError) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let outcome = homeport_inflate_init(
            stream, format.zlibWindowBits(CompressionLimits.windowBits.upperBound))
        guard outcome == Z_OK else {
            stream.deallocate()
            throw .outOfMemory
        }
        self.format = format
        self.stream = stream
        chunk = .allocate(capacity: CompressionLimits.chunkBytes)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        chunk.deallocate()
    }

    /// Inflates from `position` on, appends at most `bytesMax` bytes, and moves the position behind what was used.
    ///
    /// Output that is just full does not tell whether more would follow: who has a limit asks for one byte more.
    package mutating func inflate(
        _ input: UnsafeRawBufferPointer, at position: inout Int, into output: inout [UInt8], upTo bytesMax: Int
    ) throws(CompressionError) -> Progress {
        var room = bytesMax
        while true {
            // zlib counts in 32 bits: larger input goes in parts.
            let part = UnsafeRawBufferPointer(rebasing: input[position...].prefix(1 << 30))
            let offered = min(room, CompressionLimits.chunkBytes)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: part.assumingMemoryBound(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(part.count)
            stream.pointee.next_out = chunk
            stream.pointee.avail_out = UInt32(offered)
            let outcome = CZlib.inflate(stream, Z_NO_FLUSH)
            let used = part.count - Int(stream.pointee.avail_in)
            let made = offered - Int(stream.pointee.avail_out)
            stream.pointee.next_in = nil
            position += used
            consumedBytes += used
            room -= made
            output.append(contentsOf: UnsafeBufferPointer(start: chunk, count: made))
            switch outcome {
            case Z_STREAM_END:
                return .ended
            case Z_OK, Z_BUF_ERROR:
                if made == offered, room == 0 { return .outputIsFull }
                if made < offered, position == input.count { return .needsInput }
                // zlib had both input and room, and used neither.
                if made == 0, used == 0 { throw .corrupt(expected: format, offset: consumedBytes) }
            case Z_MEM_ERROR:
                throw .outOfMemory
            default:
                throw .corrupt(expected: format, offset: consumedBytes)
            }
        }
    }

    /// True if the data could end here: all blocks that were begun are complete.
    package var isBetweenBlocks: Bool {
        stream.pointee.data_type & 128 != 0
    }

    /// Makes the stream as new, to inflate something else.
    package mutating func reset() {
        consumedBytes = 0
        inflateReset(stream)
    }

    /// Starts behind a last block with a block that may still refer to what came before it.
    package mutating func resetKeepingWindow() {
        inflateResetKeep(stream)
    }
}
