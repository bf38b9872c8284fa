import Crypto
import Glibc
import JSON
import Network
import Store

/// The store for whoever runs it: without requests, and without rules. Beside a running server both change one database, one after
/// the other, and each has a folder of its own for what comes.
extension FileService {
    /// An object as it is listed.
    package struct Listed: Sendable {
        package let key: String
        package let size: Int64
        /// In milliseconds since 1970.
        package let modified: Int64
        package let tag: String
    }

    /// Refuses a bucket that is not there. Those that clients have made are read before, where nobody has asked yet.
    ///
    /// - Returns: false where nobody has put a file.
    func knows(_ bucket: String, on shard: FileShard) async throws(FileError) -> Bool {
        let hasRecords = try await hasRecords(on: shard)
        guard hasBucket(bucket) else { throw .noSuchBucket }
        return hasRecords
    }

    /// The same on a thread that may wait.
    func knowsBeside(_ bucket: String) throws(FileError) -> Bool {
        let hasRecords = try hasRecords(in: readerBeside)
        guard hasBucket(bucket) else { throw .noSuchBucket }
        return hasRecords
    }

    func readerBeside() throws(FileError) -> Reader {
        try storing { () throws(StoreError) in try store.readerBeside() }
    }

    /// A page of the keys that begin with a prefix, behind a key.
    package func listed(_ prefix: String, in bucket: String, after key: String = "") async throws(FileError) -> [Listed]
    {
        let shard = FileShard()
        guard try await knows(bucket, on: shard) else { return [] }
        var listing = FileListing(bucket: bucket)
        listing.prefix = prefix
        listing.after = key
        return try await read(on: shard) { [listing] reader throws(FileError) in try listing.page(from: reader) }
            .entries.map {
                Listed(key: $0.key, size: $0.size, modified: $0.modified, tag: $0.tag)
            }
    }

    /// The properties of an object beside its key.
    package struct Described: Sendable {
        package let size: Int64
        /// In milliseconds since 1970.
        package let modified: Int64
        package let tag: String
        /// The fields that go back as they came, by their names in lower case.
        package let fields: [(name: String, value: String)]
        /// Without `x-amz-meta-`.
        package let metadata: [(name: String, value: String)]
        package let tags: [FileTag]
    }

    /// The properties of an object; nil where there is none.
    package func described(_ key: String, in bucket: String) async throws(FileError) -> Described? {
        guard let object = try await known(key, in: bucket) else { return nil }
        return Described(
            size: object.size, modified: object.modified, tag: object.tag,
            fields: ObjectContent.Field.allCases.compactMap { field in
                object.content.fields[field].map { (field.rawValue, $0) }
            }, metadata: object.content.metadata.map { ($0.name, $0.value) }, tags: object.content.tags)
    }

    /// Puts a file of this machine in as an object of another store, with what was said of it there.
    ///
    /// - Parameters:
    ///   - fields: by their names in lower case, `x-amz-meta-…` among them.
    ///   - modified: in milliseconds since 1970.
    package func put(
        fileAt path: String, as key: String, in bucket: String, fields: [(name: String, value: String)],
        tags: [FileTag], modified: Int64
    ) async throws(FileError) {
        var content = try ObjectContent(named: fields)
        guard tags.count <= FileLimits.tagsMax else {
            throw .invalidArgument("An object has at most \(FileLimits.tagsMax) tags.")
        }
        content.tags = tags
        try await put(fileAt: path, as: key, in: bucket, content, modified: modified)
    }

    /// Puts a file of this machine in as an object.
    package func put(
        fileAt path: String, as key: String, in bucket: String, type: String? = nil
    ) async throws(FileError) {
        var content = ObjectContent()
        content.fields[.contentType] = type
        try await put(fileAt: path, as: key, in: bucket, content, modified: now)
    }

    private func put(
        fileAt path: String, as key: String, in bucket: String, _ content: ObjectContent, modified: Int64
    ) async throws(FileError) {
        _ = try await knows(bucket, on: FileShard())
        try Self.check(key)
        try await makeReady()
        let folder = folder
        let received = try await folder.work { () throws(FileError) -> BodyIntake.Received in
            try Self.taken(path, in: folder)
        }
        _ = try await keep(received, as: key, in: bucket, content, modified: modified)
    }

    static func check(_ key: String) throws(FileError) {
        guard (1...FileLimits.keyBytesMax).contains(key.utf8.count), !key.utf8.contains(0),
            XMLCharacters.canHold(key)
        else {
            throw .keyTooLong.because("a key has 1 to \(FileLimits.keyBytesMax) bytes, and no control characters")
        }
    }

    /// Makes what is on the disk an object.
    func keep(
        _ received: BodyIntake.Received, as key: String, in bucket: String, _ content: ObjectContent, modified: Int64
    ) async throws(FileError) -> StoredObject {
        let object = StoredObject(
            file: received.file.number, size: received.size, tag: received.tag, modified: modified, content: content,
            checksum: received.checksum(.crc32) ?? received.checksum(.crc64nvme), sum: received.sum)
        do throws(FileError) {
            try await write { [self] writing throws(FileError) in
                try demandBucket(bucket, writing)
                let old = try writing.put(object, bucket, key, if: { _ throws(FileError) in })
                return ((), old.map { [$0] } ?? [])
            }
        } catch {
            received.file.discard()
            throw error
        }
        return object
    }

    private static let pieceBytes = 256 << 10

    /// A copy of a file, on the disk under a name of the store. Called beside the loops.
    private static func taken(_ path: String, in folder: FileFolder) throws(FileError) -> BodyIntake.Received {
        let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw FileFolder.failure("open", path) }
        let source = FileDescriptor(owning: raw)
        var status = stat()
        guard fstat(source.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest("\(path) is no file")
        }
        let file = try folder.open(expecting: Int64(status.st_size))
        let digests = ContentDigests([.crc64nvme])
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let raw = source.raw
            let count = piece.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFolder.failure("read", path) }
            guard count > 0 else { break }
            try piece.withUnsafeBufferPointer { bytes throws(FileError) in
                let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count]))
                digests.update(bytes)
                try file.write(bytes)
            }
        }
        try file.keep()
        return BodyIntake.Received(file: file, size: file.size, sums: digests.finish())
    }

    /// Writes an object's bytes to a descriptor. False: there is no such object.
    package func copy(_ key: String, in bucket: String, to descriptor: Int32) async throws(FileError) -> Bool {
        guard let object = try await known(key, in: bucket) else { return false }
        let folder = folder
        return try await folder.work { () throws(FileError) -> Bool in
            guard let file = try folder.reading(object.file) else { return false }
            try Self.copy(file, to: descriptor)
            return true
        }
    }

    private static func copy(_ source: borrowing OpenObject, to target: Int32) throws(FileError) {
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let raw = source.descriptor.raw
            let count = piece.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFolder.failure("read", "the object") }
            guard count > 0 else { return }
            var place = 0
            while place < count {
                let written = piece[place..<count].withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw FileFolder.failure("write", "the output") }
                place += written
            }
        }
    }

    /// Removes an object. False: there was none.
    package func remove(_ key: String, in bucket: String) async throws(FileError) -> Bool {
        guard try await knows(bucket, on: FileShard()) else { return false }
        return try await write { writing throws(FileError) in
            let old = try writing.remove(bucket, key)
            return (old != nil, old.map { [$0] } ?? [])
        }
    }
}
