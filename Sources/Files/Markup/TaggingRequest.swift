import JSON

/// A request to give an object or a bucket its tags: `<Tagging><TagSet><Tag><Key/><Value/></Tag>…</TagSet></Tagging>`.
package struct TaggingRequest: Sendable {
    package let tags: [FileTag]

    package init(_ body: [UInt8], max: Int = FileLimits.tagsMax) throws(FileError) {
        let root = try MarkupReader.read(body)
        guard root.name == "Tagging" else { throw MarkupElement.unexpected("\(root.name) in place of Tagging") }
        let sets = try root.members()
        guard sets.count <= 1, sets.allSatisfy({ $0.name == "TagSet" }) else {
            throw MarkupElement.unexpected("not one TagSet")
        }
        var tags: [FileTag] = []
        // Without a set there is none.
        for member in try sets.first?.members() ?? [] {
            guard member.name == "Tag" else { throw MarkupElement.unexpected("\(member.name) in TagSet") }
            tags.append(try Self.tag(member))
        }
        self.tags = try FileTag.checked(tags, max: max)
    }

    private static func tag(_ element: MarkupElement) throws(FileError) -> FileTag {
        var key: String?
        var value: String?
        for member in try element.members() {
            switch member.name {
            case "Key" where key == nil: key = try member.leaf()
            case "Value" where value == nil: value = try member.leaf()
            default: throw MarkupElement.unexpected("\(member.name) in Tag")
            }
        }
        guard let key, let value else { throw MarkupElement.unexpected("a tag without its key or its value") }
        return FileTag(key: key, value: value)
    }
}
