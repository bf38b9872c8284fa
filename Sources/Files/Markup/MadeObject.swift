import JSON

/// An object that has been put together from parts, or that a form has brought.
package struct MadeObject: Sendable {
    /// The address that it has.
    package let location: String
    package let bucket: String
    package let key: String
    /// Without quotes.
    package let etag: String
    package var checksums: [NamedChecksum]
    package var checksumType: String?

    package init(
        location: String, bucket: String, key: String, etag: String, checksums: [NamedChecksum] = [],
        checksumType: String? = nil
    ) {
        self.location = location
        self.bucket = bucket
        self.key = key
        self.etag = etag
        self.checksums = checksums
        self.checksumType = checksumType
    }

    package var uploadMarkup: [UInt8] {
        MarkupWriter.document("CompleteMultipartUploadResult") { writer in
            write(to: &writer)
            writer.checksums(checksums, type: checksumType)
        }
    }

    package var formMarkup: [UInt8] {
        MarkupWriter.document("PostResponse", inNamespace: false) { write(to: &$0) }
    }

    private func write(to writer: inout MarkupWriter) {
        writer.element("Location", location)
        writer.element("Bucket", bucket)
        writer.element("Key", key)
        writer.element("ETag", etag: etag)
    }
}
