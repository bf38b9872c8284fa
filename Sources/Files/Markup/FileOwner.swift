/// Whom XML names as the owner of a bucket or an object, or as who has begun an upload.
package struct FileOwner: Sendable {
    package let id: String

    package init(id: String) { self.id = id }
}

extension MarkupWriter {
    mutating func owner(_ name: StaticString, _ owner: FileOwner?) {
        guard let owner else { return }
        element(name) { writer in
            // S3 has no `DisplayName` any more, since the end of 2025.
            writer.element("ID", owner.id)
        }
    }
}
