import Files
import Glibc
import Network

/// The bytes of a file, piece by piece. A gzip is undone, whatever the file is called.
package final class SourceFile {
    package let path: String
    private let descriptor: FileDescriptor
    private var decoder: ContentDecoder?
    private var piece = [UInt8](repeating: 0, count: MovingLimits.pieceBytes)
    private var isAtEnd = false

    /// Opens a file.
    package convenience init(_ path: String) throws(MovingFault) { try self.init(path, inflates: true) }

    private init(_ path: String, inflates: Bool) throws(MovingFault) {
        self.path = path
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { throw .system(.unreadable, path) }
        descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw .system(.unreadable, path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw MovingFault(.unreadable, path, "it is no file") }
        var magic: [UInt8] = [0, 0]
        if inflates, pread(raw, &magic, 2, 0) == 2, magic == [0x1F, 0x8B] {
            let (most, isBeyond) = Int(status.st_size).multipliedReportingOverflow(by: MovingLimits.inflationMax)
            do throws(CompressionError) {
                decoder = try ContentDecoder(
                    .gzip, bytesMax: isBeyond ? .max - 1 : max(most, MovingLimits.inflatedBytesMin))
            } catch { throw MovingFault(.unreadable, path, "\(error)") }
        }
    }

    /// Appends the next piece. False at the end.
    package func read(into buffer: inout [UInt8]) throws(MovingFault) -> Bool {
        guard !isAtEnd else { return false }
        var count: Int
        repeat {
            let raw = descriptor.raw
            count = piece.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .system(.unreadable, path) }
        guard count > 0 else {
            isAtEnd = true
            do throws(CompressionError) { try decoder?.finish() } catch { throw damaged(error) }
            return false
        }
        let bytes = piece
        try bytes.span.withUnsafeBytes { bytes throws(MovingFault) in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            guard decoder != nil else {
                buffer.append(contentsOf: bytes)
                return
            }
            do throws(CompressionError) {
                var position = 0
                // What is left in the stream comes out where there is no input any more.
                while case .outputIsFull? = try decoder?.decode(bytes, at: &position, into: &buffer, upTo: .max >> 1) {}
            } catch { throw damaged(error) }
        }
        return true
    }

    private func damaged(_ error: CompressionError) -> MovingFault {
        switch error {
        case .truncated(_, let length): MovingFault(.unreadable, path, "the gzip is cut off after \(length) bytes")
        case .tooLong(let most):
            MovingFault(
                .unreadable, path,
                "the gzip becomes more than \(most) bytes, \(MovingLimits.inflationMax) times its own length")
        default: MovingFault(.unreadable, path, "the gzip is damaged: \(error)")
        }
    }

    /// The MD5 of a file as it lies there.
    package static func md5(of path: String) throws(MovingFault) -> [UInt8] {
        let file = try SourceFile(path, inflates: false)
        let digest = ChecksumStream(.md5)
        var bytes: [UInt8] = []
        while try file.read(into: &bytes) {
            bytes.withUnsafeBytes { digest.update($0) }
            bytes.removeAll(keepingCapacity: true)
        }
        return digest.finish()
    }

    /// All of a small file.
    package static func content(of path: String) throws(MovingFault) -> [UInt8] {
        let file = try SourceFile(path)
        var bytes: [UInt8] = []
        while try file.read(into: &bytes) {
            guard bytes.count <= MovingLimits.noteBytesMax else {
                throw MovingFault(path, "it has more than \(MovingLimits.noteBytesMax) bytes")
            }
        }
        return bytes
    }
}
