import JSON
import Network

extension ObjectContent {
    /// What a request says of the object that it brings.
    ///
    /// - Parameter link: fields that stand in the query of a link.
    init(_ head: HTTPRequestHead, link: [(name: String, value: String)]) throws(FileError) {
        try self.init(named: head.fields.all + link)
        if let text = head.fields["x-amz-tagging"] ?? link.first(where: { $0.name == "x-amz-tagging" })?.value {
            tags = try FileTag.read(header: text)
        }
    }

    /// What is said of it by fields with these names, which are in lower case: of those that it has once the first one counts.
    init(named all: [(name: String, value: String)]) throws(FileError) {
        let prefix = "x-amz-meta-"
        var size = 0
        for (name, value) in all {
            if let field = Field(rawValue: name) {
                guard fields[field] == nil else { continue }
                try Self.check(name, value)
                let kept = field == .contentEncoding ? Self.withoutChunks(value) : value
                if let kept { fields[field] = kept }
            }
            guard name.hasPrefix(prefix) else { continue }
            try Self.check(name, value)
            let short = String(Substring(name.utf8.dropFirst(prefix.utf8.count)))
            size += short.utf8.count + value.utf8.count
            guard size <= FileLimits.metadataBytesMax else {
                throw FileError(
                    400, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size"
                )
                .with("Size", "\(size)").with("MaxSizeAllowed", "\(FileLimits.metadataBytesMax)")
            }
            if let place = metadata.firstIndex(where: { $0.name == short }) {
                metadata[place] = Pair(name: short, value: metadata[place].value + "," + value)
            } else {
                metadata.append(Pair(name: short, value: value))
            }
        }
    }

    /// Throws where an answer could not have such a field: queries and forms hold any bytes, unlike heads.
    private static func check(_ name: String, _ value: String) throws(FileError) {
        let isName = !name.hasSuffix("-") && name.utf8.allSatisfy { HTTPFields.isNameByte($0) }
        guard isName, value.utf8.allSatisfy({ HTTPFields.isValueByte($0) }) else {
            throw .invalidArgument("'\(name)' is no field of an answer, or its value holds control characters.")
        }
    }

    /// Throws where somebody is to be let in by a list of access, which objects do not have here.
    static func checkAccess(_ list: String?) throws(FileError) {
        if let list, !["private", "bucket-owner-full-control", "bucket-owner-read"].contains(list) {
            throw FileError(400, "AccessControlListNotSupported", "The bucket does not allow ACLs")
        }
    }

    private static let storageClasses = [
        "STANDARD", "REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER", "DEEP_ARCHIVE",
        "GLACIER_IR",
    ]

    /// Throws for a name that no class of storage of a bucket has. The class itself means nothing here.
    static func checkStorage(_ name: String?) throws(FileError) {
        if let name, !storageClasses.contains(where: { ByteText($0) == ByteText(name) }) {
            throw FileError(400, "InvalidStorageClass", "The storage class you specified is not valid")
                .with("StorageClassRequested", name)
        }
    }

    /// A list of codings without that of the way here; nil when nothing is left.
    private static func withoutChunks(_ codings: String) -> String? {
        let kept = codings.utf8.split(separator: UInt8(ascii: ",")).filter { coding in
            !HTTPFields.isEqual(Array(coding).filter { $0 != UInt8(ascii: " ") }, "aws-chunked")
        }
        return kept.isEmpty ? nil : kept.map { String(Substring($0)) }.joined(separator: ",")
    }

    /// What an answer says of the object. `replaced` stands in the place of what is stored, as a query may ask for.
    func append(to lines: inout HTTPFieldLines, replaced: [Field: String] = [:]) {
        for field in Field.allCases {
            let usual = field == .contentType ? Self.usualType : nil
            guard let value = replaced[field] ?? fields[field] ?? usual else { continue }
            lines.append(name: field.rawValue, letters: value)
        }
        for pair in metadata { lines.append(name: "x-amz-meta-\(pair.name)", letters: pair.value) }
        if !tags.isEmpty { lines.append("x-amz-tagging-count", "\(tags.count)") }
    }

    /// The names of the metadata's fields: pages see those alone that are named to them.
    var metadataFields: [String] { metadata.map { "x-amz-meta-\($0.name)" } }
}

extension StoredObject {
    /// What an answer says of it beside its content.
    func append(to lines: inout HTTPFieldLines) {
        lines.append("etag", "\"\(tag)\"")
        lines.append("last-modified", HTTPDate.text(of: Int(modifiedSeconds)))
    }
}

extension StoredChecksum {
    /// - Parameter type: how the object's checksum was made, where this one is of a part.
    func append(to lines: inout HTTPFieldLines, type: String? = nil) {
        lines.append(kind.fieldName, text)
        lines.append("x-amz-checksum-type", type ?? self.type)
    }
}
