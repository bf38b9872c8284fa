import Glibc
import Synchronization

/// A directory for one test, removed with this object.
final class TestDirectory: Sendable {
    let path: String

    /// A directory that lives as long as the tests run.
    static func ofProcess() -> TestDirectory {
        let directory = TestDirectory()
        kept.withLock { $0.append(directory) }
        atexit { TestDirectory.kept.withLock { $0 }.forEach { TestDirectory.remove($0.path) } }
        return directory
    }

    private static let kept = Mutex<[TestDirectory]>([])

    init() {
        var template = Array("/tmp/homeport-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        precondition(!path.isEmpty, "no temporary directory")
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and says where.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o644) -> String {
        let path = file(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(descriptor >= 0, "cannot write \(path)")
        let bytes = Array(text.utf8)
        precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return path
    }

    func read(_ name: String) -> String {
        guard let stream = fopen(file(name), "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func mode(of name: String) -> mode_t {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// The names of all that is in it.
    var names: [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    static func remove(_ path: String) {
        for child in names(in: path).map({ "\(path)/\($0)" }) where unlink(child) != 0 { remove(child) }
        rmdir(path)
    }
}
