import JSON

/// Where a bucket is, as GetBucketLocation answers it: the first region of S3 has no name there.
package struct BucketLocation: Sendable {
    package let region: String

    package init(region: String) { self.region = region }

    package var markup: [UInt8] {
        // The outermost element holds the text itself.
        MarkupWriter.document("LocationConstraint") { $0.text(region == "us-east-1" ? "" : region) }
    }
}
