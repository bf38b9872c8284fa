import Glibc
import Network

/// Reads a tar archive from its beginning to its end, piece by piece. Believes nothing of it: heads have a sum, lengths a bound.
struct TarReader: ~Copyable {
    private let descriptor: FileDescriptor
    private let path: String
    /// The rest of the entry that was read last, and of the zeros behind it.
    private var left: Int64 = 0
    private var padding = 0
    private var offset: Int64 = 0

    private static let pieceBytes = 128 << 10
    /// The longest extended head.
    private static let recordBytesMax: Int64 = 64 << 10

    init(_ path: String) throws(BackupFailure) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else {
            throw BackupFailure(.unreadableInput, "cannot read \(path): \(String(cString: strerror(errno)))")
        }
        descriptor = FileDescriptor(owning: raw)
        self.path = path
    }

    /// The next entry that is a file; nil at the end. What is left of the one before is passed over.
    mutating func next() throws(BackupFailure) -> TarHeader? {
        var size: Int64?
        while true {
            while try read({ _ in }) {}
            guard let header = try head() else { return nil }
            (left, padding) = (header.size, TarHeader.padding(behind: header.size))
            switch header.kind {
            case .folder: size = nil
            case .global: guard header.size <= Self.recordBytesMax else { throw noArchive }
            case .extended:
                guard header.size <= Self.recordBytesMax else { throw noArchive }
                var records: [UInt8] = []
                while try read({ records += $0 }) {}
                size = TarHeader.size(inRecords: records) ?? size
            case .file:
                guard let wanted = size else { return header }
                guard wanted >= 0 else { throw noArchive }
                var header = header
                header.size = wanted
                (left, padding) = (wanted, TarHeader.padding(behind: wanted))
                return header
            }
        }
    }

    /// Hands over the next piece of the entry; false at its end.
    mutating func read(_ take: (UnsafeRawBufferPointer) throws(BackupFailure) -> Void) throws(BackupFailure) -> Bool {
        guard left > 0 else {
            if padding > 0 {
                _ = try block(count: padding, isEndAllowed: false)
                padding = 0
            }
            return false
        }
        guard let bytes = try block(count: Int(min(left, Int64(Self.pieceBytes))), isEndAllowed: false) else {
            return false
        }
        left -= Int64(bytes.count)
        try bytes.withUnsafeBufferPointer { part throws(BackupFailure) in
            try take(UnsafeRawBufferPointer(part))
        }
        return true
    }

    /// The head of the next entry; nil at the end, which two blocks of zeros make.
    private mutating func head() throws(BackupFailure) -> TarHeader? {
        guard let bytes = try block(count: TarHeader.blockBytes, isEndAllowed: true) else {
            throw BackupFailure.damaged("\(path) ends too early: it was not copied as a whole")
        }
        if bytes.allSatisfy({ $0 == 0 }) { return nil }
        guard let header = TarHeader(bytes) else { throw noArchive }
        return header
    }

    private var noArchive: BackupFailure {
        BackupFailure.damaged("\(path) is no backup of Homeport, or is damaged at byte \(offset)")
    }

    /// So many bytes; nil where there are none at all and that is allowed.
    private mutating func block(count: Int, isEndAllowed: Bool) throws(BackupFailure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor.raw, buffer.baseAddress.map { $0 + filled }, count - filled)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else {
                throw BackupFailure(.unreadableInput, "cannot read \(path): \(String(cString: strerror(errno)))")
            }
            guard read > 0 else {
                if filled == 0, isEndAllowed { return nil }
                throw BackupFailure.damaged("\(path) ends too early: it was not copied as a whole")
            }
            filled += read
        }
        offset += Int64(count)
        return bytes
    }
}
