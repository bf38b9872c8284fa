import Store

/// What a call may still do on the thread that it runs on, in steps: bytes that are looked at, and values that are made of them. Whoever
/// compares, searches, or reads an item asks it, so the same call stops at the same place on every machine.
///
///     on a loop      one for all calls of a turn. What finds it used up is begun anew beside the loop
///     beside a loop  looks at the deadline of its connection again and again
///     in the writer  one for a transaction. What is used up there is decided beside the writer, see `ItemService+Deciding`
///
/// A step is about five nanoseconds.
package final class CallBudget {
    /// Until somebody has to be asked for more.
    private var left: Int
    /// More steps, asked when the others are used up; nil: the call ends there.
    private let more: (() -> Int?)?
    /// Whether it is used up. What is asked for after that is refused too.
    private(set) var isSpent = false

    init(_ steps: Int, more: (() -> Int?)? = nil) {
        left = steps
        self.more = more
    }

    /// One that is never used up.
    package static var unbounded: CallBudget { CallBudget(.max) }

    /// What a read may do beside the loops: as much as it has time for.
    static func untilDeadline(of reader: Reader) -> CallBudget {
        CallBudget(TableLimits.stepsPerLook) { reader.isOver ? nil : TableLimits.stepsPerLook }
    }

    /// Gives the calls of the next turn all that one may do.
    func beginTurn() { (left, isSpent) = (TableLimits.turnSteps, false) }

    /// Whether nobody gives more.
    var endsWithoutMore: Bool { more == nil }

    /// How many values may still be made of bytes.
    var valuesMax: Int { isSpent ? 0 : max(0, left / Self.valueSteps) }

    /// Counts some steps; false when they are not there.
    func allows(_ steps: Int) -> Bool {
        guard !isSpent else { return false }
        left = left.subtractingReportingOverflow(max(0, steps)).partialValue
        while left < 0 {
            guard let more = more?() else {
                isSpent = true
                return false
            }
            left += more
        }
        return true
    }

    func spend(_ steps: Int) throws(ItemFailure) {
        guard allows(steps) else { throw Self.isOver }
    }

    static let isOver = ItemFailure.store(StoreError(.interrupted, "a call has used up what it may do"))

    // MARK: What things cost

    /// A part of a condition, or a name that is looked for.
    static let partSteps = 8
    /// A value that is made of bytes.
    static let valueSteps = 8
    /// So many bytes are compared or copied in a step.
    static let bytesPerStep = 16

    /// Bytes that are compared with others, or copied.
    static func steps(comparing bytes: Int) -> Int { 1 + bytes / bytesPerStep }

    /// Bytes of an answer.
    static func steps(writing bytes: Int) -> Int { 1 + bytes / 8 }

    /// Bytes within which others are looked for.
    static func steps(searching bytes: Int, for part: Int) -> Int { 1 + bytes + part }

    /// A value among so many in their order, each of which has up to so many bytes.
    static func steps(halving count: Int, bytes: Int) -> Int {
        (Int.bitWidth - count.leadingZeroBitCount) * (1 + steps(comparing: bytes))
    }
}
