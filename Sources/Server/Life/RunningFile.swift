import Glibc
import JSON
import Network
import Synchronization

/// The file with which a running server describes itself in its data folder, for `homeport status`.
///
///     running.lock     locked by the server; the system unlocks it whatever the end
///     running.json     what the banner has, the process and the start
final class RunningFile: Sendable {
    private static let name = "running.json"
    private static let lockName = "running.lock"
    private static let bytesMax = 4 << 20
    private static let mode: mode_t = 0o600

    private let folder: String
    private let lock: FileDescriptor

    /// Nil: another server of this folder runs, or it cannot be written.
    ///
    /// - Parameter folder: the data folder.
    init?(in folder: String) {
        self.folder = folder
        guard (try? DataFolder.make(folder)) != nil else { return nil }
        let descriptor = open("\(folder)/\(Self.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, Self.mode)
        guard descriptor >= 0 else { return nil }
        let lock = FileDescriptor(owning: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        self.lock = lock
    }

    /// Says what runs. That it cannot be written stops nothing.
    func write(_ banner: Banner, startedMilliseconds: Int64) {
        let lines = banner.lines.map { line in
            JSONValue.object(
                JSONObject([("name", .string(line.name)), ("key", .string(line.key)), ("text", .string(line.text))]))
        }
        let value: JSONValue = [
            "version": .string(Version.number), "process": .integer(Int64(getpid())),
            "startedMilliseconds": .integer(startedMilliseconds), "lines": .array(lines),
        ]
        replace(with: JSONWriter.bytes(of: value))
    }

    /// Without waiting for the disk: after a loss of power nobody runs.
    private func replace(with bytes: [UInt8]) {
        let (path, temporary) = ("\(folder)/\(Self.name)", "\(folder)/\(Self.name).new")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, Self.mode)
        guard descriptor >= 0 else { return }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard count == bytes.count, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
    }

    /// Takes it away at the end.
    func remove() { unlink("\(folder)/\(Self.name)") }

    /// The description of the server of a data folder; nil: none runs.
    static func read(in folder: String) -> JSONValue? {
        let descriptor = open("\(folder)/\(lockName)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK,
            let bytes = try? SmallFile.read("\(folder)/\(name)", bytesMax: bytesMax)
        else { return nil }
        return try? JSONReader.value(of: bytes)
    }
}
