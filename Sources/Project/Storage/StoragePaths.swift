import Blueprint
import GraphQL

/// What is wrong with the paths of a place for files, in Amplify's words.
package enum StoragePaths {
    package struct Fault: Sendable, Equatable {
        package let path: String
        package let message: String
        package let hint: String
    }

    /// The faults, in the order of the paths; of each path the first.
    package static func faults(_ paths: [String]) -> [Fault] {
        paths.compactMap { fault($0, among: paths) }
    }

    private static let mark = StorageResource.identityMark

    private static func fault(_ path: String, among paths: [String]) -> Fault? {
        func fault(_ message: String, _ hint: String = "Update all paths to match the format requirements.") -> Fault {
            Fault(path: path, message: message, hint: hint)
        }
        let bytes = Array(path.utf8)
        guard bytes.first != UInt8(ascii: "/") else {
            return fault("Storage access paths must not start with \"/\". Found [\(path)].")
        }
        guard bytes.suffix(2).elementsEqual("/*".utf8) else {
            return fault("Storage access paths must end with \"/*\". Found [\(path)].")
        }
        guard !path.contains(bytesOf: "//") else { return fault("Path cannot contain \"//\". Found [\(path)].") }
        guard bytes.firstIndex(of: UInt8(ascii: "*")) == bytes.count - 1 else {
            return fault(
                "Wildcards are only allowed as the final part of a path. Found [\(path)].",
                "Remove all wildcards that are not the final part of the path.")
        }
        let parents = paths.filter { other in
            !other.utf8.elementsEqual(path.utf8) && bytes.starts(with: other.utf8.filter { $0 != UInt8(ascii: "*") })
        }
        let listed = parents.joined(separator: ", ")
        guard parents.count <= 1 else {
            return fault(
                "For any given path, only one other path can be a prefix of it. Found [\(path)] which has prefixes [\(listed)].",
                "Update the storage access paths such that any given path has at most one other path that is a prefix.")
        }
        let parts = path.parts(separatedBy: mark)
        guard parts.count > 1 else { return nil }
        guard parents.isEmpty else {
            return fault(
                "A path cannot be a prefix of another path that contains the \(mark) token. Found [\(path)] which has prefixes [\(listed)].",
                "Update the storage access paths such that any given path has at most one other path that is a prefix.")
        }
        guard parts.count == 2 else {
            return fault(
                "The \(mark) token can only appear once in a path. Found [\(path)]",
                "Remove all but one occurrence of the \(mark) token")
        }
        guard parts[1] == "/*" else {
            return fault(
                "The \(mark) token must be the path part right before the ending wildcard. Found [\(path)].",
                "Update the path such that the owner token is the last path part before the ending wildcard. For example: \"foo/bar/\(mark)/*."
            )
        }
        guard !parts[0].isEmpty else {
            return fault(
                "The \(mark) token must not be the first path part. Found [\(path)].",
                "Add an additional prefix to the path. For example: \"foo/\(mark)/*.")
        }
        guard parts[0].hasSuffix("/") else {
            return fault(
                "A path part that includes the \(mark) token cannot include any other characters. Found [\(path)].",
                "Remove all other characters from the path part with the \(mark) token. For example: \"foo/\(mark)/*\"")
        }
        return nil
    }
}
