import Glibc

/// Reads and atomically replaces files that fit in memory: certificates, keys, configurations, schemas.
package enum SmallFile {
    /// A file beyond the limit fails with `EFBIG`.
    package static func read(_ path: String, bytesMax: Int) throws(SystemError) -> [UInt8] {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError(call: "open", subject: path) }
        let descriptor = FileDescriptor(owning: raw)
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
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        do throws(SystemError) {
            try create(temporary, with: bytes, mode: mode)
            guard rename(temporary, path) == 0 else { throw SystemError(call: "rename", subject: path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try flushDirectory(of: path)
    }

    private static func create(_ path: String, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard raw >= 0 else { throw SystemError(call: "create", subject: path) }
        let descriptor = FileDescriptor(owning: raw)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor.raw, $0.baseAddress, $0.count) }
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
