import JSON
import Synchronization

/// The time of changes, for the writer who stamps them and for syncs which ask for those after a moment.
///
///     a sync begins ──── startedAt ────┐
///     the writer         │ stamps ≥ startedAt of every change that the sync does not see
///
/// It never goes back, even where the system's clock does. As long as the writer has stamped changes that are not
/// committed, a sync begins at the first of those stamps: the next one then asks for them.
///
/// With several nodes, stamps come from the database's clock and the models' turn, and a sync asks there (`Reader.beginSync`).
package final class ChangeClock: Sendable {
    package let settings: SyncSettings
    /// When the database was served: moments of other times are no moments of its.
    package let served: ServedTimes
    private let state: Mutex<State>

    private struct State {
        /// The latest time that was given out.
        var last: Int64
        /// The first stamp of the group that the writer works on.
        var open: Int64?
        /// True if anybody has got a time from here.
        var isAsked = false
        /// True where other nodes stamp changes too: the time is that of the database then, as the turn says it.
        var isShared = false
        /// How many changes each log has taken since something was last removed from it.
        var appended: [ByteText: Int] = [:]

        mutating func advance(to now: Int64) -> Int64 {
            isAsked = true
            last = max(last, now)
            return last
        }
    }

    /// `last` is the latest stamp in the database.
    init(_ settings: SyncSettings, after last: Int64, served: ServedTimes = ServedTimes()) {
        self.settings = settings
        self.served = served
        state = Mutex(State(last: last))
    }

    /// When a sync begins whose records are read after this call.
    package func beginSync() -> Int64 {
        let now = settings.now()
        return state.withLock { state in
            let time = state.advance(to: now)
            return min(state.open ?? time, time)
        }
    }

    /// Has all changes of a group stamped with the time that its turn has brought (`advance`), from the next group on.
    func share() { state.withLock { $0.isShared = true } }

    /// The time of a change that the writer makes now.
    func stamp() -> Int64 {
        let now = settings.now()
        return state.withLock { state in
            let time = state.advance(to: state.isShared ? state.last : now)
            if state.open == nil { state.open = time }
            return time
        }
    }

    /// The time of a change of a group whose changes all have one, as they have it where it comes from their turn: one that is made
    /// before its turn has the same then.
    func stampOfGroup() -> Int64 { state.withLock { $0.open } ?? stamp() }

    /// Goes on behind a stamp of another process.
    func advance(to stamp: Int64) { state.withLock { $0.last = max($0.last, stamp) } }

    /// The latest time that was given out; nil where nobody has asked.
    var lastGiven: Int64? { state.withLock { $0.isAsked ? $0.last : nil } }

    /// Says that what was stamped is committed, or undone.
    func endGroup() { state.withLock { $0.open = nil } }

    /// Returns whether it is time to remove old changes: after some that were added.
    func isRemovalDue(in log: String) -> Bool {
        state.withLock { state in
            let count = state.appended[log, default: 0] + 1
            let isDue = count >= StoreLimits.changesPerRemoval
            state.appended[log] = isDue ? 0 : count
            return isDue
        }
    }
}
