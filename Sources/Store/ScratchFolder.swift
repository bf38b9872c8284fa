import Network

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder for what nobody keeps, removed with its files when it goes.
///
/// It is locked for as long as it is there. A process that was killed cannot remove its folders, so others do it when they remove their
/// own: a folder of such a name that nobody has locked belongs to nobody.
package final class ScratchFolder: Sendable {
    /// The folders that are made for one purpose.
    package struct Kind: Sendable {
        /// The start of their names.
        let name: String
        /// The files that may be in one.
        let files: [String]

        package init(name: String, files: [String]) { (self.name, self.files) = (name, files) }

        /// Folders of databases that are in memory. Nobody else names a folder so: its database is removed where it is not locked.
        static let database = Kind(
            name: "homeport-in-memory-", files: ["", "-wal", "-shm", LayerMap.suffix].map { "data.sqlite\($0)" })
    }

    /// How many folders of others are looked at.
    package static let othersMax = 100
    private static let mark = "XXXXXX"

    package let path: String
    private let kind: Kind
    private let parent: String
    private let lock: Int32

    /// Makes one in the first of some folders where that can be.
    package init(_ kind: Kind, in parents: [String]) throws(StoreError) {
        for parent in parents {
            guard let (path, lock) = Self.make(kind, in: parent) else { continue }
            (self.kind, self.parent, self.path, self.lock) = (kind, parent, path, lock)
            return
        }
        throw StoreError(.cannotOpen, "no temporary folder can be made in \(parents.joined(separator: ", "))")
    }

    /// Makes one for a database: in memory where the system has a file system for that.
    convenience init() throws(StoreError) {
        try self.init(.database, in: ["/dev/shm", Self.usual, "/tmp"])
    }

    /// The folder of the user, or the system, for what nobody keeps.
    package static var usual: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// The path of the database in it.
    var databasePath: String { "\(path)/data.sqlite" }

    /// Removes it now, for a process that ends at once.
    package func remove() {
        Self.remove(path, kind)
        Self.removeAbandoned(kind, in: parent)
    }

    deinit {
        remove()
        close(lock)
    }

    private static func make(_ kind: Kind, in parent: String) -> (path: String, lock: Int32)? {
        // Another process may have taken a new one for abandoned before it was locked.
        for _ in 0..<3 {
            var template = Array("\(parent)/\(kind.name)\(mark)".utf8CString)
            guard mkdtemp(&template) != nil else { return nil }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let lock = lock(path) { return (path, lock) }
        }
        return nil
    }

    /// The descriptor that locks a folder; nil: another one has locked it, or it is gone.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (there, locked) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &locked) == 0, lstat(path, &there) == 0,
            there.st_ino == locked.st_ino, there.st_dev == locked.st_dev, locked.st_uid == geteuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func remove(_ path: String, _ kind: Kind) {
        for file in kind.files { unlink("\(path)/\(file)") }
        rmdir(path)
    }

    /// Removes folders of processes that were killed.
    private static func removeAbandoned(_ kind: Kind, in parent: String) {
        let own = FolderContent.names(in: parent).lazy.filter { name in
            name.utf8.count == kind.name.utf8.count + mark.utf8.count && name.utf8.starts(with: kind.name.utf8)
        }
        for name in own.prefix(othersMax) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            remove(path, kind)
            close(lock)
        }
    }
}
