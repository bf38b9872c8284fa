import CSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The threads that work aside, which do one job after the other: the urgent ones, then in the order in which they began.
///
/// There is one for every core but that of the thread which is helped, up to a limit. A thread comes with the first job
/// that finds none idle, and goes when it has had nothing to do for a while: what a start needs is not kept for its life.
///
/// Unchecked: everything is read and written with the lock held, but for what `Job` says.
final class Crew: @unchecked Sendable {
    static let shared = Crew(threadsMax: min(Crew.threadsMax, max(1, Int(homeport_usable_cores()) - 1)))

    private static let threadsMax = 3
    private static let idleMilliseconds = 50

    private let limit: Int
    private let idleMilliseconds: Int
    private let niceness: Int32
    private let lock = ThreadLock()
    /// Something waits to be done; something is done.
    private let hasWork: ThreadCondition
    private let isDone: ThreadCondition
    private var waiting: [Job] = []
    private var threads = 0
    private var idle = 0

    /// `niceness` says how far its threads stand behind the others of the process.
    init(threadsMax: Int, idleMilliseconds: Int = Crew.idleMilliseconds, niceness: Int32 = 0) {
        limit = threadsMax
        self.idleMilliseconds = idleMilliseconds
        self.niceness = niceness
        hasWork = ThreadCondition(of: lock)
        isDone = ThreadCondition(of: lock)
    }

    /// Has the job done by the next thread that is free: an urgent one before those that wait.
    func begin(_ job: Job, isUrgent: Bool = false) {
        lock.lock()
        defer { lock.unlock() }
        waiting.insert(job, at: isUrgent ? 0 : waiting.count)
        if idle >= waiting.count {
            hasWork.signal()
        } else if threads < limit, makeThread() {
            threads += 1
        }
    }

    /// The same for a job that nobody will finish. False when so many wait already, or when there is no thread: it is not
    /// taken then.
    func offer(_ job: Job, waitingMax: Int) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard waiting.count < waitingMax else { return false }
        waiting.append(job)
        if idle >= waiting.count {
            hasWork.signal()
        } else if threads < limit, makeThread() {
            threads += 1
        } else if threads == 0 {
            waiting.removeLast()
            return false
        }
        return true
    }

    /// Returns when the job is done. One that no thread has begun is done by the caller.
    func finish(_ job: Job) {
        lock.lock()
        if let place = waiting.firstIndex(where: { $0 === job }) {
            waiting.remove(at: place)
            run(job)
        }
        while !job.isDone { isDone.wait() }
        lock.unlock()
    }

    /// Does a job that nobody else has. Called with the lock held, which is given up meanwhile.
    private func run(_ job: Job) {
        lock.unlock()
        job.run()
        lock.lock()
        job.isDone = true
        isDone.broadcast()
    }

    private func makeThread() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // A system places a new thread beside the one that made it and looks for a better place some milliseconds later,
        // which is longer than most jobs take.
        homeport_begin_elsewhere(&attributes)
        var thread = pthread_t()
        let crew = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument {
                    let crew = Unmanaged<Crew>.fromOpaque(argument).takeRetainedValue()
                    // It has its place. What it makes, threads among it, may be anywhere.
                    homeport_go_anywhere()
                    crew.work()
                }
                return nil
            }, crew.toOpaque())
        if code != 0 { crew.release() }
        return code == 0
    }

    /// The work of a thread, from its start to its end.
    private func work() {
        #if canImport(Glibc)
            // Of this thread alone. Where it is not allowed it is as good as without.
            if niceness != 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        #endif
        lock.lock()
        while let job = next() { run(job) }
        threads -= 1
        isDone.broadcast()
        lock.unlock()
    }

    /// Returns when all jobs are done and all threads are gone.
    func waitUntilGone() {
        lock.lock()
        while threads > 0 { isDone.wait() }
        lock.unlock()
    }

    /// The next job, or nil when none has come for a while. With the lock held.
    private func next() -> Job? {
        let end = ThreadDeadline(inMilliseconds: idleMilliseconds)
        while waiting.isEmpty {
            idle += 1
            let isInTime = hasWork.wait(until: end)
            idle -= 1
            if !isInTime, waiting.isEmpty { return nil }
        }
        return waiting.removeFirst()
    }
}

/// Something for a crew to do.
final class Job: @unchecked Sendable {
    // Safe to share: one thread runs it, and `isDone` is read and written with the crew's lock held.

    private var work: (() -> Void)?
    var isDone = false

    init(_ work: @escaping () -> Void) {
        self.work = work
    }

    /// Called once. What it holds is let go with the end of the work, whoever holds the job: often that is the same.
    func run() {
        let work = self.work
        self.work = nil
        work?()
    }
}
