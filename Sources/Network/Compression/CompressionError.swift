/// Why data could not be compressed or inflated.
package enum CompressionError: Error, Hashable, Sendable {
    /// The bytes are not what the format asks for, at this position of the compressed data.
    case corrupt(expected: CompressionFormat, offset: Int)
    /// The data ended in the middle, after so many compressed bytes.
    case truncated(expected: CompressionFormat, length: Int)
    /// There is data behind the end, at this position of the compressed data.
    case trailingBytes(offset: Int)
    /// The data is longer than it may be when inflated.
    case tooLong(bytesMax: Int)
    case outOfMemory
}

extension CompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let format, let offset): "expected \(format) data, found something else at byte \(offset)"
        case .truncated(let format, let length): "expected more \(format) data, found its end after \(length) bytes"
        case .trailingBytes(let offset): "expected nothing after the compressed data, found bytes from \(offset) on"
        case .tooLong(let bytesMax): "expected at most \(bytesMax) bytes when inflated, found more"
        case .outOfMemory: "no memory for a compressor"
        }
    }
}
