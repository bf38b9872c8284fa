import Glibc
import Synchronization

/// A thread with its own poller, timers and connections, on which tasks can run.
///
/// One turn of a loop:
///
///     wait ─▶ ready descriptors ─▶ mailbox ─▶ timers ─▶ tasks ─▶ end of turn ─┐
///      ▲                                                     (flush writes)   │
///      └──────────────────────────────────────────────────────────────────────┘
///
/// It is a task executor: a `Task` that prefers it runs on its thread and nowhere else, so that everything a loop owns
/// is touched by one thread only. Other threads reach it through `execute` (its mailbox) and by resuming a task.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Safe to share: `mailbox` is a Mutex, `wake()` is a system call that any thread may make, `thread` is written
    // before anybody else can see the loop. All other state is touched on the loop's thread only, which
    // `preconditionInLoop` checks where it is entered.

    /// The loop's place in its group.
    package let index: Int

    /// The time when this turn began: exact enough for timeouts, and free.
    package private(set) var now: MonotonicTime

    /// A buffer for reads that a handler uses up at once, so that an idle connection holds none.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventLoop.scratchBytes, alignment: 16)

    /// The compressors of all connections of this loop.
    package var compression = CompressionPool()

    private var poller: Poller
    private var registrations: [Registration] = []
    private var freeSlots: [Int] = []
    private var timers = TimerHeap()
    private var jobs: [UnownedJob] = []
    /// Actions that the loop's own thread has added.
    private var ownActions: [@Sendable () -> Void] = []
    private var endOfTurn: [any EndOfTurnHandler] = []
    private var spareBuffers: [[UInt8]] = []
    private var thread: pthread_t
    private var hasStarted = false
    private var isStopping = false
    private var statistics = EventLoopStatistics()
    private let mailbox = Mutex(Mailbox())

    /// The most bytes that one read takes.
    static let scratchBytes = 64 * 1024
    /// Tasks that run in one turn before descriptors get their turn again.
    private static let jobsPerTurn = 1024
    /// Write buffers that are kept for the next connection that needs one, and the most one may have grown.
    private static let spareBuffersMax = 64
    private static let spareBufferBytesMax = 64 * 1024

    private struct Registration {
        var target: (any PollTarget)?
        var generation: UInt32 = 0
    }

    private struct Mailbox {
        var jobs: [UnownedJob] = []
        var actions: [@Sendable () -> Void] = []
        var isSignalled = false

        /// Returns whether the loop has to be woken: only the first message since it last looked does that.
        mutating func signal() -> Bool {
            defer { isSignalled = true }
            return !isSignalled
        }
    }

    package init(index: Int) throws(SystemError) {
        self.index = index
        poller = try Poller()
        now = .now
        thread = pthread_self()
    }

    deinit {
        scratch.deallocate()
    }

    // MARK: Life

    /// Starts the loop's thread. The loop keeps itself alive until `stop`.
    package func start() throws(SystemError) {
        precondition(!hasStarted, "an event loop starts once")
        hasStarted = true
        let retained = Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var handle = pthread_t()
        // The thread waits at the lock until `thread` is written.
        let outcome = mailbox.withLock { _ in
            let outcome = pthread_create(
                &handle, &attributes,
                { context in
                    if let context { Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, retained.toOpaque())
            thread = handle
            return outcome
        }
        guard outcome == 0 else {
            retained.release()
            throw SystemError(call: "pthread_create", code: outcome)
        }
    }

    /// Ends the loop after the turn that runs, from any thread. What is registered then is let go.
    package func stop() {
        execute { self.isStopping = true }
    }

    /// Waits until the loop's thread has ended. Not on the loop itself.
    package func join() {
        pthread_join(thread, nil)
    }

    package var isCurrent: Bool {
        pthread_equal(pthread_self(), thread) != 0
    }

    func preconditionInLoop() {
        precondition(isCurrent, "called outside of the event loop's thread")
    }

    // MARK: Work from other threads

    /// Runs the action on the loop's thread: later in this turn or in the next.
    ///
    /// Hot path: on the loop itself nothing is locked, and nobody is woken.
    package func execute(_ action: @escaping @Sendable () -> Void) {
        if isCurrent {
            ownActions.append(action)
            return
        }
        let mustWake = mailbox.withLock { mailbox in
            mailbox.actions.append(action)
            return mailbox.signal()
        }
        if mustWake { poller.wake() }
    }

    /// Runs the body on the loop's thread and waits for its answer.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
            return
        }
        let mustWake = mailbox.withLock { mailbox in
            mailbox.jobs.append(job)
            return mailbox.signal()
        }
        if mustWake { poller.wake() }
    }

    // MARK: Timers

    /// Runs the action once at the deadline, on the loop. Called on the loop.
    package func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        preconditionInLoop()
        return timers.schedule(at: deadline, action)
    }

    package func cancel(_ token: TimerToken) {
        preconditionInLoop()
        timers.cancel(token)
    }

    // MARK: Descriptors

    /// Watches a descriptor until `unregister`. The target is retained for as long.
    func register(
        _ descriptor: Int32, interest: PollInterest, target: any PollTarget
    ) throws(SystemError) -> PollRegistration {
        preconditionInLoop()
        let slot = freeSlots.popLast() ?? registrations.count
        if slot == registrations.count { registrations.append(Registration()) }
        // A slot that is used again gets a new generation, so that an event of its former target finds nobody.
        registrations[slot].generation &+= 1
        let key = UInt64(registrations[slot].generation) << 32 | UInt64(slot)
        do {
            try poller.add(descriptor, key: key, interest: interest)
        } catch {
            freeSlots.append(slot)
            throw error
        }
        registrations[slot].target = target
        return PollRegistration(descriptor: descriptor, key: key, interest: interest)
    }

    func change(_ registration: inout PollRegistration, to interest: PollInterest) {
        guard interest != registration.interest else { return }
        poller.change(registration.descriptor, key: registration.key, from: registration.interest, to: interest)
        registration.interest = interest
    }

    func unregister(_ registration: PollRegistration) {
        let slot = Int(registration.key & 0xFFFF_FFFF)
        guard registrations.indices.contains(slot) else { return }
        poller.remove(registration.descriptor, interest: registration.interest)
        registrations[slot].target = nil
        freeSlots.append(slot)
    }

    // MARK: Turns

    /// Calls the handler once, when the tasks of this turn have run: the place to join writes and to end transactions.
    package func callAtEndOfTurn(_ handler: any EndOfTurnHandler) {
        endOfTurn.append(handler)
    }

    private func run() {
        mailbox.withLock { _ in }
        while !isStopping {
            var isAwake = false
            poller.wait(milliseconds: waitMilliseconds) { key, events in
                // What happens now did not happen when the wait began: a deadline counted from then would be over.
                if !isAwake { now = .now }
                isAwake = true
                dispatch(key: key, events: events)
            }
            if !isAwake { now = .now }
            emptyMailbox()
            while let action = timers.popDue(at: now) { action() }
            runJobs()
            runEndOfTurn()
            statistics.turnEnded(began: now)
        }
        registrations.removeAll()
    }

    private var waitMilliseconds: Int32 {
        guard jobs.isEmpty, ownActions.isEmpty, endOfTurn.isEmpty else { return 0 }
        guard let deadline = timers.nextDeadline else { return -1 }
        // Rounded up: a timer never fires early, and the loop never spins until it is due.
        let nanoseconds = deadline.nanoseconds(since: .now)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }

    private func dispatch(key: UInt64, events: PollEvents) {
        let slot = Int(key & 0xFFFF_FFFF)
        guard registrations.indices.contains(slot), registrations[slot].generation == UInt32(key >> 32) else { return }
        registrations[slot].target?.pollTargetIsReady(events)
    }

    private func emptyMailbox() {
        let mail = mailbox.withLock { mailbox in
            let mail = mailbox
            mailbox = Mailbox()
            return mail
        }
        jobs.append(contentsOf: mail.jobs)
        for action in mail.actions { action() }
        // An action that one of these adds runs in the next turn.
        let count = ownActions.count
        for place in 0..<count { ownActions[place]() }
        if count == ownActions.count {
            ownActions.removeAll(keepingCapacity: true)
        } else {
            ownActions.removeFirst(count)
        }
    }

    private func runJobs() {
        var count = 0
        while count < jobs.count, count < Self.jobsPerTurn {
            let job = jobs[count]
            count += 1
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        if count == jobs.count { jobs.removeAll(keepingCapacity: true) } else { jobs.removeFirst(count) }
    }

    private func runEndOfTurn() {
        var index = 0
        while index < endOfTurn.count {
            endOfTurn[index].turnEnded()
            index += 1
        }
        if index > 0 { endOfTurn.removeAll(keepingCapacity: true) }
    }

    // MARK: Buffers

    /// An empty buffer for bytes to write, used before where one is at hand.
    func takeBuffer() -> [UInt8] {
        spareBuffers.popLast() ?? []
    }

    /// Takes back a buffer for the next who needs one.
    func giveBack(_ buffer: inout [UInt8]) {
        if buffer.capacity > 0, buffer.capacity <= Self.spareBufferBytesMax, spareBuffers.count < Self.spareBuffersMax {
            var spare: [UInt8] = []
            swap(&spare, &buffer)
            spare.removeAll(keepingCapacity: true)
            spareBuffers.append(spare)
        } else {
            buffer = []
        }
    }

    /// The counts of the loop so far. The longest turn starts anew with each call.
    package func takeStatistics() -> EventLoopStatistics {
        preconditionInLoop()
        defer { statistics.longestTurnNanoseconds = 0 }
        return statistics
    }
}

/// The target of a watched descriptor, called when it is ready.
protocol PollTarget: AnyObject {
    func pollTargetIsReady(_ events: PollEvents)
}

/// A handler that is called when the tasks of a turn have run.
package protocol EndOfTurnHandler: AnyObject {
    func turnEnded()
}

/// A watched descriptor's place in its loop.
struct PollRegistration {
    let descriptor: Int32
    let key: UInt64
    fileprivate(set) var interest: PollInterest
}

/// The counts of an event loop.
package struct EventLoopStatistics: Sendable {
    package internal(set) var turns: UInt64 = 0
    /// Time from the end of waiting to the end of the turn: what others on the loop had to wait.
    package internal(set) var busyNanoseconds: UInt64 = 0
    package internal(set) var longestTurnNanoseconds: UInt64 = 0

    mutating func turnEnded(began: MonotonicTime) {
        let took = MonotonicTime.now.nanoseconds(since: began)
        turns &+= 1
        busyNanoseconds &+= took
        longestTurnNanoseconds = max(longestTurnNanoseconds, took)
    }
}
