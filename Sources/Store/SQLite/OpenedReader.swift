import Threads

/// The connection that a file was opened with, for the first loop that reads.
///
/// Unchecked: the connection is read and taken with the lock held, and belongs to whoever has taken it.
final class OpenedReader: @unchecked Sendable {
    private let lock = ThreadLock()
    private var reader: Reader?

    init(_ reader: consuming Reader?) { self.reader = reader }

    /// Hands it over; nil when it was taken before, or there is none.
    func take() -> Reader? { lock.withLock { reader.take() } }
}
