import JSON
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Threads beside the loops, with readers of their own, for reads that take longer than a loop may give to one of them.
///
///     loop ── 20 ms of a read ──▶ given up ─▶ waiting ─▶ a thread reads it from its beginning ─▶ back on the loop
///
/// Each read sees one state of the data. A thread comes with the first read that finds none idle, and goes with its
/// connection when it has had nothing to do for a while. Threads give way to loops and writer where cores are scarce.
///
/// Unchecked: everything but the locks is read and written with the lock held.
package final class ReadersAside: @unchecked Sendable {
    private let place: DatabasePlace
    private let threadsMax: Int
    private let waitingMax: Int
    private let lock = ThreadLock()
    private let hasWork: ThreadCondition
    private let isGone: ThreadCondition
    private var waiting: [ReadAside] = []
    private var running: [ReadAside] = []
    private var threads = 0
    private var idle = 0
    private var taken = 0
    private var isClosed = false
    private let trips = Atomic<Int64>(0)

    convenience init(
        path: String, threadsMax: Int = StoreLimits.readsAsideMax, waitingMax: Int = StoreLimits.waitingReadsMax
    ) {
        self.init(of: .file(path), threadsMax: threadsMax, waitingMax: waitingMax)
    }

    init(
        of place: DatabasePlace, threadsMax: Int = StoreLimits.readsAsideMax,
        waitingMax: Int = StoreLimits.waitingReadsMax
    ) {
        self.place = place
        self.threadsMax = threadsMax
        self.waitingMax = waitingMax
        hasWork = ThreadCondition(of: lock)
        isGone = ThreadCondition(of: lock)
    }

    /// Runs a read on one of the threads and waits for it. It ends with `.interrupted` when the deadline (in milliseconds of
    /// the monotonic clock) comes or the task is cancelled, also when it has not begun by then.
    package func read<Value: Sendable>(
        until deadline: Int64, _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let cancellation = ReadCancellation()
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(
                    ReadAside(deadline: deadline, cancellation) { reader in
                        do throws(StoreError) {
                            continuation.resume(returning: .success(try body(try reader.get())))
                        } catch {
                            continuation.resume(returning: .failure(error))
                        }
                    })
            }
        } onCancel: {
            cancel(cancellation)
        }
        return try result.get()
    }

    /// The same for whom nobody waits: the closure is called on one of the threads, or at once when none takes it.
    package func begin(
        until deadline: Int64, _ body: @escaping @Sendable (Result<Reader, StoreError>) -> Void
    ) {
        begin(ReadAside(deadline: deadline, ReadCancellation(), run: body))
    }

    /// How many run and wait.
    package var count: Int { lock.withLock { running.count + waiting.count } }

    /// How many reads have come here so far.
    package var takenCount: Int { lock.withLock { taken } }

    /// The trips to a server on behalf of all reads so far; 0 for a file.
    package var tripCount: Int64 { trips.load(ordering: .relaxed) }

    /// How many threads there are, each with a connection.
    package var threadCount: Int { lock.withLock { threads } }

    private func begin(_ read: ReadAside) {
        let refusal: StoreError? = lock.withLock {
            guard !isClosed else { return StoreError(.stopped, "the database is being closed") }
            // It may have been cancelled before it came here.
            guard !read.cancellation.isCancelled else { return Self.interrupted }
            guard waiting.count < waitingMax else {
                return StoreError(
                    .overloaded, "\(threadsMax) long reads run and \(waitingMax) wait. Try again later")
            }
            waiting.append(read)
            taken += 1
            if idle >= waiting.count {
                hasWork.signal()
            } else if threads < threadsMax, makeThread() {
                threads += 1
            } else if threads == 0 {
                waiting.removeLast()
                return StoreError(.overloaded, "the system has no thread for a long read. Try again later")
            }
            return nil
        }
        if let refusal { read.run(.failure(refusal)) }
    }

    private func cancel(_ cancellation: ReadCancellation) {
        cancellation.cancel()
        let read = lock.withLock {
            waiting.firstIndex { $0.cancellation === cancellation }.map { waiting.remove(at: $0) }
        }
        read?.run(.failure(Self.interrupted))
    }

    /// Ends all reads, and returns when the threads and their connections are gone. Nothing is read after that.
    func close() {
        let left = lock.withLock {
            isClosed = true
            for read in running { read.cancellation.cancel() }
            hasWork.broadcast()
            defer { waiting = [] }
            return waiting
        }
        for read in left { read.run(.failure(StoreError(.stopped, "the database is being closed"))) }
        lock.withLock {
            while threads > 0 { isGone.wait() }
        }
    }

    private static let interrupted = StoreError(.interrupted, "the read was given up")

    // MARK: Threads

    private func makeThread() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let readers = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<ReadersAside>.fromOpaque(argument).takeRetainedValue().work() }
                return nil
            }, readers.toOpaque())
        if code != 0 { readers.release() }
        return code == 0
    }

    /// What a thread does from its start to its end.
    private func work() {
        #if canImport(Glibc)
            // Of this thread alone. Where it is not allowed it is as good as without. All reads of a server come here, short ones too.
            if place.isLocal {
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, StoreLimits.readsAsideNiceness)
            }
        #endif
        repeat {
            serve()
        } while !leave()
    }

    /// Reads until there has been nothing to read for a while. The connection is closed then.
    private func serve() {
        var reader: Reader?
        while var read = next() {
            while let following = run(read, on: &reader) {
                lock.withLock { running.removeAll { $0 === read } }
                read = following
            }
            lock.withLock { running.removeAll { $0 === read } }
        }
    }

    /// Runs a read. Where one waits that a server is to be asked for next, it ends with the beginning of that one, which is the answer.
    private func run(_ read: ReadAside, on kept: inout Reader?) -> ReadAside? {
        do throws(StoreError) {
            let reader: Reader
            if let open = kept { reader = open } else { reader = try Reader(of: place) }
            kept = reader
            let tripsBefore = reader.connection.tripCount
            defer { trips.wrappingAdd(reader.connection.tripCount - tripsBefore, ordering: .relaxed) }
            reader.connection.deadline.cancellation = read.cancellation
            reader.deadline = read.deadline
            if reader.isOver {
                read.run(.failure(Self.interrupted))
            } else {
                try reader.beginTurn()
                read.run(.success(reader))
            }
            reader.connection.deadline.cancellation = nil
            reader.deadline = .max
            let following = place.isLocal ? nil : takeWaiting()
            do throws(StoreError) {
                if following != nil {
                    try reader.endTurnLater()
                } else {
                    try reader.endTurn()
                    if !place.isLocal { try reader.endEarlierTurn() }
                }
            } catch { kept = nil }
            return following
        } catch {
            // A connection that cannot begin is of no use for the next one either.
            kept = nil
            read.run(.failure(error))
            return nil
        }
    }

    /// The next read that waits already.
    private func takeWaiting() -> ReadAside? {
        lock.withLock {
            guard !waiting.isEmpty else { return nil }
            let read = waiting.removeFirst()
            running.append(read)
            return read
        }
    }

    /// The next read; nil when none has come for a while, or none may come any more.
    private func next() -> ReadAside? {
        let end = ThreadDeadline(inMilliseconds: StoreLimits.readsAsideIdleSeconds * 1_000)
        return lock.withLock {
            while waiting.isEmpty {
                guard !isClosed else { return nil }
                idle += 1
                let isInTime = hasWork.wait(until: end)
                idle -= 1
                if !isInTime, waiting.isEmpty { return nil }
            }
            let read = waiting.removeFirst()
            running.append(read)
            return read
        }
    }

    /// Counts the thread as gone, unless a read has come since it gave up waiting.
    private func leave() -> Bool {
        lock.withLock {
            guard waiting.isEmpty else { return false }
            threads -= 1
            isGone.broadcast()
            return true
        }
    }
}

/// A read that waits for a thread, or runs on one. `run` is called once.
private final class ReadAside: Sendable {
    let deadline: Int64
    let cancellation: ReadCancellation
    let run: @Sendable (Result<Reader, StoreError>) -> Void

    init(
        deadline: Int64, _ cancellation: ReadCancellation, run: @escaping @Sendable (Result<Reader, StoreError>) -> Void
    ) {
        self.deadline = deadline
        self.cancellation = cancellation
        self.run = run
    }
}

/// Whether nobody waits for a read any more. Any thread may say so, and the one that reads asks.
final class ReadCancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
