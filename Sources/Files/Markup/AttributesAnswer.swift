/// What GetObjectAttributes was asked for, and nothing else: what is nil is left out.
package struct AttributesAnswer: Sendable {
    /// Without quotes, which this operation writes it without as well.
    package var etag: String?
    package var checksums: [NamedChecksum] = []
    package var checksumType: String?
    package var parts: Parts?
    package var storageClass: String?
    package var size: Int64?

    package struct Parts: Sendable {
        /// How many parts the object has been put together from.
        package let count: Int
        /// The number behind which this page begins, and the one behind which the next does, where there is one.
        package var marker = 0
        package var nextMarker: Int?
        package var maxParts = FileLimits.keysMax
        /// Those of this page; none where the object is older than the notes of its parts.
        package var parts: [Part] = []

        package init(count: Int) { self.count = count }
    }

    package struct Part: Sendable {
        package let number: Int
        package let size: Int64
        package let checksums: [NamedChecksum]

        package init(number: Int, size: Int64, checksums: [NamedChecksum]) {
            self.number = number
            self.size = size
            self.checksums = checksums
        }
    }

    package init() {}

    package var markup: [UInt8] {
        MarkupWriter.document("GetObjectAttributesResponse") { writer in
            writer.element("ETag", ifAny: etag)
            if !checksums.isEmpty {
                writer.element("Checksum") { $0.checksums(checksums, type: checksumType) }
            }
            if let parts { write(parts, to: &writer) }
            writer.element("StorageClass", ifAny: storageClass)
            if let size { writer.element("ObjectSize", size) }
        }
    }

    private func write(_ parts: Parts, to writer: inout MarkupWriter) {
        writer.element("ObjectParts") { writer in
            writer.element("PartsCount", parts.count)
            if !parts.parts.isEmpty || parts.marker > 0 || parts.nextMarker != nil {
                writer.element("PartNumberMarker", parts.marker)
                writer.element("NextPartNumberMarker", parts.nextMarker ?? parts.parts.last?.number ?? 0)
                writer.element("MaxParts", parts.maxParts)
                writer.element("IsTruncated", parts.nextMarker != nil)
            }
            for part in parts.parts {
                writer.element("Part") { writer in
                    writer.element("PartNumber", part.number)
                    writer.element("Size", part.size)
                    writer.checksums(part.checksums)
                }
            }
        }
    }
}
