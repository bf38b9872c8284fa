import Glibc
import Synchronization

/// A folder for the files of a test, gone with its owner and all that is in it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A folder that lives as long as the tests run.
    package static func ofProcess() -> TemporaryFolder {
        let folder = TemporaryFolder()
        kept.withLock { $0.append(folder) }
        atexit { TemporaryFolder.kept.withLock { $0 }.forEach { TemporaryFolder.remove($0.path) } }
        return folder
    }

    private static let kept = Mutex<[TemporaryFolder]>([])

    package init() {
        var template = Array("/tmp/homeport-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        precondition(!path.isEmpty, "no temporary folder")
    }

    deinit { Self.remove(path) }

    /// The path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and the folders that it lies in, and says where.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
        let path = file(name)
        guard let stream = fopen(path, "w") else { throw Failure(description: "cannot write \(path): errno \(errno)") }
        defer { fclose(stream) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
            throw Failure(description: "cannot write all of \(path)")
        }
        return path
    }

    /// What a file holds; nothing when there is none.
    package func read(_ name: String) -> String {
        guard let stream = fopen(file(name), "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until there is a file of this name.
    package func wait(for name: String, line: Int = #line, of caller: StaticString = #fileID) throws {
        try eventually("there is the file \(name)", changing: path, file: caller, line: line) {
            access(file(name), F_OK) == 0
        }
    }

    /// The permissions of a file; 0 when there is none.
    package func mode(of name: String) -> mode_t {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// The names of all that is in it.
    package var names: [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    private static func remove(_ path: String) {
        for child in names(in: path).map({ "\(path)/\($0)" }) where unlink(child) != 0 { remove(child) }
        rmdir(path)
    }
}
