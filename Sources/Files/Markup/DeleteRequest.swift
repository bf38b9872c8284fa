import JSON

/// A request to delete many objects: `<Delete><Object><Key/></Object>…<Quiet/></Delete>`.
package struct DeleteRequest: Sendable {
    package let objects: [Object]
    /// True if only those are answered that could not be deleted.
    package let isQuiet: Bool

    package struct Object: Sendable {
        package let key: String
        /// The version to delete. There is one only, which is called `null`.
        package var version: String?
        /// What must hold for the object to be deleted.
        package var conditions = DeleteConditions()
    }

    package init(_ body: [UInt8]) throws(FileError) {
        let root = try MarkupReader.read(body)
        guard root.name == "Delete" else { throw MarkupElement.unexpected("\(root.name) in place of Delete") }
        var objects: [Object] = []
        var isQuiet: Bool?
        for member in try root.members() {
            switch member.name {
            case "Object":
                objects.append(try Self.object(member))
                guard objects.count <= FileLimits.keysMax else {
                    throw MarkupElement.unexpected("more than \(FileLimits.keysMax) keys")
                }
            case "Quiet" where isQuiet == nil: isQuiet = try member.boolean()
            default: throw MarkupElement.unexpected("\(member.name) in Delete")
            }
        }
        guard !objects.isEmpty else { throw MarkupElement.unexpected("no key") }
        self.objects = objects
        self.isQuiet = isQuiet ?? false
    }

    /// A condition that is not understood must not be left out: the object would be deleted without it.
    private static func object(_ element: MarkupElement) throws(FileError) -> Object {
        var key: String?
        var version: String?
        var conditions = DeleteConditions()
        for member in try element.members() {
            switch member.name {
            case "Key" where key == nil: key = try member.leaf()
            case "VersionId" where version == nil: version = try member.leaf()
            case "ETag" where conditions.tag == nil: conditions.tag = EntityTag.bare(try member.leaf())
            case "LastModifiedTime" where conditions.modified == nil: try conditions.set(modified: try member.leaf())
            case "Size" where conditions.size == nil: try conditions.set(size: try member.leaf())
            default: throw MarkupElement.unexpected("\(member.name) in Object")
            }
        }
        guard let key, !key.isEmpty else { throw MarkupElement.unexpected("an object without a key") }
        return Object(key: key, version: version, conditions: conditions)
    }
}
