import JSON

/// A page of a bucket's objects, as ListObjectVersions answers it for a bucket without versions: each is one, called `null`.
package struct VersionsPage: Sendable {
    package let bucket: String
    package let owner: FileOwner
    package var prefix = ""
    package var delimiter: String?
    package var maxKeys = FileLimits.keysMax
    package var isURLEncoded = false
    /// The key and the version behind which this page begins.
    package var keyMarker = ""
    package var versionMarker = ""
    /// The key, or folded prefix, behind which the next page begins, where there is one.
    package var next: String?
    private var objects: [ListPage.Object] = []
    private var prefixes: [String] = []

    static let version = "null"

    package init(bucket: String, owner: FileOwner) {
        self.bucket = bucket
        self.owner = owner
    }

    package mutating func show(_ objects: [ListPage.Object], _ prefixes: [String]) {
        self.objects = objects
        self.prefixes = prefixes
    }

    package var markup: [UInt8] {
        MarkupWriter.document("ListVersionsResult") { writer in
            writer.element("Name", bucket)
            writer.element("Prefix", prefix, isURLEncoded: isURLEncoded)
            writer.element("KeyMarker", keyMarker, isURLEncoded: isURLEncoded)
            writer.element("VersionIdMarker", versionMarker)
            if let next {
                writer.element("NextKeyMarker", next, isURLEncoded: isURLEncoded)
                // Behind a folded prefix there is no version.
                if prefixes.last != next { writer.element("NextVersionIdMarker", Self.version) }
            }
            writer.element("MaxKeys", maxKeys)
            if let delimiter, !delimiter.isEmpty {
                writer.element("Delimiter", delimiter, isURLEncoded: isURLEncoded)
            }
            if isURLEncoded { writer.element("EncodingType", "url") }
            writer.element("IsTruncated", next != nil)
            for object in objects {
                writer.element("Version") { writer in
                    writer.element("Key", object.key, isURLEncoded: isURLEncoded)
                    writer.element("VersionId", Self.version)
                    writer.element("IsLatest", true)
                    writer.listed(object, owner: owner)
                }
            }
            writer.commonPrefixes(prefixes, isURLEncoded: isURLEncoded)
        }
    }
}
