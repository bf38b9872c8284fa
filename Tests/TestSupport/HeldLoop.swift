import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A loop that does nothing but run tasks, one piece after the other, and says how long the longest piece held it.
///
/// Unchecked: everything is read and written with the lock held.
public final class HeldLoop: TaskExecutor, @unchecked Sendable {
    private let lock = ThreadLock()
    private let hasWork: ThreadCondition
    private var waiting: [UnownedJob] = []
    private var isDone = false
    private var longest: Int64 = 0

    /// A loop with nothing to do.
    public init() { hasWork = ThreadCondition(of: lock) }

    /// Adds a piece of work, as tasks do.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock {
            waiting.append(job)
            hasWork.signal()
        }
    }

    /// Runs some work to its end on a thread of its own, and says in milliseconds how long its longest piece took of that, as in a
    /// release build.
    public func longestPiece(of work: @escaping @Sendable () async -> Void) async -> Double {
        let factor = HeldTime.factor
        lock.withLock { (longest, isDone) = (0, false) }
        Task(executorPreference: self) {
            await work()
            self.lock.withLock { self.isDone = true }
        }
        await withCheckedContinuation { continuation in
            let run = Unmanaged.passRetained(HeldRun(loop: self) { continuation.resume() })
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<HeldRun>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, run.toOpaque())
            precondition(code == 0, "there is no thread for a loop")
            pthread_detach(thread)
        }
        return Double(lock.withLock { longest }) / 1_000_000 / factor
    }

    fileprivate func run() {
        while let job = next() {
            let begin = HeldTime.threadNanoseconds
            job.runSynchronously(on: asUnownedTaskExecutor())
            let taken = HeldTime.threadNanoseconds - begin
            lock.withLock { longest = max(longest, taken) }
        }
    }

    private func next() -> UnownedJob? {
        lock.withLock {
            while waiting.isEmpty {
                guard !isDone else { return nil }
                hasWork.wait()
            }
            return waiting.removeFirst()
        }
    }
}

/// What the thread of a loop does, and who is told of its end.
private final class HeldRun: Sendable {
    private let loop: HeldLoop
    private let end: @Sendable () -> Void

    init(loop: HeldLoop, end: @escaping @Sendable () -> Void) { (self.loop, self.end) = (loop, end) }

    func run() {
        loop.run()
        end()
    }
}
