import CSystem
import Files
import Glibc
import JSON
import Network

/// A gzip that is written piece by piece. It has its name when it is whole and on the disk.
package final class GzipFile {
    private let path: String
    private let descriptor: FileDescriptor
    private var deflater: Deflater
    private let digest = ChecksumStream(.md5)
    private var output: [UInt8] = []

    package init(_ path: String) throws(MovingFault) {
        self.path = path
        let raw = open("\(path).part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw .system(.unwritable, "\(path).part") }
        descriptor = FileDescriptor(owning: raw)
        do throws(CompressionError) { deflater = try Deflater(.gzip) } catch {
            throw MovingFault(.unwritable, path, "\(error)")
        }
    }

    /// Takes all bytes of a buffer, and empties it.
    package func append(_ bytes: inout [UInt8]) throws(MovingFault) {
        try compress(bytes, .more)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Ends it, and answers with its MD5.
    package func finish() throws(MovingFault) -> [UInt8] {
        try compress([], .finish)
        guard fsync(descriptor.raw) == 0, rename("\(path).part", path) == 0 else { throw .system(.unwritable, path) }
        return digest.finish()
    }

    private func compress(_ bytes: [UInt8], _ ending: Deflater.Ending) throws(MovingFault) {
        do throws(CompressionError) {
            try bytes.span.withUnsafeBytes { bytes throws(CompressionError) in
                try deflater.deflate(bytes, ending: ending, into: &output)
            }
        } catch { throw MovingFault(.unwritable, path, "\(error)") }
        output.withUnsafeBytes { digest.update($0) }
        try WholeFile.write(output, to: descriptor.raw, path)
        output.removeAll(keepingCapacity: true)
    }
}

/// Files that have their name when they are whole.
package enum WholeFile {
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(MovingFault) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(.unwritable, path) }
            start += count
        }
    }

    /// Writes a file at once.
    package static func write(_ bytes: [UInt8], to path: String) throws(MovingFault) {
        let file = try PlainFile(path)
        try file.append(bytes)
        try file.finish()
    }

    /// Waits until files and their names are on the disk, and until nothing else is: other programs may write to the same disk.
    ///
    /// The system begins with all of them before one is waited for, so that many small files share the disk's turns.
    package static func settle(_ paths: [String]) throws(MovingFault) {
        for path in paths {
            try withOpen(path) { file in
                homeport_begin_writing_out(file, 0, 0)
                return true
            }
        }
        for path in paths { try withOpen(path) { fsync($0) == 0 } }
        var last = ""
        for folder in paths.map(\.folderOfPath) where !last.utf8.elementsEqual(folder.utf8) {
            last = folder
            // Some file systems have nothing to write for a folder, and say so.
            try withOpen(folder) { fsync($0) == 0 || errno == EINVAL }
        }
    }

    private static func withOpen(_ path: String, _ run: (Int32) -> Bool) throws(MovingFault) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw .system(.unwritable, path) }
        let descriptor = FileDescriptor(owning: raw)
        guard run(descriptor.raw) else { throw .system(.unwritable, path) }
    }

    /// Makes a folder, and those above it.
    package static func makeFolder(_ path: String) throws(MovingFault) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, path != path.folderOfPath else { throw .system(.unwritable, path) }
        try makeFolder(path.folderOfPath)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(.unwritable, path) }
    }
}

/// A file that is written piece by piece. It has its name when it is whole and on the disk.
package final class PlainFile {
    private let path: String
    private let part: String
    private let descriptor: FileDescriptor

    /// - Parameter part: its path until it is whole, on the same disk; nil: one beside it.
    package init(_ path: String, by part: String? = nil) throws(MovingFault) {
        self.path = path
        self.part = part ?? "\(path).part"
        let raw = open(self.part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw .system(.unwritable, self.part) }
        descriptor = FileDescriptor(owning: raw)
    }

    package var raw: Int32 { descriptor.raw }

    package func append(_ bytes: [UInt8]) throws(MovingFault) { try WholeFile.write(bytes, to: descriptor.raw, path) }

    /// - Parameter isOnDisk: false: the bytes are written to the disk later, by `WholeFile.settle`.
    package func finish(isOnDisk: Bool = true) throws(MovingFault) {
        if isOnDisk, fsync(descriptor.raw) != 0 { throw .system(.unwritable, path) }
        guard rename(part, path) == 0 else { throw .system(.unwritable, path) }
    }
}
