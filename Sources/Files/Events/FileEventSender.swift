import Access
import Delivery
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
package final class FileEventSender: DeliverySource, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let engine: DeliveryEngine
    private let queue: FileEventQueue
    private let functions: @Sendable () -> FileFunctions
    private let region: String
    private let outside: any OutsideService
    private let log: @Sendable (String) -> Void
    /// Whether the table is known to be of this version, or not to be there yet.
    private var isReady = false

    package struct Part: DeliveryPart {
        fileprivate let event: FileEvent
        package var number: Int64 { event.number }
    }

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
        log = report
        let limits = DeliveryLimits(
            atOnce: FileLimits.eventsAtOnce, pauseMilliseconds: FileLimits.eventPauseMilliseconds,
            lookMilliseconds: store.nodes == nil
                ? FileLimits.eventLookMilliseconds : FileLimits.nodeEventLookMilliseconds,
            looksWhenIdle: true)
        engine = DeliveryEngine(limits, on: loop, clock: clock)
    }

    package func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part> {
        if !isReady {
            try await queue.bring()
            isReady = true
        }
        // Those that functions are being told of are still due, also where that ends while the table is read: what
        // became of them is read in the next round.
        let due = try await queue.due(at: now, max: 2 * FileLimits.eventsAtOnce)
        let parts = due.filter { !besides.contains($0.number) }.prefix(max).map { Part(event: $0) }
        return DueParts(parts, next: try await queue.nextDue(after: now))
    }

    package func deliver(_ part: Part) async -> DeliveryOutcome {
        // Somebody has taken the function out of the configuration meanwhile.
        guard let url = functions().url(of: part.event) else { return .taken }
        let call = FunctionInvocation(
            url, JSONWriter.bytes(of: part.event.record(region: region)), isEvent: true, isKept: true,
            timeoutMilliseconds: FileLimits.eventAnswerMilliseconds, answerBytesMax: FileLimits.eventAnswerBytesMax)
        return await engine.call(call, "the function at \(url)", by: outside, late: DeliveryOutcome.unreachable)
    }

    package func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws {
        let event = part.event
        var retries = FileLimits.eventRetries
        let problem: String
        switch outcome {
        case .taken: return try await queue.end(event)
        case .cancelled: return
        case .failed(let text), .refused(let text), .takenBut(_, let text): problem = text
        case .unreachable(let text):
            problem = text
            retries.triesMax = .max
        }
        guard let next = retries.next(after: event.tries, since: event.time, now: engine.clock.milliseconds) else {
            log("\(event.name) of \(event.bucket)/\(event.key) is given up: \(problem)")
            return try await queue.end(event)
        }
        try await queue.delay(event, until: next)
    }

    package func report(unread error: any Error) { log("the events of files cannot be read: \(error)") }

    package func report(unsettled part: Part, _ error: any Error) {
        log("what became of an event of files cannot be written: \(error)")
    }
}
