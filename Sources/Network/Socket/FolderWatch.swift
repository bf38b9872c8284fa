import CSystem
import Glibc

/// Follows folders, and tells that something in them has changed once it has been quiet for a moment: editors write in several
/// steps, and tools several files.
///
/// It belongs to its loop's thread.
package final class FolderWatch: LoopBound, @unchecked Sendable {
    /// The most folders that one follows.
    package static let foldersMax = 1_000
    private static let quietMilliseconds = 10
    /// Where it never gets quiet, it is told after this long.
    private static let waitMilliseconds = 500

    package let loop: EventLoop
    private let raw: Int32
    private var watch: DescriptorWatch?
    private var whenChanged: (() -> Void)?
    private var timer: TimerToken?
    private var firstChange: MonotonicTime?
    private var folders: Set<String> = []

    /// Fails where the system cannot tell.
    package init(on loop: EventLoop, whenChanged: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.whenChanged = whenChanged
        raw = homeport_watch()
        guard raw >= 0 else { throw SystemError(call: "inotify_init") }
        watch = try DescriptorWatch(FileDescriptor(owning: raw), on: loop) { [unowned self] in changed() }
    }

    /// Has more folders followed. One that is followed already, or cannot be, changes nothing. False where they are too many.
    package func follow(_ paths: some Sequence<String>) -> Bool {
        checkLoop()
        guard watch != nil else { return true }
        for path in paths where !folders.contains(path) {
            guard folders.count < Self.foldersMax else { return false }
            if homeport_watch_folder(raw, path) == 0 { folders.insert(path) }
        }
        return true
    }

    /// Tells nothing more.
    package func stop() {
        checkLoop()
        watch?.stop()
        watch = nil
        whenChanged = nil
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func changed() {
        // Which file it was is looked up in the folders: what is told may be too much to be kept.
        guard watch?.read({ _ in }) == true else { return stop() }
        let now = loop.now
        let first = firstChange ?? now
        firstChange = first
        if let timer { loop.cancel(timer) }
        let end = min(
            now.advanced(byMilliseconds: Self.quietMilliseconds), first.advanced(byMilliseconds: Self.waitMilliseconds))
        timer = loop.schedule(at: end) { [weak self] in
            self?.timer = nil
            self?.firstChange = nil
            self?.whenChanged?()
        }
    }
}
