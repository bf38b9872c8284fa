import JSON

/// An upload in parts that has begun.
package struct BegunUpload: Sendable {
    package let bucket: String
    package let key: String
    package let id: String

    package init(bucket: String, key: String, id: String) {
        self.bucket = bucket
        self.key = key
        self.id = id
    }

    package var markup: [UInt8] {
        MarkupWriter.document("InitiateMultipartUploadResult") { writer in
            writer.element("Bucket", bucket)
            writer.element("Key", key)
            writer.element("UploadId", id)
        }
    }
}
