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
/// Over a server, a thread takes all that wait and may go together (`ReadSharing`), and asks for them in the same trips (`ReadGroup`). So it costs
/// less a read the more of them there are.
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
    /// Those on one thread each.
    private var running: [[ReadAside]] = []
    /// The reads of one row among those that wait, and how many threads run some.
    private var waitingRows = 0
    private var rowGroups = 0
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
        until deadline: Int64, sharing: ReadSharing = .none,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let task = BodyTask(body)
        let read = ReadAside(task, until: deadline, sharing)
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.continuation = continuation
                begin(read)
            }
        } onCancel: {
            cancel(read)
        }
        return try result.get()
    }

    /// The same without a task of Swift's: the answer comes on one of the threads, or here when none takes the read. What is given back gives the
    /// read up, which is answered even so.
    ///
    /// - Parameter row: the question that a read asks that shares trips, if it is known. It is only asked earlier for that.
    package func begin(
        _ task: any ReadTask, until deadline: Int64, sharing: ReadSharing, asking row: ServerQuestion? = nil
    ) -> @Sendable () -> Void {
        let read = ReadAside(task, until: deadline, sharing, asking: row)
        begin(read)
        return { [self] in cancel(read) }
    }

    /// The same for whom nobody waits: the closure is called on one of the threads, or at once when none takes it.
    package func begin(
        until deadline: Int64, _ body: @escaping @Sendable (Result<Reader, StoreError>) -> Void
    ) {
        begin(ReadAside(CallTask(body), until: deadline, .none))
    }

    /// How many run and wait.
    package var count: Int { lock.withLock { running.reduce(waiting.count) { $0 + $1.count } } }

    /// How many reads have come here so far.
    package var takenCount: Int { lock.withLock { taken } }

    /// The trips to a server on behalf of all reads so far; 0 for a file.
    package var tripCount: Int64 { trips.load(ordering: .relaxed) }

    /// How many threads there are, each with a connection.
    package var threadCount: Int { lock.withLock { threads } }

    /// Runs reads that a loop has handed back, each by itself.
    func takeOver(_ reads: [ReadAside]) {
        for read in reads {
            read.sharing = .none
            begin(read)
        }
    }

    private func begin(_ read: ReadAside) {
        let refusal: StoreError? = lock.withLock {
            guard !isClosed else { return StoreError(.stopped, "the database is being closed") }
            // It may have been cancelled before it came here.
            guard !read.isCancelled else { return Self.interrupted }
            guard waiting.count < waitingMax else {
                return StoreError(
                    .overloaded, "\(threadsMax) long reads run and \(waitingMax) wait. Try again later")
            }
            if place.isLocal { read.sharing = .none }
            waiting.append(read)
            taken += 1
            if read.sharing == .row {
                waitingRows += 1
                // A thread comes for those before it, or with the next answers.
                if waitingRows > 1 || !mayTakeRows { return nil }
            }
            // One thread takes all rows.
            if idle >= waiting.count - waitingRows + (waitingRows > 0 && mayTakeRows ? 1 : 0) {
                hasWork.signal()
            } else if threads < threadsMax, makeThread() {
                threads += 1
            } else if threads == 0 {
                waiting.removeLast()
                if read.sharing == .row { waitingRows -= 1 }
                return StoreError(.overloaded, "the system has no thread for a long read. Try again later")
            }
            return nil
        }
        if let refusal { read.refuse(refusal) }
    }

    private func cancel(_ read: ReadAside) {
        read.cancel()
        let wasWaiting = lock.withLock {
            guard let place = waiting.firstIndex(where: { $0 === read }) else { return false }
            if read.sharing == .row { waitingRows -= 1 }
            waiting.remove(at: place)
            return true
        }
        if wasWaiting { read.refuse(Self.interrupted) }
    }

    /// Ends all reads, and returns when the threads and their connections are gone. Nothing is read after that.
    func close() {
        let left = lock.withLock {
            isClosed = true
            for read in running.joined() { read.cancel() }
            hasWork.broadcast()
            defer { (waiting, waitingRows) = ([], 0) }
            return waiting
        }
        for read in left { read.refuse(StoreError(.stopped, "the database is being closed")) }
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
        while var reads = next() {
            while let following = run(reads, on: &reader) { reads = following }
        }
    }

    /// Runs reads. Where some wait that a server is to be asked for next, the turn ends with the beginning of theirs, which are the answer.
    private func run(_ reads: [ReadAside], on kept: inout Reader?) -> [ReadAside]? {
        let reader: Reader
        do throws(StoreError) {
            if let open = kept { reader = open } else { reader = try Reader(of: place) }
            kept = reader
        } catch {
            for read in reads { read.refuse(error) }
            _ = finish(reads, takesNext: false)
            return nil
        }
        let tripsBefore = reader.connection.tripCount
        defer { trips.wrappingAdd(reader.connection.tripCount - tripsBefore, ordering: .relaxed) }
        var left: [ReadAside] = []
        if reads.count == 1, let read = reads.first {
            if !runs(read, on: reader) { kept = nil }
        } else {
            left = ReadGroup(reader).run(reads)
        }
        reader.connection.deadline.read = nil
        reader.deadline = .max
        let following = finish(reads, left, takesNext: !place.isLocal && kept != nil)
        do throws(StoreError) {
            if following != nil {
                try reader.endTurnLater()
            } else if kept != nil {
                try reader.endTurn()
                if !place.isLocal { try reader.endEarlierTurn() }
            }
        } catch { kept = nil }
        return following
    }

    /// Runs one read. False where the connection cannot begin: it is of no use for the next one either.
    private func runs(_ read: ReadAside, on reader: Reader) -> Bool {
        reader.connection.deadline.read = read
        reader.deadline = read.deadline
        guard !reader.isOver else {
            read.refuse(Self.interrupted)
            return true
        }
        do throws(StoreError) {
            if read.sharing != .row { try reader.beginTurn() }
        } catch {
            read.refuse(error)
            return false
        }
        read.run(reader)
        return true
    }

    /// Counts reads as done, has those that are left run by themselves, and takes what a server is to be asked for next.
    private func finish(_ reads: [ReadAside], _ left: [ReadAside] = [], takesNext: Bool) -> [ReadAside]? {
        let (following, stopped): ([ReadAside]?, [ReadAside]) = lock.withLock {
            running.removeAll { $0.first === reads.first }
            if reads.first?.sharing == .row { rowGroups -= 1 }
            for read in left { read.sharing = .none }
            guard !isClosed else { return (nil, left) }
            waiting.insert(contentsOf: left, at: 0)
            for _ in left.dropFirst() { summon() }
            return (takesNext ? take() : nil, [])
        }
        for read in stopped { read.refuse(StoreError(.stopped, "the database is being closed")) }
        return following
    }

    /// The next reads; nil when none has come for a while, or none may come any more.
    private func next() -> [ReadAside]? {
        let end = ThreadDeadline(inMilliseconds: StoreLimits.readsAsideIdleSeconds * 1_000)
        return lock.withLock {
            while true {
                if let reads = take() { return reads }
                guard !isClosed else { return nil }
                idle += 1
                let isInTime = hasWork.wait(until: end)
                idle -= 1
                if !isInTime { return take() }
            }
        }
    }

    // MARK: With the lock held

    private var mayTakeRows: Bool { rowGroups < StoreLimits.rowGroupsMax }

    /// The first read that waits, and those that go with it; nil where none is for this thread.
    private func take() -> [ReadAside]? {
        let first = mayTakeRows ? waiting.indices.first : waiting.firstIndex { $0.sharing != .row }
        guard let first else { return nil }
        var reads = [waiting.remove(at: first)]
        let sharing = reads[0].sharing
        if sharing != .none {
            var parts = StoreLimits.sharedTripParts - sharing.parts
            var place = first
            var passed: [ReadAside] = []
            while place < waiting.count, parts > 0, passed.count < StoreLimits.sharedTripParts {
                let read = waiting[place]
                if read.sharing.goes(with: sharing), read.sharing.parts <= parts {
                    parts -= read.sharing.parts
                    reads.append(read)
                } else {
                    passed.append(read)
                }
                place += 1
            }
            waiting.replaceSubrange(first..<place, with: passed)
        }
        if sharing == .row {
            waitingRows -= reads.count
            rowGroups += 1
        }
        running.append(reads)
        // More than a trip has room for, or their thread has taken something else.
        if waitingRows > 0, mayTakeRows { summon() }
        return reads
    }

    /// Has one more thread look for a read.
    private func summon() {
        if idle > 0 {
            hasWork.signal()
        } else if threads < threadsMax, makeThread() {
            threads += 1
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

/// The way in which a read may go to a server together with others.
package enum ReadSharing: Sendable, Equatable {
    /// It runs by itself, once.
    case none
    /// It asks for one row, and nothing else: what it sees is of one moment without a transaction. It leaves nothing behind but its value.
    case row
    /// It may run several times (`Reader.gathering`), and takes so many parts of a trip, which has `StoreLimits.sharedTripParts`.
    case parts(Int)

    fileprivate var parts: Int {
        switch self {
        case .none: StoreLimits.sharedTripParts
        case .row: 1
        case .parts(let count): max(1, count)
        }
    }

    fileprivate func goes(with other: ReadSharing) -> Bool {
        switch (self, other) {
        case (.row, .row), (.parts, .parts): true
        default: false
        }
    }
}

/// The work of a read, for somebody who waits for it. It runs on one thread at a time, and is answered once.
package protocol ReadTask: AnyObject, Sendable {
    /// Reads, and keeps what comes of it in place of what it has kept before: it may run several times (`ReadSharing`).
    func read(_ reader: Reader) throws(StoreError)
    /// Answers with what the last run has kept.
    ///
    /// - Parameter failure: what it has failed with, or why it did not run.
    func answer(_ failure: StoreError?)
}

/// A read that waits for a thread, or runs on one. It is answered once. Any thread may give it up; the one that reads looks for that.
///
/// Unchecked: `sharing` changes with the lock of the readers held; the rest is for the thread that has it.
final class ReadAside: @unchecked Sendable {
    let deadline: Int64
    fileprivate(set) var sharing: ReadSharing
    /// The question that it asks, where that is known.
    let asked: ServerQuestion?
    private let task: any ReadTask
    private let isRepeatable: Bool
    /// The error of the last attempt; nil: it did not fail.
    private var failure: StoreError?
    private let flag = Atomic(false)

    init(_ task: any ReadTask, until deadline: Int64, _ sharing: ReadSharing, asking asked: ServerQuestion? = nil) {
        (self.task, self.deadline, self.sharing, self.asked) = (task, deadline, sharing, asked)
        isRepeatable = sharing != .none
    }

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }

    /// Reads by itself, and answers.
    func run(_ reader: Reader) {
        do throws(StoreError) {
            if isRepeatable {
                try reader.gathering { reader throws(StoreError) in try task.read(reader) }
            } else {
                try task.read(reader)
            }
            task.answer(nil)
        } catch {
            task.answer(error)
        }
    }

    /// Answers without reading.
    func refuse(_ error: StoreError) { task.answer(error) }

    /// Reads, and keeps what comes of it.
    func attempt(_ reader: Reader) {
        do throws(StoreError) {
            try task.read(reader)
            failure = nil
        } catch {
            failure = error
        }
    }

    /// Answers with what the last attempt has kept.
    func answer() { task.answer(failure) }
}

/// A read whose value a task of Swift's waits for.
///
/// Unchecked: the continuation is there before it begins; the rest is for the thread that reads.
private final class BodyTask<Value: Sendable>: ReadTask, @unchecked Sendable {
    private let body: @Sendable (Reader) throws(StoreError) -> Value
    private var kept: Value?
    var continuation: CheckedContinuation<Result<Value, StoreError>, Never>?

    init(_ body: @escaping @Sendable (Reader) throws(StoreError) -> Value) { self.body = body }

    func read(_ reader: Reader) throws(StoreError) { kept = try body(reader) }

    func answer(_ failure: StoreError?) {
        if let failure {
            continuation?.resume(returning: .failure(failure))
        } else if let kept {
            continuation?.resume(returning: .success(kept))
        }
        continuation = nil
    }
}

/// A call with a reader, which answers by itself.
private final class CallTask: ReadTask {
    private let call: @Sendable (Result<Reader, StoreError>) -> Void

    init(_ call: @escaping @Sendable (Result<Reader, StoreError>) -> Void) { self.call = call }

    func read(_ reader: Reader) { call(.success(reader)) }

    func answer(_ failure: StoreError?) { if let failure { call(.failure(failure)) } }
}
