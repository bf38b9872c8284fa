import Network
import Threads

/// Delivers what one source has, in rounds on one loop, until it is stopped.
///
///     start ─▶ due? ─▶ deliver, settle (so many at the same time) ─▶ sleep until the next time, or a wake ─▶ due? ─▶ … ─▶ stop
package final class DeliveryEngine: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let loop: EventLoop
    package let clock: any MailClock
    private let limits: DeliveryLimits
    private let rounds: WorkRounds
    /// The parts that are under way, and the tasks of those that have one.
    private var begun: Set<Int64> = []
    private var tasks: [Int64: Task<Void, Never>] = [:]
    /// Until when nothing begins.
    private var pausedUntil = Int64.min
    /// How often in a row nobody answered.
    private var misses: Int64 = 0
    private var isRetired = false
    /// True while a round takes what is due.
    private var isTaking = false

    package init(_ limits: DeliveryLimits, on loop: EventLoop, clock: any MailClock) {
        self.limits = limits
        self.loop = loop
        self.clock = clock
        rounds = WorkRounds(on: loop, clock: clock)
    }

    /// Begins, once. From any thread.
    package func start(_ source: some DeliverySource) {
        rounds.start(
            isAsleep: source.isKnownToBeEmpty,
            { [self] in
                let next = await round(of: source)
                let look = next != nil || limits.looksWhenIdle ? limits.lookMilliseconds : nil
                return WorkRounds.Rest(until: next, atMost: look)
            }, end: { await source.rest() })
    }

    /// Says that there may be something new. From any thread. What comes during a pause is found behind it.
    package func wake() {
        guard loop.isCurrent else { return loop.execute { [self] in wake() } }
        if clock.milliseconds >= pausedUntil { rounds.wake() }
    }

    /// Begins anew where another time or other data hold: the engine waits for nothing of before. From any thread.
    package func beginAnew() {
        loop.execute { [self] in
            (pausedUntil, misses) = (.min, 0)
            rounds.wake()
        }
    }

    /// Begins nothing any more, since another engine has its place. What is under way ends as it would have. From any thread.
    package func retire() async {
        await loop.run { [self] in isRetired = true }
    }

    /// True if nothing is under way, or about to be. From any thread.
    package var isIdle: Bool { get async { await loop.run { [self] in begun.isEmpty && !isTaking } } }

    /// True if the server stops.
    package var isStopping: Bool { rounds.isStopping }

    /// Ends the deliveries, and waits for that. From any thread.
    package func stop() async {
        await rounds.stop { [self] in Array(tasks.values) }
    }

    // MARK: Pauses

    /// Has nothing begin before that time.
    package func pause(until time: Int64) { pausedUntil = time }

    /// Has nothing begin for so long; the answer is until when.
    @discardableResult
    package func pause(milliseconds: Int64) -> Int64 {
        let (time, isTooFar) = clock.milliseconds.addingReportingOverflow(milliseconds)
        pausedUntil = isTooFar ? .max : time
        return pausedUntil
    }

    /// Has nothing begin for a while, since nobody answered: longer each time in a row.
    package func miss() -> (until: Int64, isFirst: Bool) {
        let until = pause(milliseconds: limits.missed.delay(after: misses))
        misses += 1
        return (until, misses == 1)
    }

    // MARK: Rounds

    /// Begins what is due, and answers when there is more; nil: not before a wake.
    private func round(of source: some DeliverySource) async -> Int64? {
        let free = limits.atOnce - begun.count
        guard !isRetired, free > 0 else { return nil }
        guard clock.milliseconds >= pausedUntil else { return pausedUntil }
        isTaking = true
        defer { isTaking = false }
        do {
            let due = try await source.due(at: clock.milliseconds, max: free, besides: begun)
            for part in due.parts where !isStopping {
                if limits.atOnce > 1 {
                    begin(part, of: source)
                } else if clock.milliseconds >= pausedUntil {
                    begun.insert(part.number)
                    await carryOut(part, of: source)
                }
            }
            return clock.milliseconds >= pausedUntil ? due.next : pausedUntil
        } catch {
            if !isStopping { source.report(unread: error) }
            return pause(milliseconds: limits.pauseMilliseconds)
        }
    }

    /// A pause that began meanwhile does not keep it: the source may have taken the part from others.
    private func begin<Source: DeliverySource>(_ part: Source.Part, of source: Source) {
        begun.insert(part.number)
        tasks[part.number] = Task(executorPreference: loop) {
            await self.carryOut(part, of: source)
            self.rounds.wake()
        }
    }

    private func carryOut<Source: DeliverySource>(_ part: Source.Part, of source: Source) async {
        let outcome = await source.deliver(part)
        if case .unreachable = outcome {} else { misses = 0 }
        do {
            try await source.settle(part, outcome)
        } catch {
            pause(milliseconds: limits.pauseMilliseconds)
            if !isStopping { source.report(unsettled: part, error) }
        }
        checkLoop()
        begun.remove(part.number)
        tasks[part.number] = nil
    }
}
