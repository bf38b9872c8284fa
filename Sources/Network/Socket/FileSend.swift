import CSystem
import Glibc

/// A part of a file on its way to a socket, without passing through the process where the kernel can do that.
package struct FileSend: ~Copyable {
    private let descriptor: FileDescriptor
    private var offset: Int
    private(set) var remaining: Int

    /// Bytes that one call sends at the most, so that one large file does not hold up its loop.
    private static let bytesPerCall = 1024 * 1024

    package init(_ descriptor: consuming FileDescriptor, offset: Int, count: Int) {
        self.descriptor = descriptor
        self.offset = max(0, offset)
        remaining = max(0, count)
    }

    /// Appends the next so many bytes to the buffer, for a protocol that puts frames around them. Nil when they cannot be read.
    mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int? {
        let count = min(count, remaining)
        guard count > 0 else { return 0 }
        var read = -1
        buffer.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { bytes, filled in
                repeat {
                    read = pread(descriptor.raw, bytes.baseAddress, count, off_t(offset))
                } while read < 0 && errno == EINTR
                filled = max(0, read)
            }
        }
        guard read > 0 else { return nil }
        offset += read
        remaining -= read
        return read
    }

    mutating func send(to transport: inout Transport) -> Transport.WriteResult {
        let result = transport.writeFile(descriptor.raw, offset: offset, count: min(remaining, Self.bytesPerCall))
        if case .bytes(let count) = result {
            // A file that has become shorter cannot be completed: the peer must see that, not wait for the rest.
            guard count > 0 else { return .failed(.system(SystemError(call: "sendfile", code: EIO))) }
            offset += count
            remaining -= count
        }
        return result
    }
}
