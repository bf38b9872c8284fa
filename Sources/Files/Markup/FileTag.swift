import JSON

/// A tag of an object.
package struct FileTag: Sendable {
    package let key: String
    package let value: String

    static let keyCharactersMax = 128
    static let valueCharactersMax = 256

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// The tags that `x-amz-tagging` names, written like a query.
    package static func read(header: String) throws(FileError) -> [FileTag] {
        var tags: [FileTag] = []
        for pair in header.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = decoded(sides[0]), let value = sides.count > 1 ? decoded(sides[1]) : "" else {
                throw .invalidArgument(
                    "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates."
                )
            }
            tags.append(FileTag(key: key, value: value))
            guard tags.count <= FileLimits.tagsMax else { break }
        }
        return try checked(tags, system: "Your TagKey cannot be prefixed with aws:")
    }

    /// The tags in the order of their keys. Throws where they are more than an object or a bucket may have, or one is not as S3 demands.
    ///
    /// - Parameter system: the refusal of a tag of AWS's own.
    static func checked(
        _ tags: [FileTag], max: Int = FileLimits.tagsMax,
        system: String = "System tags cannot be added/updated by requester"
    ) throws(FileError) -> [FileTag] {
        guard tags.count <= max else {
            throw FileError(
                400, "BadRequest",
                max == FileLimits.tagsMax
                    ? "Object tags cannot be greater than \(max)" : "Bucket tag count cannot be greater than \(max)")
        }
        var keys: Set<ByteText> = []
        for tag in tags {
            guard (1...keyCharactersMax).contains(tag.key.unicodeScalars.count),
                tag.key.unicodeScalars.allSatisfy(isOfTag)
            else { throw invalid("The TagKey you have provided is invalid") }
            guard !tag.key.inLowerCaseASCII.utf8.starts(with: "aws:".utf8) else {
                throw invalid(system)
            }
            guard tag.value.unicodeScalars.count <= valueCharactersMax, tag.value.unicodeScalars.allSatisfy(isOfTag)
            else { throw invalid("The TagValue you have provided is invalid") }
            guard keys.add(tag.key) else { throw invalid("Cannot provide multiple Tags with the same key") }
        }
        return tags.sorted { ByteText($0.key) < ByteText($1.key) }
    }

    private static func invalid(_ message: String) -> FileError { FileError(400, "InvalidTag", message) }

    /// Letters, digits and blanks of all languages, and some signs.
    private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "+", "-", "=", ".", "_", ":", "/", "@": return true
        case "\0"..<" ": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .spaceSeparator:
            return true
        default: return false
        }
    }

    /// The text behind escapes, where a plus is a blank.
    private static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        PercentCoding.decodedForm(bytes).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
