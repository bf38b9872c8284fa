import JSON

/// The buckets of this server, as ListBuckets answers them.
package struct BucketsPage: Sendable {
    package let owner: FileOwner
    package var buckets: [Bucket]
    package var prefix: String?
    /// Where the next page begins, where there is one.
    package var nextToken: String?

    package struct Bucket: Sendable {
        package let name: String
        package let created: Timestamp
        package let region: String

        package init(name: String, created: Timestamp, region: String) {
            self.name = name
            self.created = created
            self.region = region
        }
    }

    package init(owner: FileOwner, buckets: [Bucket], prefix: String? = nil, nextToken: String? = nil) {
        self.owner = owner
        self.buckets = buckets
        self.prefix = prefix
        self.nextToken = nextToken
    }

    package var markup: [UInt8] {
        MarkupWriter.document("ListAllMyBucketsResult") { writer in
            writer.owner("Owner", owner)
            writer.element("Buckets") { writer in
                for bucket in buckets {
                    writer.element("Bucket") { writer in
                        writer.element("Name", bucket.name)
                        writer.element("CreationDate", bucket.created)
                        writer.element("BucketRegion", bucket.region)
                    }
                }
            }
            writer.element("Prefix", ifAny: prefix)
            writer.element("ContinuationToken", ifAny: nextToken)
        }
    }
}
