import CSystem
import Crypto
import Glibc
import Network

/// Writes a tar archive to a file, an entry after the other, with the sum of each.
///
/// It has the system write pieces to the disk early, and waits for it now and then. Otherwise the next sync of the database would
/// wait for the whole archive.
struct TarWriter: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private var written: Int64 = 0
    private var begun: Int64 = 0
    private var synced: Int64 = 0

    private static let bytesPerWritingOut: Int64 = 2 << 20
    private static let bytesPerSync: Int64 = 16 << 20
    private static let pieceBytes = 128 << 10
    /// The end of an archive: two blocks of zeros.
    private static let endBytes = 2 * TarHeader.blockBytes

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    var bytes: Int64 { written }

    /// Writes an entry that fits in memory.
    mutating func write(_ name: String, _ content: [UInt8], modified: Int64) throws(BackupFailure) -> [UInt8] {
        try begin(name, size: Int64(content.count), modified: modified)
        try append(content)
        try end(size: Int64(content.count))
        var sum = RunningSHA256()
        sum.add(content)
        return sum.end()
    }

    /// Writes a file's bytes as an entry, and answers with their sum.
    mutating func write(
        _ name: String, file: String, progress: (Int64) throws(BackupFailure) -> Void
    ) throws(BackupFailure) -> [UInt8] {
        let raw = open(file, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw BackupFailure("open", file) }
        let source = FileDescriptor(owning: raw)
        var status = stat()
        guard fstat(source.raw, &status) == 0 else { throw BackupFailure("stat", file) }
        let size = Int64(status.st_size)
        try begin(name, size: size, modified: Int64(status.st_mtim.tv_sec))
        var sum = RunningSHA256()
        var rest = size
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while rest > 0 {
            let count = read(source.raw, &piece, Int(min(rest, Int64(piece.count))))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw count < 0
                    ? BackupFailure("read", file)
                    : BackupFailure(.systemRefused, "\(file) became shorter as it was read")
            }
            try piece.withUnsafeBufferPointer { bytes throws(BackupFailure) in
                let part = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
                sum.add(part)
                try append(part)
            }
            rest -= Int64(count)
            try progress(Int64(count))
        }
        try end(size: size)
        return sum.end()
    }

    /// Writes the end, and waits until all of it is on the disk.
    mutating func finish() throws(BackupFailure) {
        try append([UInt8](repeating: 0, count: Self.endBytes))
        guard fsync(descriptor) == 0 else { throw BackupFailure("fsync", path) }
    }

    private mutating func begin(_ name: String, size: Int64, modified: Int64) throws(BackupFailure) {
        try append(TarHeader(name: name, size: size, modified: modified).blocks)
    }

    private mutating func end(size: Int64) throws(BackupFailure) {
        try append([UInt8](repeating: 0, count: TarHeader.padding(behind: size)))
    }

    private mutating func append(_ bytes: [UInt8]) throws(BackupFailure) {
        // The closure may not use what is borrowed: it hands the bytes back.
        let (descriptor, path) = (descriptor, path)
        try bytes.withUnsafeBufferPointer { part throws(BackupFailure) in
            try Self.write(UnsafeRawBufferPointer(part), to: descriptor, path)
        }
        try wrote(bytes.count)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(BackupFailure) {
        try Self.write(bytes, to: descriptor, path)
        try wrote(bytes.count)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String)
        throws(BackupFailure)
    {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BackupFailure("write", path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private mutating func wrote(_ count: Int) throws(BackupFailure) {
        written += Int64(count)
        guard written - begun >= Self.bytesPerWritingOut else { return }
        homeport_begin_writing_out(descriptor, begun, written - begun)
        begun = written
        guard written - synced >= Self.bytesPerSync else { return }
        guard fdatasync(descriptor) == 0 else { throw BackupFailure("fdatasync", path) }
        synced = written
    }
}
