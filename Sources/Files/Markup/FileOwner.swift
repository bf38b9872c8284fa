/// Whom XML names as the owner of a bucket or an object, or as who has begun an upload.
package struct FileOwner: Sendable {
    package let id: String
    package let displayName: String

    package init(id: String, displayName: String) {
        self.id = id
        self.displayName = displayName
    }
}

extension MarkupWriter {
    mutating func owner(_ name: StaticString, _ owner: FileOwner?) {
        guard let owner else { return }
        element(name) { writer in
            writer.element("ID", owner.id)
            writer.element("DisplayName", owner.displayName)
        }
    }
}
