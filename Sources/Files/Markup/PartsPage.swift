import JSON

/// A page of an upload's parts, as ListParts answers it.
package struct PartsPage: Sendable {
    package let bucket: String
    package let key: String
    package let upload: String
    package let owner: FileOwner
    /// The number behind which this page begins, and the one behind which the next does, where there is one.
    package var marker = 0
    package var nextMarker: Int?
    package var maxParts = FileLimits.keysMax
    package var checksumAlgorithm: String?
    package var checksumType: String?
    package var parts: [Part] = []

    package struct Part: Sendable {
        package let number: Int
        package let modified: Timestamp
        /// Without quotes.
        package let etag: String
        package let size: Int64
        package var checksums: [NamedChecksum]

        package init(
            number: Int, modified: Timestamp, etag: String, size: Int64, checksums: [NamedChecksum] = []
        ) {
            self.number = number
            self.modified = modified
            self.etag = etag
            self.size = size
            self.checksums = checksums
        }
    }

    package init(bucket: String, key: String, upload: String, owner: FileOwner) {
        self.bucket = bucket
        self.key = key
        self.upload = upload
        self.owner = owner
    }

    package var markup: [UInt8] {
        MarkupWriter.document("ListPartsResult") { writer in
            writer.element("Bucket", bucket)
            writer.element("Key", key)
            writer.element("UploadId", upload)
            writer.owner("Initiator", owner)
            writer.owner("Owner", owner)
            writer.element("StorageClass", "STANDARD")
            writer.element("PartNumberMarker", marker)
            writer.element("NextPartNumberMarker", nextMarker ?? parts.last?.number ?? 0)
            writer.element("MaxParts", maxParts)
            writer.element("IsTruncated", nextMarker != nil)
            writer.element("ChecksumAlgorithm", ifAny: checksumAlgorithm)
            writer.element("ChecksumType", ifAny: checksumType)
            for part in parts {
                writer.element("Part") { writer in
                    writer.element("PartNumber", part.number)
                    writer.element("LastModified", part.modified)
                    writer.element("ETag", etag: part.etag)
                    writer.element("Size", part.size)
                    writer.checksums(part.checksums)
                }
            }
        }
    }
}
