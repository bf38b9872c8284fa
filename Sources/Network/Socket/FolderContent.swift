import Glibc

/// The content of folders.
package enum FolderContent {
    /// The names in a folder, in no order, without `.` and `..`; none where it cannot be read.
    ///
    /// - Parameter max: how many names are read at the most.
    package static func names(in folder: String, max: Int = .max) -> [String] {
        readableNames(in: folder, max: max) ?? []
    }

    /// The same; nil where the folder cannot be read, and `errno` says why.
    package static func readableNames(in folder: String, max: Int = .max) -> [String]? {
        guard let entries = opendir(folder) else { return nil }
        defer { closedir(entries) }
        var names: [String] = []
        while names.count < max, let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a folder with all that is in it.
    package static func remove(_ folder: String) {
        for name in names(in: folder) {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0, errno == EISDIR || errno == EPERM { remove(path) }
        }
        rmdir(folder)
    }
}
