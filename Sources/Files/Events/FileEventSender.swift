import Access
import JSON
import Network
import Store

/// Tells functions of what has happened to objects, and again what they did not take, later and later.
///
///     object put or removed ─┬─ one transaction: record, event ─▶ table ──due──▶ sender ──POST──▶ function
///                            └─ wake                               ▲              │
///                                                                  └─ ended, later ┘
///
/// A function is told of the events of one key one after the other, of those of others at the same time. What became of one is written down before
/// the next one of its key; a process that ends in between tells that one again, with the same `sequencer`.
package final class FileEventSender: LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    private let queue: FileEventQueue
    private let functions: @Sendable () -> FileFunctions
    private let region: String
    private let outside: any OutsideService
    private let clock: any MailClock
    private let report: @Sendable (String) -> Void
    /// The calls of functions that are on their way, by the event.
    private var calls: [Int64: Task<Void, Never>] = [:]
    /// Whether the table is known to be of this version, or not to be there yet.
    private var isReady = false
    /// Until when nothing is begun: what becomes of events cannot be written.
    private var pausedUntil = Int64.min
    private let rounds: WorkRounds

    /// `functions` says whom to tell at that moment, and `outside` is the loop's own. `report` is told in a line for the log what was given up.
    package init(
        over store: Store, _ functions: @escaping @Sendable () -> FileFunctions, region: String,
        by outside: any OutsideService,
        on loop: EventLoop, clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void
    ) {
        queue = FileEventQueue(store: store)
        self.functions = functions
        self.region = region
        self.outside = outside
        self.loop = loop
        self.clock = clock
        self.report = report
        rounds = WorkRounds(on: loop, clock: clock)
    }

    /// Begins, with what waits from before. From any thread.
    package func start() {
        rounds.start { [self] in WorkRounds.Rest(until: await round(), atMost: FileLimits.eventLookMilliseconds) }
    }

    /// Says that there is a new event. From any thread; nobody waits.
    package func wake() {
        loop.execute { [self] in rounds.wake() }
    }

    /// Ends the telling, and waits for that. What is on its way stays due.
    package func stop() async {
        await rounds.stop { [self] in Array(calls.values) }
    }

    // MARK: Rounds

    /// Begins what there is to be done, and answers when there is more; nil: not before somebody says so.
    private func round() async -> Int64? {
        let free = FileLimits.eventsAtOnce - calls.count
        guard free > 0 else { return nil }
        guard clock.milliseconds >= pausedUntil else { return pausedUntil }
        do {
            let now = clock.milliseconds
            if !isReady {
                try await queue.bring()
                isReady = true
            }
            // Those that functions are being told of are still due, also where that ends while the table is read: what
            // became of them is read in the next round.
            let told = Set(calls.keys)
            let due = try await queue.due(at: now, max: 2 * FileLimits.eventsAtOnce)
            for event in due.filter({ !told.contains($0.number) }).prefix(free) where !rounds.isStopping {
                calls[event.number] = Task(executorPreference: loop) { await self.carryOut(event) }
            }
            return try await queue.nextDue(after: now)
        } catch {
            if !rounds.isStopping { report("the events of files cannot be read: \(error)") }
            return clock.milliseconds + FileLimits.eventPauseMilliseconds
        }
    }

    private func carryOut(_ event: FileEvent) async {
        let fate = await tell(event)
        do {
            try await settle(event, fate)
        } catch {
            // The function is told again, after a while.
            pausedUntil = clock.milliseconds + FileLimits.eventPauseMilliseconds
            if !rounds.isStopping { report("what became of an event of files cannot be written: \(error)") }
        }
        checkLoop()
        calls[event.number] = nil
        rounds.wake()
    }

    private enum Fate: Sendable {
        case taken
        /// Nobody answered.
        case unreachable(String)
        /// The function says that it has failed.
        case failed(String)
        case cancelled
    }

    private func settle(_ event: FileEvent, _ fate: Fate) async throws {
        let problem: String
        var triesMax = Int64.max
        switch fate {
        case .taken: return try await queue.end(event)
        case .cancelled: return
        case .unreachable(let text): problem = text
        case .failed(let text):
            problem = text
            triesMax = FileLimits.eventTriesMax
        }
        let now = clock.milliseconds
        let again = now + Self.backOff.delay(after: event.tries)
        guard event.tries + 1 < triesMax, again - event.time <= FileLimits.eventMilliseconds else {
            report("\(event.name) of \(event.bucket)/\(event.key) is given up: \(problem)")
            return try await queue.end(event)
        }
        try await queue.delay(event, until: again)
    }

    private static let backOff = BackOff(
        firstMilliseconds: FileLimits.eventFirstDelayMilliseconds,
        longestMilliseconds: FileLimits.eventLongestDelayMilliseconds)

    // MARK: One event

    private func tell(_ event: FileEvent) async -> Fate {
        // Somebody has taken the function out of the configuration meanwhile.
        guard let url = functions().url(of: event) else { return .taken }
        do throws(OutsideError) {
            let response = try await outside.invoke(
                FunctionInvocation(
                    url, JSONWriter.bytes(of: event.record(region: region)), isEvent: true, isKept: true,
                    timeoutMilliseconds: FileLimits.eventAnswerMilliseconds,
                    answerBytesMax: FileLimits.eventAnswerBytesMax))
            if response.field("x-amz-function-error") != nil {
                return .failed("the function at \(url) has failed")
            }
            guard (200..<300).contains(response.status) else {
                return .unreachable("the function at \(url) answers with status \(response.status)")
            }
            return .taken
        } catch {
            if rounds.isStopping { return .cancelled }
            return .unreachable("the function at \(url) cannot be called: \(error)")
        }
    }
}
