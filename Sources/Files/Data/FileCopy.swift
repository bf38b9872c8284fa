import CSystem
import Crypto
import Glibc
import Network

/// Copies of files, made by the system where it can: it may let both share what is on the disk.
struct FileCopy: Sendable {
    let file: IncomingFile
    /// Where it was made anew, because other bytes than those of one whole object were copied.
    var tag: String?
    var checksum: StoredChecksum?

    private static let bytesPerCall = 64 << 20
    private static let pieceBytes = 256 << 10

    /// A copy of an object's file. Called beside the loop.
    static func whole(_ object: StoredObject, in folder: FileFolder, wanted: Checksum?) throws(FileError) -> FileCopy {
        let file = try folder.open(expecting: object.size)
        guard let source = try folder.reading(object.file) else { throw .noSuchKey }
        try append(source.descriptor.raw, 0..<object.size, to: file)
        var copy = FileCopy(file: file)
        if let wanted {
            let stream = ChecksumStream(wanted)
            try read(source.descriptor.raw, 0..<object.size) { stream.update($0) }
            copy.checksum = StoredChecksum(wanted, Checksum.text(of: stream.finish()))
        }
        try file.keep()
        return copy
    }

    /// A part of an object's file as a file of its own, with its sums.
    static func part(
        _ object: StoredObject, _ range: Range<Int64>, in folder: FileFolder, wanted: Checksum?
    ) throws(FileError) -> (file: IncomingFile, sums: ContentSums) {
        let file = try folder.open(expecting: Int64(range.count))
        guard let source = try folder.reading(object.file) else { throw .noSuchKey }
        let digests = ContentDigests(Set([.crc64nvme] + [wanted].compactMap { $0 }))
        try append(source.descriptor.raw, range, to: file)
        try read(source.descriptor.raw, range) { digests.update($0) }
        try file.keep()
        return (file, digests.finish())
    }

    /// Several files as one.
    static func joined(_ parts: [StoredPart], in folder: FileFolder) throws(FileError) -> IncomingFile {
        let size = parts.reduce(0) { $0 + $1.size }
        let file = try folder.open(expecting: size)
        for part in parts {
            guard let source = try folder.reading(part.file) else { throw .invalidPart }
            try append(source.descriptor.raw, 0..<part.size, to: file)
        }
        try file.keep()
        return file
    }

    private static func append(_ source: Int32, _ range: Range<Int64>, to file: IncomingFile) throws(FileError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(range.upperBound - offset, Int64(bytesPerCall))
            let copied = homeport_copy_range(source, offset, file.raw, Int(count))
            if copied > 0 {
                offset += Int64(copied)
                try file.grew(by: Int64(copied))
                continue
            }
            if copied < 0, errno == EINTR { continue }
            // Where the system cannot, or finds the file's end too early, the bytes go through this process.
            try read(source, offset..<range.upperBound) { bytes throws(FileError) in try file.write(bytes) }
            return
        }
    }

    /// Reads a stretch of a file piece by piece. One that is shorter than it should be is damaged.
    static func read(
        _ source: Int32, _ range: Range<Int64>, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = Int(min(range.upperBound - offset, Int64(piece.count)))
            let count = pread(source, &piece, wanted, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .internalError.because(
                    count < 0 ? SystemError(call: "pread").description : "a file is shorter than its record says")
            }
            try piece.withUnsafeBufferPointer { bytes throws(FileError) in
                try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
            }
            offset += Int64(count)
        }
    }
}
