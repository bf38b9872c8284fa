import JSON

/// A request to put an object together from its parts, in the order of the request: that they ascend, and that there are some, is not
/// asked here.
package struct CompleteRequest: Sendable {
    package let parts: [Part]

    package struct Part: Sendable {
        package let number: Int
        /// Without quotes.
        package let etag: String
        package let checksums: [NamedChecksum]
    }

    package init(_ body: [UInt8]) throws(FileError) {
        guard !body.isEmpty else {
            parts = []
            return
        }
        let root = try MarkupReader.read(body)
        guard root.name == "CompleteMultipartUpload" else {
            throw MarkupElement.unexpected("\(root.name) in place of CompleteMultipartUpload")
        }
        var parts: [Part] = []
        for member in try root.members() {
            guard member.name == "Part", parts.count < FileLimits.partsMax else {
                throw MarkupElement.unexpected("\(member.name), or more than \(FileLimits.partsMax) parts")
            }
            parts.append(try Self.part(member))
        }
        self.parts = parts
    }

    private static func part(_ element: MarkupElement) throws(FileError) -> Part {
        var number: Int?
        var etag: String?
        var checksums: [NamedChecksum] = []
        for member in try element.members() {
            switch member.name {
            case "PartNumber" where number == nil: number = try member.number()
            case "ETag" where etag == nil: etag = EntityTag.bare(try member.leaf())
            default:
                let algorithm = String(decoding: member.name.utf8.dropFirst("Checksum".utf8.count), as: UTF8.self)
                guard member.name.hasPrefix("Checksum"), NamedChecksum.algorithms.contains(algorithm),
                    !checksums.contains(where: { $0.algorithm == algorithm })
                else { throw MarkupElement.unexpected("\(member.name) in Part") }
                checksums.append(NamedChecksum(algorithm: algorithm, value: try member.leaf()))
            }
        }
        guard let number, let etag else { throw MarkupElement.unexpected("a part without its number or its ETag") }
        guard (1...FileLimits.partsMax).contains(number) else {
            throw FileError.invalidArgument("Part number must be an integer between 1 and 10000, inclusive")
        }
        return Part(number: number, etag: etag, checksums: checksums)
    }
}
