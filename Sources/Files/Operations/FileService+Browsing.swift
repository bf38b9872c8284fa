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
    ) async throws(FileError) -> Browsed {
        let shard = FileShard()
        guard try await knows(bucket, on: shard) else { return Browsed(folders: [], files: [], next: nil) }
        var listing = FileListing(bucket: bucket)
        (listing.prefix, listing.delimiter, listing.after, listing.max) = (prefix, "/", key, max)
        let page = try await read(on: shard) { [listing] reader throws(FileError) in try listing.page(from: reader) }
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

        init(_ key: String, _ object: StoredObject) {
            listed = Listed(key: key, size: object.size, modified: object.modified, tag: object.tag)
            type = object.content.fields[.contentType] ?? ObjectContent.usualType
            metadata = object.content.metadata.map { ($0.name, $0.value) }
        }
    }

    /// Nil: there is none of that key.
    package func about(_ key: String, in bucket: String) async throws(FileError) -> About? {
        try await known(key, in: bucket).map { About(key, $0) }
    }

    func known(_ key: String, in bucket: String) async throws(FileError) -> StoredObject? {
        let shard = FileShard()
        guard try await knows(bucket, on: shard) else { return nil }
        return try await read(on: shard) { reader throws(FileError) in try reader.object(bucket, key) }
    }

    /// An object that is read: all of it, or the part that a request names.
    package struct Opened: Sendable {
        package let about: About
        /// Nil: all of it.
        package let part: Range<Int>?
        package let body: HTTPFileBody
    }

    /// The bytes of an object that a request with these fields wants, as `Range` and `If-Range` say; nil: there is none of that key.
    package func opened(
        _ key: String, in bucket: String, for fields: HTTPFields
    ) async throws(FileError) -> Opened? {
        guard let object = try await known(key, in: bucket) else { return nil }
        let part = try Self.part(of: object, for: fields, now: now / 1_000)
        let folder = folder
        return try await folder.work { () throws(FileError) -> Opened? in
            guard let file = try folder.reading(object.file), let descriptor = file.descriptor.duplicate() else {
                return nil
            }
            let range = part ?? 0..<Int(clamping: object.size)
            return Opened(
                about: About(key, object), part: part,
                body: HTTPFileBody(descriptor, offset: range.lowerBound, count: range.count))
        }
    }

    private static func part(
        of object: StoredObject, for fields: HTTPFields, now: Int64
    ) throws(FileError) -> Range<Int>? {
        guard let text = fields["range"],
            ObjectConditions.rangeCounts(fields, tag: object.tag, modified: object.modifiedSeconds, now: now)
        else { return nil }
        switch ByteRange(text, size: Int(clamping: object.size)) {
        case .whole: return nil
        case .part(let part): return part
        case .unsatisfiable: throw FileError.invalidRange.with("RangeRequested", text)
        }
    }

    // MARK: How much there is

    /// How many objects there are in all buckets, and their bytes. They are counted beside the loops and kept: a page that asks
    /// again and again reads nothing.
    package func totals() async throws(FileError) -> FileTotals {
        let changes = changes.load(ordering: .acquiring)
        if let kept = keptTotals.withLock({ $0 }), kept.holds(at: now, changes: changes) { return kept.totals }
        do throws(StoreError) {
            let until = Timestamp.monotonicMilliseconds + FileLimits.totalsMilliseconds
            let totals = try await store.readersAside.read(until: until) { reader throws(StoreError) in
                var totals = FileTotals(count: 0, bytes: 0)
                guard try reader.has(FileTables.all) else { return totals }
                try reader.rows(ObjectRow.totals, []) { row throws(StoreError) in
                    totals = FileTotals(count: row.integer(0), bytes: row.integer(1))
                    return false
                }
                return totals
            }
            keptTotals.withLock { $0 = KeptTotals(totals: totals, at: now, changes: changes) }
            return totals
        } catch {
            throw FileError(error)
        }
    }

    /// Returns whether the rules let a caller do that.
    package func lets(_ caller: FileCaller, _ action: FileAction, _ key: String, in bucket: String) -> Bool {
        allows(action, bucket, key, caller)
    }

    /// The buckets that there are.
    package var bucketNames: [String] { buckets().map(\.name) }
}
