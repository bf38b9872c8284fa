import Glibc

/// A copy of the file of a database that nobody has open. Waits for the disk: not on a loop.
enum DatabaseFileCopy {
    private static let chunkBytes = 1 << 20

    /// Returns whether all of it was copied.
    static func make(of source: String, at target: String) -> Bool {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return false }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { return false }
        defer { close(to) }
        return withUnsafeTemporaryAllocation(byteCount: chunkBytes, alignment: 16) { chunk in
            while true {
                let count = read(from, chunk.baseAddress, chunk.count)
                if count == 0 { return true }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    return false
                }
                guard isWritten(UnsafeRawBufferPointer(rebasing: chunk[..<count]), to: to) else { return false }
            }
        }
    }

    private static func isWritten(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
