import Glibc

/// The changes of a file, or of what lies in a folder, as the system reports them.
final class FileChanges {
    /// A report may be about what was seen already, and none may come where many were lost, so a look is due now and then.
    private static let longestMilliseconds: Int32 = 1_000

    private let descriptor: Int32

    /// None where the system cannot watch so many, or nothing has the name.
    init?(in path: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM)
        guard inotify_add_watch(descriptor, path, events) >= 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Waits for the next change, no longer than until then. Changes since the last wait count.
    func wait(until end: ContinuousClock.Instant) {
        let left = (end - ContinuousClock.now) / .milliseconds(1)
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let longest = Int32(max(1, min(left.rounded(.up), Double(Self.longestMilliseconds))))
        guard poll(&wanted, 1, longest) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
