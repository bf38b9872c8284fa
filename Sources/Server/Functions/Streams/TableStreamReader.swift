import Access
import Functions
import Items
import JSON
import Network
import Store

/// Tells one function of the changes of one table, in their order, and again of those that it did not take.
///
///     mutation ─┬─ one transaction: record, change ─▶ table ──▶ part ──▶ function
///               └─ wake                                 ▲         │
///                                                       └ position, later ┘
///
/// A part that fails is told again in halves, down to the one change that the function cannot take. That is tried a few times,
/// told to the log and left behind, so that it does not hold up all that come after it. Where nobody answers nothing is left
/// behind, but for what is older than a day.
final class TableStreamReader: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private let source: TableSource
    private let place: TableStreamPlace
    private var queue: ToldChanges
    private let outside: any OutsideService
    private let clock: any MailClock
    private let rounds: WorkRounds
    private let report: @Sendable (String) -> Void
    /// Until when nothing is done: a function is to be tried again then.
    private var pausedUntil = Int64.min
    /// How many changes are told of together by now.
    private var most: Int
    /// How often in a row nobody answered.
    private var misses: Int64 = 0

    /// - Parameter report: is told in a line for the log what has failed.
    convenience init(
        of table: TableLayout, _ source: TableSource, at place: TableStreamPlace, over store: Store,
        by outside: any OutsideService, on loop: EventLoop, clock: any MailClock = SystemMailClock(),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.init(
            of: .model(
                TableStreamQueue(store, of: table, for: place.function), table: table, typeName: source.model,
                region: place.region), source, at: place, by: outside, on: loop, clock: clock, report: report)
    }

    init(
        of queue: ToldChanges, _ source: TableSource, at place: TableStreamPlace,
        by outside: any OutsideService, on loop: EventLoop, clock: any MailClock = SystemMailClock(),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.place = place
        self.queue = queue
        self.outside = outside
        self.loop = loop
        self.clock = clock
        self.report = report
        most = source.batch
        rounds = WorkRounds(on: loop, clock: clock)
    }

    /// Begins, with what waits from before.
    func start() {
        rounds.start { [self] in WorkRounds.Rest(until: await round(), atMost: RuntimeLimits.streamLookMilliseconds) }
    }

    /// Goes on with a table that has been changed.
    func adopt(_ layout: DatabaseLayout) {
        checkLoop()
        queue.adopt(layout)
    }

    /// Returns whether it tells that function of that table, as it is set.
    func isFor(_ source: TableSource, _ place: TableStreamPlace) -> Bool {
        self.source == source && self.place == place
    }

    /// Says that there may be something new.
    func wake() { rounds.wake() }

    /// Begins anew where another time or other data hold from now on: nothing is waited for that was.
    func beginAnew() {
        checkLoop()
        pausedUntil = .min
        most = source.batch
        misses = 0
        rounds.wake()
    }

    /// Ends the telling, and waits for that. What is on its way is told again by the next start.
    func stop() async {
        await rounds.stop()
    }

    // MARK: Rounds

    /// Tells of what comes next, and answers when there is more; nil: not before somebody says so.
    private func round() async -> Int64? {
        guard clock.milliseconds >= pausedUntil else { return pausedUntil }
        do {
            let part = try await queue.next(max: most, bytesMax: RuntimeLimits.streamBytesMax)
            guard part.due <= clock.milliseconds else { return pause(until: part.due) }
            guard let last = part.changes.last else { return nil }
            let wanted = await ToldChange.wanted(part.changes, by: source.filters)
            guard !wanted.isEmpty else {
                try await advance(to: last.number, in: part)
                return clock.milliseconds
            }
            switch await tell(wanted) {
            case .cancelled: return nil
            case .taken:
                try await advance(to: last.number, in: part)
                most = min(source.batch, 2 * most)
                return clock.milliseconds
            case .takenUpTo(let number, let problem):
                try await advance(to: number, in: part)
                return try await fail(wanted.filter { $0.number > number }, of: part, tries: 0, problem)
            case .failed(let problem): return try await fail(wanted, of: part, tries: part.tries, problem)
            case .unreachable(let problem): return try await miss(part, problem)
            }
        } catch {
            if !rounds.isStopping { report("the changes of \(source.model) cannot be read or settled: \(error)") }
            return pause(until: clock.milliseconds + RuntimeLimits.streamPauseMilliseconds)
        }
    }

    private func pause(until time: Int64) -> Int64 {
        pausedUntil = time
        return time
    }

    private func advance(to number: Int64, in part: ToldChanges.Part) async throws {
        misses = 0
        try await queue.advance(to: number, in: part)
    }

    /// The function has failed with these.
    private func fail(
        _ changes: [ToldChange], of part: ToldChanges.Part, tries: Int64, _ problem: String
    ) async throws -> Int64 {
        misses = 0
        guard let first = changes.first else { return clock.milliseconds }
        guard source.halves else { return try await failWhole(changes, of: part, tries: tries, problem) }
        guard changes.count == 1 else {
            if most >= source.batch {
                report("\(changes.count) changes of \(source.model) are told again, in smaller parts: \(problem)")
            }
            most = changes.count / 2
            return pause(until: clock.milliseconds + RuntimeLimits.streamFirstDelayMilliseconds)
        }
        most = 1
        let tries = tries + 1
        guard mayTry(after: tries, first) else {
            try await giveUp(first, in: part, problem)
            return clock.milliseconds
        }
        let time = clock.milliseconds + Self.backOff.delay(after: tries - 1)
        try await queue.delay(part, until: time, tries: tries)
        return pause(until: time)
    }

    /// The function has failed with these, which it wants told together: again all of them, and given up so.
    private func failWhole(
        _ changes: [ToldChange], of part: ToldChanges.Part, tries: Int64, _ problem: String
    ) async throws -> Int64 {
        guard let first = changes.first, let last = part.changes.last else { return clock.milliseconds }
        let tries = tries + 1
        guard mayTry(after: tries, first) else {
            most = source.batch
            report("\(changes.count) changes of \(source.model) are given up: \(problem)")
            try await advance(to: last.number, in: part)
            return clock.milliseconds
        }
        // The same ones: what has come meanwhile is not tried as often.
        most = max(1, part.changes.count { $0.number >= first.number })
        let time = clock.milliseconds + Self.backOff.delay(after: tries - 1)
        try await queue.delay(part, until: time, tries: tries)
        return pause(until: time)
    }

    /// Returns whether it is told again of what it has failed with so often.
    private func mayTry(after tries: Int64, _ first: ToldChange) -> Bool {
        guard let retries = source.retries else { return tries < RuntimeLimits.streamTriesMax }
        guard retries < 0 else { return tries <= Int64(retries) }
        return clock.milliseconds - first.time <= RuntimeLimits.streamKeptMilliseconds
    }

    private func giveUp(
        _ change: ToldChange, in part: ToldChanges.Part, _ problem: String
    ) async throws {
        report("\(change.name) \(change.sequenceNumber) of \(source.model) is given up: \(problem)")
        try await advance(to: change.number, in: part)
    }

    /// Nobody has answered.
    private func miss(_ part: ToldChanges.Part, _ problem: String) async throws -> Int64 {
        let now = clock.milliseconds
        let old = part.changes.prefix { now - $0.time > RuntimeLimits.streamKeptMilliseconds }
        if let last = old.last {
            report("\(old.count) changes of \(source.model) are given up, they are too old: \(problem)")
            try await queue.advance(to: last.number, in: part)
        } else if misses == 0 {
            report("changes of \(source.model) wait: \(problem)")
        }
        misses += 1
        return pause(until: now + Self.backOff.delay(after: misses - 1))
    }

    private static let backOff = BackOff(
        firstMilliseconds: RuntimeLimits.streamFirstDelayMilliseconds,
        longestMilliseconds: RuntimeLimits.streamLongestDelayMilliseconds)

    // MARK: One part

    private enum Fate {
        case taken
        /// The function says which one it did not take first.
        case takenUpTo(Int64, String)
        case failed(String)
        case unreachable(String)
        case cancelled
    }

    private func tell(_ changes: [ToldChange]) async -> Fate {
        let records = changes.map(\.record)
        do throws(OutsideError) {
            let response = try await outside.invoke(
                FunctionInvocation(
                    place.address, JSONWriter.bytes(of: ["Records": .array(records)]),
                    timeoutMilliseconds: RuntimeLimits.timeoutSeconds.upperBound * 1_000,
                    answerBytesMax: RuntimeLimits.payloadBytesMax))
            if rounds.isStopping { return .cancelled }
            if response.field("x-amz-function-error") != nil {
                return .failed("the function \(place.function) has failed")
            }
            guard (200..<300).contains(response.status) else {
                return .unreachable("the function \(place.function) answers with status \(response.status)")
            }
            return source.tellsFailures ? fate(of: changes, response.body) : .taken
        } catch {
            if rounds.isStopping { return .cancelled }
            // What answers too late or too much has been there.
            if case .unreachable(let reason) = error {
                return .unreachable("the function \(place.function) cannot be called: \(reason)")
            }
            return .failed("the function \(place.function) has failed: \(error)")
        }
    }

    /// Reads the changes that a function did not take: all from the first of them on are delivered again. A name that none of the changes
    /// has is a failure of all.
    private func fate(of changes: [ToldChange], _ answer: [UInt8]) -> Fate {
        guard let failures = (try? JSONReader.value(of: answer))?["batchItemFailures"]?.array, !failures.isEmpty else {
            return .taken
        }
        var first = Int64.max
        for failure in failures {
            let name = failure["itemIdentifier"]?.string
            guard let change = changes.first(where: { $0.sequenceNumber == name }) else {
                return .failed("the function \(place.function) names a change that it was not told of")
            }
            first = min(first, change.number)
        }
        let problem = "the function \(place.function) has not taken it"
        return changes.first?.number == first ? .failed(problem) : .takenUpTo(first - 1, problem)
    }
}

/// Where a function is that is told of changes, and in what region it believes to be.
struct TableStreamPlace: Sendable, Equatable {
    let function: String
    let address: String
    let region: String
}
