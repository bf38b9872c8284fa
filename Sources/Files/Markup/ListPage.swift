import JSON

/// A page of a bucket's keys, as ListObjectsV2 and ListObjects answer it.
package struct ListPage: Sendable {
    /// How the pages of a list follow each other.
    package enum Paging: Sendable {
        /// V2: the token of this page, the one of the next where there is one, and the key that the list begins behind.
        case tokens(given: String?, next: String?, startAfter: String?)
        /// V1: the key behind which this page begins, and the one behind which the next does.
        case markers(given: String, next: String?)
    }

    package let bucket: String
    package var prefix = ""
    package var delimiter: String?
    package var maxKeys = FileLimits.keysMax
    package var isURLEncoded = false
    package let paging: Paging
    /// Who owns all objects, where the answer names owners.
    package var owner: FileOwner?
    package var objects: [Object] = []
    /// What keys with the delimiter behind the prefix are folded to.
    package var prefixes: [String] = []

    package struct Object: Sendable {
        package let key: String
        package let modified: Timestamp
        /// Without quotes.
        package let etag: String
        package let size: Int64
        /// `CRC32` and the like, and `FULL_OBJECT` or `COMPOSITE`.
        package var checksumAlgorithm: String?
        package var checksumType: String?

        package init(
            key: String, modified: Timestamp, etag: String, size: Int64, checksumAlgorithm: String? = nil,
            checksumType: String? = nil
        ) {
            self.key = key
            self.modified = modified
            self.etag = etag
            self.size = size
            self.checksumAlgorithm = checksumAlgorithm
            self.checksumType = checksumType
        }
    }

    package init(bucket: String, paging: Paging) {
        self.bucket = bucket
        self.paging = paging
    }

    /// What clients check stands there exactly where it has a value: amplify-js refuses a list with an empty `Delimiter`.
    package var markup: [UInt8] {
        MarkupWriter.document("ListBucketResult") { writer in
            writer.element("Name", bucket)
            writer.element("Prefix", prefix, isURLEncoded: isURLEncoded && !isPrefixPlain)
            if case .tokens = paging { writer.element("KeyCount", objects.count + prefixes.count) }
            writer.element("MaxKeys", maxKeys)
            if let delimiter, !delimiter.isEmpty {
                writer.element("Delimiter", delimiter, isURLEncoded: isURLEncoded)
            }
            if isURLEncoded { writer.element("EncodingType", "url") }
            writePaging(to: &writer)
            for object in objects { write(object, to: &writer) }
            writer.commonPrefixes(prefixes, isURLEncoded: isURLEncoded)
        }
    }

    /// In V1 the SDKs take the prefix as it stands; what XML cannot hold is escaped in any case.
    private var isPrefixPlain: Bool {
        guard case .markers = paging else { return false }
        return XMLCharacters.canHold(prefix)
    }

    private func writePaging(to writer: inout MarkupWriter) {
        switch paging {
        case .tokens(let given, let next, let startAfter):
            writer.element("IsTruncated", next != nil)
            writer.element("ContinuationToken", ifAny: given)
            writer.element("NextContinuationToken", ifAny: next)
            if let startAfter { writer.element("StartAfter", startAfter, isURLEncoded: isURLEncoded) }
        case .markers(let given, let next):
            writer.element("IsTruncated", next != nil)
            writer.element("Marker", given, isURLEncoded: isURLEncoded)
            // Without a delimiter the last key of the page is the next marker, and S3 leaves it to the client.
            if let next, let delimiter, !delimiter.isEmpty {
                writer.element("NextMarker", next, isURLEncoded: isURLEncoded)
            }
        }
    }

    private func write(_ object: Object, to writer: inout MarkupWriter) {
        writer.element("Contents") { writer in
            writer.element("Key", object.key, isURLEncoded: isURLEncoded)
            writer.listed(object, owner: owner)
        }
    }
}

extension MarkupWriter {
    /// What lists say of an object behind its key.
    mutating func listed(_ object: ListPage.Object, owner: FileOwner?) {
        element("LastModified", object.modified)
        element("ETag", etag: object.etag)
        element("ChecksumAlgorithm", ifAny: object.checksumAlgorithm)
        element("ChecksumType", ifAny: object.checksumType)
        element("Size", object.size)
        self.owner("Owner", owner)
        element("StorageClass", "STANDARD")
    }

    mutating func commonPrefixes(_ prefixes: [String], isURLEncoded: Bool) {
        for prefix in prefixes {
            element("CommonPrefixes") { $0.element("Prefix", prefix, isURLEncoded: isURLEncoded) }
        }
    }
}
