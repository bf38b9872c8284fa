import JSON

/// The path of an object's file below a folder. Keys of S3 may be anything; what would leave the folder, or name no file, has no path.
package enum ObjectPath {
    private static let partBytesMax = 255

    /// Nil for a key that no file can have.
    package static func path(of key: String) -> String? {
        let parts = key.parts(separatedBy: "/")
        let isPath = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.count <= partBytesMax && !part.utf8.contains(0)
        }
        return isPath ? key : nil
    }

    /// The identity that a key belongs to: `private/ID/…` and `protected/ID/…`.
    package static func identity(of key: String) -> String? {
        let parts = key.parts(separatedBy: "/")
        guard parts.count > 2, parts[0] == "private" || parts[0] == "protected",
            parts[1].utf8.contains(UInt8(ascii: ":"))
        else { return nil }
        return parts[1]
    }
}
