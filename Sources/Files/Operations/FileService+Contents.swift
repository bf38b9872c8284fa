import Glibc
import JSON
import Network
import Store

/// Small objects as bytes in memory, for other rooms of this server: they ask without requests, and without rules.
extension FileService {
    /// An object with its bytes.
    package struct Contents: Sendable {
        package let about: About
        package let bytes: [UInt8]
    }

    /// An object that has been put.
    package struct Kept: Sendable {
        package let tag: String
        /// Its CRC-32 as base64.
        package let checksum: String
    }

    /// The bytes of an object; nil: there is none of that key.
    ///
    /// - Parameter bytesMax: an object with more bytes is refused.
    package func contents(
        _ key: String, in bucket: String, bytesMax: Int
    ) async throws(FileError) -> Contents? {
        let folder = folder
        return try await folder.work { [self] () throws(FileError) -> Contents? in
            guard try knowsBeside(bucket), let object = try readerBeside().object(bucket, key) else { return nil }
            guard object.size <= Int64(bytesMax) else { throw .tooLarge }
            guard let file = try folder.reading(object.file) else { return nil }
            let raw = file.descriptor.raw
            var bytes = [UInt8](repeating: 0, count: Int(object.size))
            var place = 0
            while place < bytes.count {
                let count = bytes.withUnsafeMutableBytes { buffer in
                    Glibc.pread(raw, buffer.baseAddress.map { $0 + place }, buffer.count - place, off_t(place))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileFolder.failure("read", "the object") }
                place += count
            }
            return Contents(about: About(key, object), bytes: bytes)
        }
    }

    /// Puts bytes as an object.
    package func keep(
        _ bytes: [UInt8], as key: String, in bucket: String, type: String? = nil
    ) async throws(FileError) -> Kept {
        try Self.check(key)
        guard bytes.count <= settings.objectBytesMax else { throw .tooLarge }
        try await makeReady()
        let folder = folder
        let received = try await folder.work { [self] () throws(FileError) -> BodyIntake.Received in
            _ = try knowsBeside(bucket)
            let file = try folder.open(expecting: Int64(bytes.count))
            let digests = ContentDigests([.crc64nvme, .crc32])
            try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
                let bytes = UnsafeRawBufferPointer(bytes)
                digests.update(bytes)
                try file.write(bytes)
            }
            try file.keep()
            return BodyIntake.Received(file: file, size: file.size, sums: digests.finish())
        }
        var content = ObjectContent()
        content.fields[.contentType] = type
        let object = try await keep(received, as: key, in: bucket, content, modified: now)
        return Kept(tag: object.tag, checksum: Checksum.text(of: received.sums[.crc32] ?? []))
    }

    /// A page of a bucket's objects as other rooms list them.
    package struct Listing: Sendable {
        package let objects: [Listed]
        /// The prefixes that a delimiter folds.
        package let prefixes: [String]
        /// Where it goes on.
        package let next: String?
    }

    package func listing(
        of prefix: String, in bucket: String, delimiter: String? = nil, after key: String = "", max: Int
    ) async throws(FileError) -> Listing {
        try await folder.work { [self] () throws(FileError) -> Listing in
            guard try knowsBeside(bucket) else { return Listing(objects: [], prefixes: [], next: nil) }
            var listing = FileListing(bucket: bucket)
            (listing.prefix, listing.delimiter, listing.after) = (prefix, delimiter, key)
            listing.max = min(max, FileLimits.keysMax)
            let page = try listing.page(from: readerBeside())
            let objects = page.entries.map {
                Listed(key: $0.key, size: $0.size, modified: $0.modified, tag: $0.tag)
            }
            return Listing(objects: objects, prefixes: page.prefixes, next: page.last)
        }
    }
}
