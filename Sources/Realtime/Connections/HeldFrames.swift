import Network

/// Frames of one connection that tests have delayed, and those that came behind them: they go out in their order, each when its
/// time has come.
final class HeldFrames {
    private let loop: EventLoop
    private var frames: [(due: MonotonicTime, bytes: Int, send: () -> Void)] = []
    private(set) var bytes = 0
    private var timer: TimerToken?

    init(on loop: EventLoop) { self.loop = loop }

    var isEmpty: Bool { frames.isEmpty }

    func hold(_ bytes: Int, milliseconds: Int64, _ send: @escaping () -> Void) {
        let wanted = MonotonicTime.now.advanced(byMilliseconds: Int(clamping: milliseconds))
        frames.append((max(frames.last?.due ?? wanted, wanted), bytes, send))
        self.bytes += bytes
        if timer == nil { wait() }
    }

    func drop() {
        if let timer { loop.cancel(timer) }
        (timer, frames, bytes) = (nil, [], 0)
    }

    private func wait() {
        guard let first = frames.first else { return }
        timer = loop.schedule(at: first.due) { [weak self] in
            guard let self else { return }
            timer = nil
            let now = MonotonicTime.now
            while let next = frames.first, next.due <= now {
                frames.removeFirst()
                bytes -= next.bytes
                next.send()
            }
            wait()
        }
    }
}
