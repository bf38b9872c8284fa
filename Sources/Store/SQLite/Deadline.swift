import CSQLite
import JSON

/// When what a connection runs has to end, and what the statement that runs may still do. Its connection keeps it.
///
/// SQLite asks it between the steps of its machine, and our own functions ask it within one: a single call may have a
/// whole value, or a whole automaton, to go through.
final class Deadline {
    /// In milliseconds of the monotonic clock. A statement that runs by then ends with `.interrupted`, and so do those that
    /// follow until the deadline is another one.
    var milliseconds = Int64.max {
        didSet { if milliseconds != .max { hasInterrupted = false } }
    }

    /// The read that runs, where whoever waits for it may give it up.
    var read: ReadAside?

    /// True if it has ended a statement since it was set, also when it was lifted afterwards.
    private(set) var hasInterrupted = false

    /// What all patterns of the statement may still cost together. Below zero, they have cost too much.
    private var patternStepsLeft = StoreLimits.patternStepsMax
    /// Tests lower it.
    var patternStepsMax = StoreLimits.patternStepsMax
    private var functionStepsUntilLook = StoreLimits.functionStepsPerLook

    /// Has SQLite ask every few hundred steps whether it is over.
    func watch(_ connection: OpaquePointer) {
        sqlite3_progress_handler(
            connection, StoreLimits.progressSteps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns whether the time is over. Whoever asks ends the statement then.
    func isOver() -> Bool {
        let isCancelled = read?.isCancelled ?? false
        guard isCancelled || milliseconds != .max && Timestamp.monotonicMilliseconds >= milliseconds else {
            return false
        }
        hasInterrupted = true
        return true
    }

    /// Notes that a statement was ended for its time by the server that ran it, whose clock may be a moment ahead.
    func noteInterruption() { hasInterrupted = true }

    // MARK: Functions

    /// Counts what a function of ours has done; false when its statement has to end.
    func allows(_ steps: Int) -> Bool {
        functionStepsUntilLook -= steps
        guard functionStepsUntilLook <= 0 else { return true }
        functionStepsUntilLook = StoreLimits.functionStepsPerLook
        return !isOver()
    }

    /// The same for what a pattern has done.
    func allowsPattern(_ steps: Int) -> Bool {
        patternStepsLeft -= steps
        return patternStepsLeft >= 0 && allows(steps)
    }

    // MARK: Statements

    /// What a statement had left within whose rows another one runs.
    struct Outer {
        fileprivate let patternStepsLeft: Int
    }

    /// Gives a statement all that one may cost.
    func beginStatement() -> Outer {
        let outer = Outer(patternStepsLeft: patternStepsLeft)
        patternStepsLeft = patternStepsMax
        return outer
    }

    func endStatement(_ outer: Outer) { patternStepsLeft = outer.patternStepsLeft }

    /// Why the statement ended: what SQLite says, or that its patterns have cost too much.
    func reason(_ error: StoreError) -> StoreError {
        guard patternStepsLeft < 0 else { return error }
        return StoreError(
            .tooLarge,
            "its patterns take more than \(patternStepsMax) steps. Use fewer or simpler ones, or narrow the "
                + "filter by other conditions")
    }
}
