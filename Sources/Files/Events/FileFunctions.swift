import JSON

/// The functions that are told of what happens in buckets: URLs.
package struct FileFunctions: Sendable {
    private var byBucket: [ByteText: (onUpload: String?, onDelete: String?)] = [:]

    package init() {}

    package var isEmpty: Bool { byBucket.isEmpty }

    package mutating func set(_ bucket: String, onUpload: String?, onDelete: String?) {
        guard onUpload != nil || onDelete != nil else { return }
        byBucket[bucket] = (onUpload, onDelete)
    }

    /// The function that is told of such an event in a bucket.
    func url(of name: String, in bucket: String) -> String? {
        FileEvent.isRemoval(name) ? byBucket[bucket]?.onDelete : byBucket[bucket]?.onUpload
    }
}
