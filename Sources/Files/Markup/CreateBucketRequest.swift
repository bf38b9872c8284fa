import JSON

/// A request to make a bucket, which may say where.
package struct CreateBucketRequest: Sendable {
    /// The region, where the request names one.
    package let region: String?

    /// An empty body names nothing.
    package init(_ body: [UInt8]) throws(FileError) {
        guard !body.isEmpty else {
            region = nil
            return
        }
        let root = try MarkupReader.read(body)
        guard root.name == "CreateBucketConfiguration" else {
            throw MarkupElement.unexpected("\(root.name) in place of CreateBucketConfiguration")
        }
        var region: String?
        for member in try root.members() {
            switch member.name {
            case "LocationConstraint" where region == nil: region = try member.leaf()
            case "Location", "Bucket", "Tags": throw .notImplemented.because("\(member.name) of a new bucket")
            default: throw MarkupElement.unexpected("\(member.name) in CreateBucketConfiguration")
            }
        }
        self.region = region == "" ? nil : region
    }
}
