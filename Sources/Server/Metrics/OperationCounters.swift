import Engine
import Synchronization

/// The counts of operations of one event loop: by operation and caller, by operation and error, and how long each took.
///
/// There are as many numbers as the schema has root fields, up to a limit: no request adds one.
///
/// Hot path: a number is added to as in `LoopMetrics`, found by its place alone.
///
/// Unchecked: the memory is atomics, allocated once and never moved.
final class OperationCounters: @unchecked Sendable {
    /// The upper bounds of the histograms, in microseconds: fewer than those of routes, since there is one for each field.
    static let durationBounds: [UInt64] = [1_000, 5_000, 25_000, 100_000, 500_000, 2_500_000, 10_000_000]

    private static let callers = CallerKind.allCases.count
    private static let buckets = durationBounds.count + 1
    /// Operations by caller, errors by name, durations by bucket, and their sum.
    private static let slotsPerOperation = callers + ErrorName.all.count + buckets + 1

    private let operations: Int
    private let count: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt64>>

    init(operations: Int) {
        self.operations = max(1, operations)
        count = self.operations * Self.slotsPerOperation
        slots = .allocate(capacity: count)
        for slot in 0..<count { (slots + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    /// An operation was answered. Each kind of error counts once.
    func ended(_ summary: OperationSummary, nanoseconds: UInt64) {
        let base = base(of: summary.number)
        add(1, base + summary.caller.rawValue)
        var errors = summary.errorNames
        while errors != 0 {
            let error = errors.trailingZeroBitCount
            if error < ErrorName.all.count { add(1, base + Self.callers + error) }
            errors &= errors - 1
        }
        let microseconds = nanoseconds / 1_000
        var bucket = 0
        while bucket < Self.durationBounds.count, microseconds > Self.durationBounds[bucket] { bucket += 1 }
        let durations = base + Self.callers + ErrorName.all.count
        add(1, durations + bucket)
        add(nanoseconds, durations + Self.buckets)
    }

    /// Begins anew.
    func clear() {
        for slot in 0..<count { slots[slot].store(0, ordering: .relaxed) }
    }

    // MARK: Reading, on any thread

    /// Of an operation: answers by the places of `CallerKind`.
    func answers(of operation: Int) -> [UInt64] { values(base(of: operation), Self.callers) }

    /// Answers that had an error, by the places of `ErrorName.all`.
    func errors(of operation: Int) -> [UInt64] { values(base(of: operation) + Self.callers, ErrorName.all.count) }

    /// Durations by the places of `durationBounds`, the last for all longer ones.
    func durations(of operation: Int) -> [UInt64] {
        values(base(of: operation) + Self.callers + ErrorName.all.count, Self.buckets)
    }

    func nanoseconds(of operation: Int) -> UInt64 {
        slots[base(of: operation) + Self.slotsPerOperation - 1].load(ordering: .relaxed)
    }

    private func values(_ start: Int, _ count: Int) -> [UInt64] {
        (start..<start + count).map { slots[$0].load(ordering: .relaxed) }
    }

    private func base(of operation: Int) -> Int {
        (0..<operations).contains(operation) ? operation * Self.slotsPerOperation : 0
    }

    @inline(__always)
    private func add(_ amount: UInt64, _ slot: Int) {
        let value = slots[slot].load(ordering: .relaxed)
        slots[slot].store(value &+ amount, ordering: .relaxed)
    }
}
