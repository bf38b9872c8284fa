import Glibc

/// The status of the file at a path, links followed.
package enum FileStatus {
    package static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    /// The size of a file in bytes; 0 where there is none.
    package static func bytes(of path: String) -> Int64 { status(of: path).map { Int64($0.st_size) } ?? 0 }

    /// Nil where there is nothing that can be looked at.
    package static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func kind(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & S_IFMT } }
}
