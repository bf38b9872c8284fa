import JSON
import Network
import Store

/// The store for a person who looks through it: folders by prefixes, what is known of an object, who may have it.
extension FileService {
    /// What lies below a prefix.
    package struct Browsed: Sendable {
        package let folders: [String]
        package let files: [Listed]
        /// Where it goes on.
        package let next: String?
    }

    package func browsed(
        _ prefix: String, in bucket: String, after key: String, max: Int
    ) throws(FileError) -> Browsed {
        let shard = FileShard()
        guard hasBucket(bucket) else { throw .noSuchBucket }
        guard try hasRecords(on: shard) else { return Browsed(folders: [], files: [], next: nil) }
        var listing = FileListing(bucket: bucket)
        (listing.prefix, listing.delimiter, listing.after, listing.max) = (prefix, "/", key, max)
        let page = try listing.page(from: try shard.records(of: store))
        let files = page.entries.map {
            Listed(key: $0.key, size: $0.size, modified: $0.modified, tag: $0.tag)
        }
        return Browsed(folders: page.prefixes, files: files, next: page.last)
    }

    /// What is known of an object.
    package struct About: Sendable {
        package let listed: Listed
        package let type: String
        package let metadata: [(name: String, value: String)]
    }

    /// Nil: there is none of that key.
    package func about(_ key: String, in bucket: String) throws(FileError) -> About? {
        guard let object = try known(key, in: bucket) else { return nil }
        return About(
            listed: Listed(key: key, size: object.size, modified: object.modified, tag: object.tag),
            type: object.content.fields[.contentType] ?? ObjectContent.usualType,
            metadata: object.content.metadata.map { ($0.name, $0.value) })
    }

    private func known(_ key: String, in bucket: String) throws(FileError) -> StoredObject? {
        let shard = FileShard()
        guard hasBucket(bucket) else { throw .noSuchBucket }
        guard try hasRecords(on: shard) else { return nil }
        return try shard.records(of: store).object(bucket, key)
    }

    /// The bytes of an object; nil: there is none of that key.
    package func content(of key: String, in bucket: String) async throws(FileError) -> HTTPFileBody? {
        guard let object = try known(key, in: bucket) else { return nil }
        let folder = folder
        return try await folder.work { () throws(FileError) -> HTTPFileBody? in
            guard let file = try folder.reading(object.file), let descriptor = file.descriptor.duplicate() else {
                return nil
            }
            return HTTPFileBody(descriptor, offset: 0, count: Int(clamping: object.size))
        }
    }

    /// Whether the rules let a caller do that.
    package func lets(_ caller: FileCaller, _ action: FileAction, _ key: String, in bucket: String) -> Bool {
        allows(action, bucket, key, caller)
    }

    /// The buckets that there are.
    package var bucketNames: [String] { buckets().map(\.name) }
}
