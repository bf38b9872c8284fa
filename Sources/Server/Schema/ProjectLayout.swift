import Glibc

/// The folders of an Amplify project.
enum ProjectLayout {
    private static let apis = ["amplify", "backend", "api"]

    /// Returns whether a schema lies where a Gen 1 project keeps it: in `amplify/backend/api/NAME`, or in the folder `schema` there.
    static func isGen1(_ folder: String) -> Bool {
        var parts = absolute(folder).split(separator: "/").map(String.init)
        if endsInAPI(parts) { return true }
        guard parts.popLast() == "schema" else { return false }
        return endsInAPI(parts)
    }

    /// A path without steps down and up again, for people.
    static func shortened(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            if part == "..", let last = parts.last, !["", ".", ".."].contains(last) {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    private static func endsInAPI(_ parts: [String]) -> Bool {
        parts.dropLast().suffix(apis.count).elementsEqual(apis)
    }

    private static func absolute(_ folder: String) -> String {
        guard let path = realpath(folder, nil) else { return folder }
        defer { free(path) }
        return String(cString: path)
    }
}
