/// Threads beside the loops for work that takes longer than a loop may give to one request, and needs no database: a few,
/// which do one piece after the other, in the order in which they came. They give way to loops and writer where cores are
/// scarce.
///
///     loop ── a document that is long ──▶ waiting ─▶ a thread prepares it ─▶ back on the loop
///
/// Each piece has a bound of its own: nothing ends one that runs.
package final class WorkersAside: Sendable {
    private let crew: Crew
    private let waitingMax: Int

    package static let threadsMax = 2
    /// After how long without work such a thread goes.
    private static let idleMilliseconds = 10_000
    /// They get about a third of the time of a core that a loop wants too.
    package static let usualNiceness: Int32 = 5

    /// - Parameter niceness: how far they stand behind; 0 where a client waits for what they do.
    package init(
        threadsMax: Int = WorkersAside.threadsMax, waitingMax: Int = 64, niceness: Int32 = WorkersAside.usualNiceness
    ) {
        crew = Crew(threadsMax: threadsMax, idleMilliseconds: Self.idleMilliseconds, niceness: niceness)
        self.waitingMax = waitingMax
    }

    /// The value of the work; nil when too much waits already, and it is not done.
    package func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let job = Job { continuation.resume(returning: work()) }
            if !crew.offer(job, waitingMax: waitingMax) { continuation.resume(returning: nil) }
        }
    }

    /// Has work done that nobody waits for; where too much waits already it is not done.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        _ = crew.offer(Job(work), waitingMax: waitingMax)
    }

    /// Lets go of something that is large enough to take its time. Nobody waits for that.
    package func release(_ object: some Sendable) {
        _ = crew.offer(Job { withExtendedLifetime(object) {} }, waitingMax: waitingMax)
    }
}
