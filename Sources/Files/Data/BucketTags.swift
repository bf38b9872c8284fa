import JSON
import Store

/// The tags of buckets, of those of the configuration too.
enum BucketTags {
    static let creation = RoomStatement(
        """
        CREATE TABLE _homeport_file_bucket_tags (bucket TEXT PRIMARY KEY NOT NULL, tags TEXT NOT NULL)
        STRICT, WITHOUT ROWID
        """)
    fileprivate static let selection = RoomStatement("SELECT tags FROM _homeport_file_bucket_tags WHERE bucket = ?")
    fileprivate static let setting = RoomStatement(
        """
        INSERT INTO _homeport_file_bucket_tags (bucket, tags) VALUES (?, ?)
        ON CONFLICT (bucket) DO UPDATE SET tags = excluded.tags
        """)
    fileprivate static let deletion = RoomStatement("DELETE FROM _homeport_file_bucket_tags WHERE bucket = ?")
}

extension RoomReading {
    fileprivate var hasBucketTags: Bool {
        get throws(FileError) {
            do throws(StoreError) { return try has(FileTables.bucketTags) } catch { throw FileError(error) }
        }
    }

    /// The tags of a bucket; none where nobody has set any.
    func tags(ofBucket bucket: String) throws(FileError) -> [FileTag] {
        guard try hasBucketTags else { return [] }
        var tags: [FileTag] = []
        try rows(BucketTags.selection, [.text(bucket)]) { row throws(FileError) in
            let kept = (try? JSONReader.value(of: row.text(0)))?.array ?? []
            tags = kept.compactMap { tag in
                guard let key = tag["Key"]?.string, let value = tag["Value"]?.string else { return nil }
                return FileTag(key: key, value: value)
            }
            return false
        }
        return tags
    }
}

extension FileWriting {
    /// Sets all tags of a bucket.
    func setTags(_ tags: [FileTag], ofBucket bucket: String) throws(FileError) {
        guard !tags.isEmpty else {
            guard try session.hasBucketTags else { return }
            try change(BucketTags.deletion, [.text(bucket)])
            return
        }
        let kept = tags.map { JSONValue.object(JSONObject([("Key", .string($0.key)), ("Value", .string($0.value))])) }
        try change(BucketTags.setting, [.text(bucket), .text(JSONWriter.text(of: .array(kept)))])
    }
}
