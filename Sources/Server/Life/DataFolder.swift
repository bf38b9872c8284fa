import Glibc
import Network

/// The folder that the server keeps its data in.
enum DataFolder {
    /// Only its owner may look into it: it holds what people have entrusted to the app.
    private static let mode: mode_t = 0o700

    /// Makes the folder that a database file lies in.
    static func make(for database: String) throws(SystemError) {
        guard let slash = database.lastIndex(of: "/"), slash > database.startIndex else { return }
        try make(String(database[..<slash]))
    }

    /// The usual name of such a folder: what is called so holds nothing else.
    private static let usualName = ".homeport"

    /// Makes the folder, and those above it, when it is not there. It is kept out of version control.
    static func make(_ path: String) throws(SystemError) {
        guard access(path, F_OK) != 0 else {
            if path.split(separator: "/").last.map({ $0 == usualName }) == true { keepOutOfVersions(path) }
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        var folder = path.hasPrefix("/") ? "/" : ""
        for (index, part) in parts.enumerated() {
            folder += index == 0 ? String(part) : "/" + part
            guard mkdir(folder, index == parts.count - 1 ? mode : 0o777) == 0 || errno == EEXIST else {
                throw SystemError(call: "mkdir", subject: folder)
            }
        }
        keepOutOfVersions(path)
    }

    /// Writes the file by which version control leaves a folder out, where there is none.
    private static func keepOutOfVersions(_ path: String) {
        let ignored = open(path + "/.gitignore", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard ignored >= 0 else { return }
        let text = Array("*\n".utf8)
        _ = write(ignored, text, text.count)
        Glibc.close(ignored)
    }

    /// The path of a folder from the root, the same however it is written and whether or not it is there: links above it are followed, as
    /// far as there is something.
    static func absolute(_ path: String) -> String {
        var missing: [Substring] = []
        var skipped = 0
        var known = path.isEmpty ? "." : path
        while true {
            if let found = realpath(known, nil) {
                defer { free(found) }
                let start = String(cString: found)
                guard !missing.isEmpty else { return start }
                return missing.reduce(start == "/" ? "" : start) { "\($0)/\($1)" }
            }
            let parts = known.split(separator: "/", omittingEmptySubsequences: true)
            // The folder that this process runs in was removed: there is nothing above it to look for.
            guard known != ".", let last = parts.last else { return path }
            if last == ".." {
                skipped += 1
            } else if last != "." {
                if skipped == 0 { missing.insert(last, at: 0) } else { skipped -= 1 }
            }
            let parent = parts.dropLast().joined(separator: "/")
            known = known.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
        }
    }
}
