#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder for a database that nobody keeps, removed with all that is in it when it goes.
final class TemporaryFolder: Sendable {
    let path: String

    /// Makes one in memory where the system has a file system for that.
    init() throws(StoreError) {
        let parents = ["/dev/shm", getenv("TMPDIR").map { String(cString: $0) }, "/tmp"].compactMap { $0 }
        for parent in parents {
            var template = Array("\(parent)/homeport-XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                return
            }
        }
        throw StoreError(.cannotOpen, "no temporary folder can be made in \(parents.joined(separator: ", "))")
    }

    /// The path of the database in it.
    var databasePath: String { "\(path)/data.sqlite" }

    deinit {
        for suffix in ["", "-wal", "-shm"] { unlink(databasePath + suffix) }
        rmdir(path)
    }
}
