import Glibc
import Synchronization

/// Reads and atomically makes or replaces files that fit in memory: certificates, keys, configurations, schemas.
package enum SmallFile {
    /// The error for something that is neither a file nor a folder: a pipe or a device, which may never end.
    package static let notAFile = ENOTSUP

    /// A file beyond the limit fails with `EFBIG`, and what is no file with `notAFile`, or `EISDIR`.
    ///
    /// - Parameter acceptsPipes: reads a pipe too, such as a shell makes for the output of a command, and waits for it.
    package static func read(
        _ path: String, bytesMax: Int, acceptsPipes: Bool = false
    ) throws(SystemError) -> [UInt8] {
        // Without waiting: a pipe that nobody writes to would not even be opened.
        let raw = open(path, O_RDONLY | O_CLOEXEC | (acceptsPipes ? 0 : O_NONBLOCK))
        guard raw >= 0 else { throw SystemError(call: "open", subject: path) }
        let descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw SystemError(call: "fstat", subject: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFIFO where acceptsPipes: break
        case S_IFDIR: throw SystemError(call: "read", code: EISDIR, subject: path)
        default: throw SystemError(call: "read", code: notAFile, subject: path)
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor.raw, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "read", subject: path)
            }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > bytesMax { throw SystemError(call: "read", code: EFBIG, subject: path) }
        }
    }

    /// Replaces the file as a whole: a reader sees the old content or the new, also after a loss of power.
    ///
    /// The file has its mode from its first byte on, so that a key is never readable by others for a moment.
    package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        try place(bytes, at: path, mode: mode) { rename($0, path) == 0 ? nil : "rename" }
    }

    /// Makes the file as a whole. Where there is one, it stays: `EEXIST`.
    package static func create(_ path: String, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        // Unlike a renamed file, a link does not replace what another process has put there meanwhile.
        try place(bytes, at: path, mode: mode) { link($0, path) == 0 ? nil : "link" }
    }

    private static let places = Atomic(0)

    /// Writes a file beside the path and has it put there; the closure names the call that failed.
    private static func place(
        _ bytes: [UInt8], at path: String, mode: mode_t, by put: (_ temporary: String) -> String?
    ) throws(SystemError) {
        // A name of its own for each: several threads may write the same file, and none the other's half.
        let number = places.add(1, ordering: .relaxed).oldValue
        let temporary = "\(path).\(getpid()).\(number).new"
        unlink(temporary)
        defer { unlink(temporary) }
        try write(bytes, to: temporary, for: path, mode: mode)
        if let call = put(temporary) { throw SystemError(call: call, subject: path) }
        try flushDirectory(of: path)
    }

    private static func write(
        _ bytes: [UInt8], to temporary: String, for path: String, mode: mode_t
    ) throws(SystemError) {
        let raw = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard raw >= 0 else { throw SystemError(call: "create", subject: path) }
        let descriptor = FileDescriptor(owning: raw)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor.raw, $0.baseAddress, $0.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "write", subject: path)
            }
            written += count
        }
        // The mode again: the process's mask may have taken from it what was asked for.
        guard fchmod(descriptor.raw, mode) == 0 else { throw SystemError(call: "fchmod", subject: path) }
        guard fsync(descriptor.raw) == 0 else { throw SystemError(call: "fsync", subject: path) }
    }

    /// The new name itself is durable once its directory is.
    private static func flushDirectory(of path: String) throws(SystemError) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let raw = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError(call: "open", subject: directory) }
        let descriptor = FileDescriptor(owning: raw)
        guard fsync(descriptor.raw) == 0 else { throw SystemError(call: "fsync", subject: directory) }
    }
}
