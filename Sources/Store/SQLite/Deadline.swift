import CSQLite
import JSON

/// When what a connection runs has to end. Its connection keeps it.
final class Deadline {
    /// In milliseconds of the monotonic clock. A statement that runs by then ends with `.interrupted`, and so do those that
    /// follow until the deadline is another one.
    var milliseconds = Int64.max {
        didSet { if milliseconds != .max { hasInterrupted = false } }
    }

    /// Whether it has ended a statement since it was set, also when it was lifted afterwards.
    private(set) var hasInterrupted = false

    /// Has SQLite ask every few thousand steps whether it is over.
    func watch(_ connection: OpaquePointer) {
        sqlite3_progress_handler(
            connection, StoreLimits.progressSteps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().interrupts() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func interrupts() -> Bool {
        guard milliseconds != .max, Timestamp.monotonicMilliseconds >= milliseconds else { return false }
        hasInterrupted = true
        return true
    }
}
