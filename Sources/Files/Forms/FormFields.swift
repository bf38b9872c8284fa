import Access
import JSON

/// The fields of a form that uploads a file, and what it says of the file.
package struct FormFields: Sendable {
    package struct Field: Sendable, Equatable {
        /// The name in lower case: S3 takes names in any case.
        package let name: String
        package let value: String
    }

    /// The fields before the file, in their order, no name twice. What stands for the file's name has been put in.
    package let all: [Field]
    /// What the file is called where it comes from, without folders.
    package let fileName: String
    /// What the file's own part says that it is; nil where it says nothing.
    package let fileType: String?

    private static let placeholder = "${filename}"
    /// Those that are what was signed, to the letter.
    private static let verbatim: Set<ByteText> = [
        "policy", "x-amz-signature", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-security-token",
        "awsaccesskeyid", "signature",
    ]

    /// - Parameter said: what the file is called; nil: nothing, and what stands for its name stays.
    init(_ fields: [Field], fileName said: String?, fileType: String?) {
        let fileName = said ?? ""
        // Some browsers send the whole path.
        let slash = fileName.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        let name = slash.map { String(fileName[fileName.utf8.index(after: $0)...]) } ?? fileName
        self.fileName = name
        self.fileType = fileType
        all = fields.map { field in
            said == nil || Self.verbatim.contains(field.name)
                ? field
                : Field(
                    name: field.name,
                    value: field.value.parts(separatedBy: Self.placeholder).joined(separator: name))
        }
    }

    /// The value of a field, by its name in lower case.
    package subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }
}
