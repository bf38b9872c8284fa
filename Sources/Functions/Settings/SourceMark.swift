import Glibc

/// The state of a file, by which a change is noticed.
struct SourceMark: Equatable {
    private let node: UInt64
    private let bytes: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil: there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        node = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
