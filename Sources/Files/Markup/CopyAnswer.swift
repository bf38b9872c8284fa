import JSON

/// What was made by copying: an object, or a part of one.
package struct CopyAnswer: Sendable {
    package let modified: Timestamp
    /// Without quotes.
    package let etag: String
    package var checksums: [NamedChecksum]
    package var checksumType: String?

    package init(modified: Timestamp, etag: String, checksums: [NamedChecksum] = [], checksumType: String? = nil) {
        self.modified = modified
        self.etag = etag
        self.checksums = checksums
        self.checksumType = checksumType
    }

    package var objectMarkup: [UInt8] { markup("CopyObjectResult") }
    package var partMarkup: [UInt8] { markup("CopyPartResult") }

    private func markup(_ name: StaticString) -> [UInt8] {
        MarkupWriter.document(name) { writer in
            writer.element("LastModified", modified)
            writer.element("ETag", etag: etag)
            writer.checksums(checksums, type: checksumType)
        }
    }
}
