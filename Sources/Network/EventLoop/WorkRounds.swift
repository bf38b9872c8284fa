import Threads

/// Rounds of work on a loop, one after the other. Between two of them it sleeps, until a time comes or somebody says that there is
/// something to do.
///
///     start ─▶ round ──when there is more──▶ sleep ──the time, wake──▶ round ─▶ … ─▶ stop
package final class WorkRounds: LoopBound, @unchecked Sendable {
    // Safe to share: all of it is touched on the loop alone.
    package let loop: EventLoop
    private let nap: WakeableSleep
    private var task: Task<Void, Never>?
    /// True if nothing is to be begun any more.
    package private(set) var isStopping = false

    /// How long it sleeps behind a round.
    package struct Rest: Sendable {
        /// When there is something to do; nil: not before somebody says so.
        package let until: Int64?
        /// How long it sleeps at the most; nil: no time is too long.
        package let atMost: Int64?

        package init(until time: Int64?, atMost milliseconds: Int64? = nil) {
            until = time
            atMost = milliseconds
        }
    }

    package init(on loop: EventLoop, clock: any MailClock) {
        self.loop = loop
        nap = WakeableSleep(on: loop, clock: clock)
    }

    /// Begins, once. From any thread.
    ///
    /// - Parameters:
    ///   - isAsleep: whether nothing is to be done yet: the first round comes when somebody says that there is something.
    ///   - end: is called behind the last round.
    package func start(
        isAsleep: Bool = false, _ round: @escaping @Sendable () async -> Rest,
        end: @escaping @Sendable () async -> Void = {}
    ) {
        loop.execute { [self] in
            guard task == nil, !isStopping else { return }
            task = Task(executorPreference: loop) {
                if isAsleep { await self.nap.sleep(until: nil, atMost: nil) }
                while !self.isStopping {
                    self.nap.begin()
                    let rest = await round()
                    await self.nap.sleep(until: rest.until, atMost: rest.atMost)
                }
                await end()
            }
        }
    }

    /// Ends the sleep, or the one that comes next.
    package func wake() { nap.wake() }

    /// Ends it and waits for that, from any thread.
    ///
    /// - Parameter others: what else is on its way then, and has to end.
    package func stop(with others: @escaping @Sendable () -> [Task<Void, Never>] = { [] }) async {
        let ended = await loop.run { [self] () -> [Task<Void, Never>] in
            isStopping = true
            nap.stop()
            let tasks = [task].compactMap(\.self) + others()
            for task in tasks { task.cancel() }
            return tasks
        }
        for task in ended { await task.value }
    }
}
