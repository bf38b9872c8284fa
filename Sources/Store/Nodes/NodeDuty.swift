import JSON
import Network
import Synchronization

/// A duty that one node has at a time, such as the sending of what waits: a row for some seconds, by the database's clock.
///
///     free, or over ─▶ taken ─▶ renewed each 3 s ─┬─▶ not renewed for 8 s: given up, by this node's own clock
///                                                 ├─▶ another node has it: given up
///                                                 └─▶ this node ends: free at once, and others hear of it
///
/// The row is taken for 10 s from the moment that it was asked for, and no question to the database can hold up the end: whoever does the work asks
/// `isHeld`, or looks at the time. A duty only avoids double work: whatever must happen once is decided by the rows of that work.
package final class NodeDuty: Sendable {
    /// The times of a duty, in milliseconds.
    package struct Times: Sendable {
        let leaseMilliseconds: Int
        let renewalMilliseconds: Int
        /// How long before the end of its row a node gives the duty up.
        let marginMilliseconds: Int

        package init(
            leaseMilliseconds: Int = StoreLimits.dutyMilliseconds,
            renewalMilliseconds: Int = StoreLimits.dutyRenewalMilliseconds,
            marginMilliseconds: Int = StoreLimits.dutyMarginMilliseconds
        ) {
            self.leaseMilliseconds = leaseMilliseconds
            self.renewalMilliseconds = renewalMilliseconds
            self.marginMilliseconds = marginMilliseconds
        }
    }

    /// The database's answer to a node that wants the duty.
    enum Answer: Sendable {
        case taken
        /// Another node has it, for so many milliseconds.
        case another(endsIn: Int64)
    }

    private struct State {
        /// Until when this node has the duty, by its own clock.
        var heldUntil: MonotonicTime?
        var nextQuestion: MonotonicTime?
        var hasResigned = false
        var listener: (@Sendable () -> Void)?
    }

    package let name: String
    private let times: Times
    private let clock: @Sendable () -> MonotonicTime
    private let state = Mutex(State())

    /// - Parameter clock: this node's own time, which nobody sets.
    package init(
        _ name: String, _ times: Times = Times(), clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        (self.name, self.times, self.clock) = (name, times, clock)
    }

    /// Has something called whenever this node has got, renewed or lost the duty by an answer of the database. It must not block. The end
    /// that comes by the time is nobody's call: see `heldUntil`.
    package func listen(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.listener = body } }

    /// True if this node has the duty now.
    package var isHeld: Bool { heldUntil != nil }

    /// Until when this node has the duty, if it is not renewed; nil: it has not.
    package var heldUntil: MonotonicTime? {
        let now = clock()
        return state.withLock { state in state.heldUntil.flatMap { now < $0 ? $0 : nil } }
    }

    /// Gives the duty up, and never takes it again: this node ends.
    package func resign() {
        state.withLock { state in
            state.heldUntil = nil
            state.hasResigned = true
        }
    }

    // MARK: By the ear

    var leaseMilliseconds: Int { times.leaseMilliseconds }

    /// Now, where the database is to be asked; nil: not yet, or never more.
    var isDue: MonotonicTime? {
        let now = clock()
        return state.withLock { state in
            guard !state.hasResigned, state.nextQuestion.map({ $0 <= now }) ?? true else { return nil }
            return now
        }
    }

    /// Has the database asked at the next look: the duty may be free.
    func askSoon() { state.withLock { $0.nextQuestion = nil } }

    /// Takes an answer to what was asked at a moment. Where none comes, the question is due again.
    func note(_ answer: Answer, asked: MonotonicTime) {
        let now = clock()
        let listener = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.hasResigned else { return nil }
            switch answer {
            case .taken:
                state.heldUntil = asked.advanced(byMilliseconds: times.leaseMilliseconds - times.marginMilliseconds)
                state.nextQuestion = asked.advanced(byMilliseconds: times.renewalMilliseconds)
            case .another(let left):
                state.heldUntil = nil
                let pause = max(0, min(left, Int64(times.renewalMilliseconds)))
                state.nextQuestion = now.advanced(byMilliseconds: Int(pause))
            }
            return state.listener
        }
        listener?()
    }
}
