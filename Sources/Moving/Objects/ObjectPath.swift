import Crypto
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

    /// The identity whose folder a key is in: `private/ID/…`, `protected/ID/…`, or any path of a rule with `{entity_id}`.
    package static func identity(of key: String) -> String? {
        key.parts(separatedBy: "/").dropLast().first { part in
            guard let colon = part.utf8.firstIndex(of: UInt8(ascii: ":")), colon != part.startIndex else {
                return false
            }
            return UUIDText.isOne(part[part.utf8.index(after: colon)...])
        }
    }
}
