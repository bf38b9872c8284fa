import Network
import Synchronization

/// The events of all nodes in the order of their commits, as this process hands them to its subscribers.
///
///     the writer   those of others before its own commit, then its own ─┐
///                                                                       ├─▶ by their numbers, each once ─▶ listener
///     the ear      those that others have committed ────────────────────┘
///
/// Nothing waits here: whoever brings an event brings all before it that the line does not have yet. A number that is left out, or one
/// that goes back, means that events are missing, and the listener hears that in place of them.
package final class EventLine: Sendable {
    /// The receiver of the events. Called with the line's lock held, so that all get them in one order; must not wait.
    package struct Listener: Sendable {
        let deliver: @Sendable (_ contents: [[UInt8]]) -> Void
        let lose: @Sendable () -> Void

        /// - Parameters:
        ///   - deliver: gets the events of one commit.
        ///   - lose: is called where events may be missing before the next ones.
        package init(
            deliver: @escaping @Sendable (_ contents: [[UInt8]]) -> Void, lose: @escaping @Sendable () -> Void
        ) {
            (self.deliver, self.lose) = (deliver, lose)
        }
    }

    /// The last event that was handed out, or was there when this process joined.
    struct Position: Sendable {
        let number: Int64
        /// The mark of its row; nil where there was none.
        let mark: [UInt8]?
        var since = MonotonicTime.now
    }

    private struct State {
        /// Nil before this process has joined.
        var position: Position?
        var listener: Listener?
        /// True while the writer has events that get no number: those of others that come behind wait for them.
        var isHeld = false
    }

    private let state = Mutex(State())

    package func listen(_ listener: Listener) { state.withLock { $0.listener = listener } }

    /// The number of the last event that was handed out.
    var last: Int64? { position?.number }

    var position: Position? { state.withLock { $0.position } }

    /// Begins behind an event. Listeners from before have missed what lies between.
    func begin(behind position: Position) {
        state.withLock { state in
            if let before = state.position, before.number != position.number || before.mark != position.mark {
                state.listener?.lose()
            }
            state.position = position
        }
    }

    /// Says that events may be missing, and goes on behind one.
    func lose(behind position: Position?) {
        state.withLock { state in
            state.listener?.lose()
            if let position { state.position = position }
        }
    }

    /// Has those that come from other nodes wait until `release`.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() { state.withLock { $0.isHeld = false } }

    /// Takes events by their numbers. Returns false where they have to wait, and nothing was taken.
    ///
    /// - Parameter isOwn: whether they come from the writer, who holds the others up.
    @discardableResult
    func receive(_ rows: [EventRow], isOwn: Bool = false) -> Bool {
        state.withLock { state in
            guard let begin = state.position?.number, isOwn || !state.isHeld else { return false }
            var last = begin
            for row in rows where row.number > last {
                if row.number != last + 1 { state.listener?.lose() }
                state.listener?.deliver(row.contents)
                last = row.number
            }
            if let row = rows.last, row.number > begin {
                state.position = Position(number: row.number, mark: row.mark)
            }
            return true
        }
    }
}
