import Synchronization

/// A place among those who follow something. Whoever has it gives it back once: when the stream is over, or with the answer, where
/// that was never written.
final class StreamSeat: Sendable {
    private let leave: Mutex<(@Sendable () -> Void)?>

    init(leave: @escaping @Sendable () -> Void) { self.leave = Mutex(leave) }

    func end() {
        let leave = leave.withLock { leave in
            defer { leave = nil }
            return leave
        }
        leave?()
    }

    deinit { end() }
}
