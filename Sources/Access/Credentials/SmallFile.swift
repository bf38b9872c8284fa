import Glibc

/// Files that are read or written whole, such as keys.
enum SmallFile {
    /// The bytes of a file; nil when it cannot be read or is too long.
    static func bytes(of path: String, bytesMax: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= bytesMax {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
        return nil
    }

    /// Writes a file that only its owner may read, all of it or nothing. An existing one stays: false then, too.
    static func create(_ path: String, _ bytes: [UInt8]) -> Bool {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        let isComplete = written == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        defer { unlink(draft) }
        // A link does not replace what another process has put there meanwhile.
        return isComplete && link(draft, path) == 0
    }
}
