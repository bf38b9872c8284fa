import Access
import Delivery
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
final class TableStreamReader: DeliverySource, LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    let engine: DeliveryEngine
    private let source: TableSource
    private let place: TableStreamPlace
    private var queue: ToldChanges
    /// True if the table was changed while a part was read.
    private var hasOtherTable = false
    private let outside: any OutsideService
    private let retries: RetryPolicy
    private let log: @Sendable (String) -> Void
    /// How many changes are told of together by now.
    private var most: Int

    private static let backOff = BackOff(
        firstMilliseconds: RuntimeLimits.streamFirstDelayMilliseconds,
        longestMilliseconds: RuntimeLimits.streamLongestDelayMilliseconds)

    /// The next changes, and those of them that the function gets.
    struct Part: DeliveryPart {
        /// There is one at a time.
        var number: Int64 { 0 }
        fileprivate let stored: ToldChanges.Part
        fileprivate let wanted: [ToldChange]
    }

    /// - Parameters:
    ///   - isAmongNodes: whether other nodes change the table, too, and say nothing.
    ///   - report: is told in a line for the log what has failed.
    convenience init(
        of table: TableLayout, _ source: TableSource, at place: TableStreamPlace, over store: Store,
        by outside: any OutsideService, on loop: EventLoop, clock: any MailClock = SystemMailClock(),
        isAmongNodes: Bool = false, report: @escaping @Sendable (String) -> Void
    ) {
        self.init(
            of: .model(
                TableStreamQueue(store, of: table, for: place.function), table: table, typeName: source.model,
                region: place.region), source, at: place, by: outside, on: loop, clock: clock,
            isAmongNodes: isAmongNodes,
            report: report)
    }

    init(
        of queue: ToldChanges, _ source: TableSource, at place: TableStreamPlace,
        by outside: any OutsideService, on loop: EventLoop, clock: any MailClock = SystemMailClock(),
        isAmongNodes: Bool = false, report: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.place = place
        self.queue = queue
        self.outside = outside
        log = report
        retries = RetryPolicy(Self.backOff, retries: source.retries)
        most = source.batch
        let limits = DeliveryLimits(
            atOnce: 1, pauseMilliseconds: RuntimeLimits.streamPauseMilliseconds, missed: Self.backOff,
            lookMilliseconds: isAmongNodes
                ? RuntimeLimits.nodeStreamLookMilliseconds : RuntimeLimits.streamLookMilliseconds,
            looksWhenIdle: true)
        engine = DeliveryEngine(limits, on: loop, clock: clock)
    }

    /// Goes on with a table that has been changed.
    func adopt(_ layout: DatabaseLayout) {
        checkLoop()
        queue.adopt(layout)
        hasOtherTable = true
    }

    /// Returns whether it tells that function of that table, as it is set.
    func isFor(_ source: TableSource, _ place: TableStreamPlace) -> Bool {
        self.source == source && self.place == place
    }

    /// Begins anew where another time or other data hold from now on: nothing is waited for that was.
    func beginAnew() {
        checkLoop()
        most = source.batch
        engine.beginAnew()
    }

    // MARK: Deliveries

    func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part> {
        var part: ToldChanges.Part
        repeat {
            hasOtherTable = false
            part = try await queue.next(max: most, bytesMax: RuntimeLimits.streamBytesMax)
            // Records of the table as it is by now would be told without their new fields.
        } while hasOtherTable
        guard part.due <= engine.clock.milliseconds else {
            engine.pause(until: part.due)
            return DueParts(next: part.due)
        }
        guard !part.changes.isEmpty else { return DueParts(next: nil) }
        let wanted = await ToldChange.wanted(part.changes, by: source.filters)
        return DueParts([Part(stored: part, wanted: wanted)], next: engine.clock.milliseconds)
    }

    func deliver(_ part: Part) async -> DeliveryOutcome {
        guard !part.wanted.isEmpty else { return .taken }
        let call = FunctionInvocation(
            place.address, JSONWriter.bytes(of: ["Records": .array(part.wanted.map(\.record))]),
            timeoutMilliseconds: RuntimeLimits.timeoutSeconds.upperBound * 1_000,
            answerBytesMax: RuntimeLimits.payloadBytesMax)
        let name = "the function \(place.function)"
        guard source.tellsFailures else { return await engine.call(call, name, by: outside) }
        return await engine.call(call, name, by: outside) { answer in
            switch BatchAnswer(answer, to: part.wanted.map(\.sequenceNumber)) {
            case .taken, .noList, .noJSON: .taken
            case .takenBut(let places): .takenBut(places, "\(name) has not taken it")
            case .unknownItem: .failed("\(name) names a change that it was not told of")
            }
        }
    }

    func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws {
        let (wanted, stored) = (part.wanted, part.stored)
        switch outcome {
        case .cancelled: return
        case .taken:
            if let last = stored.changes.last { try await queue.advance(to: last.number, in: stored) }
            if !wanted.isEmpty { most = min(source.batch, 2 * most) }
        case .takenBut(let places, let problem):
            // All from the first of them on are delivered again.
            let first = places.min() ?? 0
            guard first > 0 else { return try await fail(wanted, of: stored, tries: stored.tries, problem) }
            try await queue.advance(to: wanted[first].number - 1, in: stored)
            try await fail(Array(wanted[first...]), of: stored, tries: 0, problem)
        case .failed(let problem), .refused(let problem):
            try await fail(wanted, of: stored, tries: stored.tries, problem)
        case .unreachable(let problem): try await miss(stored, problem)
        }
    }

    func report(unread error: any Error) {
        log("the changes of \(source.model) cannot be read or settled: \(error)")
    }

    func report(unsettled part: Part, _ error: any Error) { report(unread: error) }

    /// The function has failed with these.
    private func fail(
        _ changes: [ToldChange], of part: ToldChanges.Part, tries: Int64, _ problem: String
    ) async throws {
        guard let first = changes.first, let last = part.changes.last else { return }
        guard !source.halves || changes.count == 1 else {
            if most >= source.batch {
                log("\(changes.count) changes of \(source.model) are delivered again, in smaller parts: \(problem)")
            }
            most = changes.count / 2
            engine.pause(milliseconds: RuntimeLimits.streamFirstDelayMilliseconds)
            return
        }
        if source.halves { most = 1 }
        let now = engine.clock.milliseconds
        guard let next = retries.next(after: tries, since: first.time, now: now) else {
            if source.halves {
                log("\(first.name) \(first.sequenceNumber) of \(source.model) is given up: \(problem)")
                return try await queue.advance(to: first.number, in: part)
            }
            most = source.batch
            log("\(changes.count) changes of \(source.model) are given up: \(problem)")
            return try await queue.advance(to: last.number, in: part)
        }
        // The same ones again: what has come meanwhile is not tried as often.
        if !source.halves { most = max(1, part.changes.count { $0.number >= first.number }) }
        try await queue.delay(part, until: next, tries: tries + 1)
        engine.pause(until: next)
    }

    /// Nobody has answered.
    private func miss(_ part: ToldChanges.Part, _ problem: String) async throws {
        let now = engine.clock.milliseconds
        let (_, isFirst) = engine.miss()
        let old = part.changes.prefix { now - $0.time > RuntimeLimits.streamKeptMilliseconds }
        if let last = old.last {
            log("\(old.count) changes of \(source.model) are given up, they are too old: \(problem)")
            try await queue.advance(to: last.number, in: part)
        } else if isFirst {
            log("changes of \(source.model) wait: \(problem)")
        }
    }
}

extension RetryPolicy {
    /// Of a part of a stream: so often, or until it is too old; nil: as often as `RuntimeLimits` has it.
    fileprivate init(_ backOff: BackOff, retries: Int?) {
        self.init(backOff, triesMax: Int64(RuntimeLimits.streamTriesMax))
        guard let retries else { return }
        triesMax = retries < 0 ? .max : Int64(retries) + 1
        if retries < 0 { ageMilliseconds = RuntimeLimits.streamKeptMilliseconds }
    }
}

/// Where a function is that is told of changes, and in what region it believes to be.
struct TableStreamPlace: Sendable, Equatable {
    let function: String
    let address: String
    let region: String
}
