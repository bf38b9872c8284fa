import JSON

/// A page of a bucket's uploads that have not ended, as ListMultipartUploads answers it.
package struct UploadsPage: Sendable {
    /// A place between two uploads: behind this key, and where there is an upload, behind that one of the key.
    package struct Place: Sendable {
        package let key: String
        package let upload: String

        package init(key: String, upload: String = "") {
            self.key = key
            self.upload = upload
        }
    }

    package let bucket: String
    package var prefix = ""
    package var delimiter: String?
    package var isURLEncoded = false
    package var maxUploads = FileLimits.keysMax
    package var start = Place(key: "")
    /// Where the next page begins, where there is one.
    package var next: Place?
    package var uploads: [Upload] = []
    package var prefixes: [String] = []

    package struct Upload: Sendable {
        package let key: String
        package let id: String
        package let owner: FileOwner
        package let begun: Timestamp
        package var checksumAlgorithm: String?
        package var checksumType: String?

        package init(
            key: String, id: String, owner: FileOwner, begun: Timestamp, checksumAlgorithm: String? = nil,
            checksumType: String? = nil
        ) {
            self.key = key
            self.id = id
            self.owner = owner
            self.begun = begun
            self.checksumAlgorithm = checksumAlgorithm
            self.checksumType = checksumType
        }
    }

    package init(bucket: String) { self.bucket = bucket }

    package var markup: [UInt8] {
        MarkupWriter.document("ListMultipartUploadsResult") { writer in
            writer.element("Bucket", bucket)
            writer.element("KeyMarker", start.key, isURLEncoded: isURLEncoded)
            writer.element("UploadIdMarker", start.upload)
            if let next {
                writer.element("NextKeyMarker", next.key, isURLEncoded: isURLEncoded)
                writer.element("NextUploadIdMarker", next.upload)
            }
            writer.element("Prefix", prefix, isURLEncoded: isURLEncoded)
            if let delimiter, !delimiter.isEmpty {
                writer.element("Delimiter", delimiter, isURLEncoded: isURLEncoded)
            }
            if isURLEncoded { writer.element("EncodingType", "url") }
            writer.element("MaxUploads", maxUploads)
            writer.element("IsTruncated", next != nil)
            for upload in uploads { write(upload, to: &writer) }
            writer.commonPrefixes(prefixes, isURLEncoded: isURLEncoded)
        }
    }

    private func write(_ upload: Upload, to writer: inout MarkupWriter) {
        writer.element("Upload") { writer in
            writer.element("Key", upload.key, isURLEncoded: isURLEncoded)
            writer.element("UploadId", upload.id)
            writer.owner("Initiator", upload.owner)
            writer.owner("Owner", upload.owner)
            writer.element("StorageClass", "STANDARD")
            writer.element("Initiated", upload.begun)
            writer.element("ChecksumAlgorithm", ifAny: upload.checksumAlgorithm)
            writer.element("ChecksumType", ifAny: upload.checksumType)
        }
    }
}
