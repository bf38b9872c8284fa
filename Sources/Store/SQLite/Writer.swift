import CSQLite
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one thread that writes.
///
/// It takes the mutations that wait, runs them in one transaction, each undone by itself when it fails, commits once,
/// and then answers them all in their order. An answer that says success is only given when the commit is on the disk.
///
/// After an error of reading, writing or flushing it stops for good (`onFailure` is told, and should end the process):
/// what SQLite believes to be on the disk may not be there, and a second flush would not say so.
package final class Writer: Sendable {
    fileprivate let queue: MutationQueue
    /// True if the database is a file, which has no use for the keys of changes.
    private let isLocal: Bool
    private let outcome = Mutex<StoreError?>(nil)
    private let groupEnds = Mutex<[GroupEnd]>([])
    private let closing = Mutex<Closing?>(nil)
    private let onFailure: @Sendable (StoreError) -> Void
    private let restores = Atomic<Int>(0)
    /// The nodes that this process is one of; nil where it is the only one.
    package let nodes = Mutex<Nodes?>(nil)
    private let begun = Atomic<Bool>(false)

    /// True once there was something to write, or to do by itself.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// How often the data was put back to what it was (`Store.restore`): what was read before the last time says nothing of
    /// what is there now.
    package var restoreCount: Int { restores.load(ordering: .acquiring) }

    func noteRestore() { restores.add(1, ordering: .releasing) }

    /// What is called after each group. A bare closure in a generic place is wrapped once more by everybody who looks at it:
    /// after some hundred thousand groups the calls through all the wrappers would overflow the stack.
    private struct GroupEnd: Sendable {
        let call: @Sendable () -> Void
    }

    /// What is called before the file is closed in order.
    private struct Closing: Sendable {
        let call: @Sendable (WriteSession) throws(StoreError) -> Void
    }

    /// Writes with a connection that is open.
    convenience init(
        _ connection: consuming Connection, layout: DatabaseLayout = DatabaseLayout(tables: []),
        rooms: KnownRooms = KnownRooms(),
        isMarkedOpen: Bool = false, served: ServedTimes = ServedTimes(), clock: ChangeClock? = nil,
        waitingMax: Int = StoreLimits.waitingMutationsMax,
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) {
        let isLocal = connection.handle != nil
        let session = WriteSession(
            connection, layout: layout, rooms: rooms, isMarkedOpen: isMarkedOpen, served: served, clock: clock)
        try self.init(.open(session), isLocal: isLocal, waitingMax: waitingMax, onFailure)
    }

    /// Opens a connection when there is something to write. While that fails, so do mutations; nothing else is lost by it.
    convenience init(
        path: String, layout: DatabaseLayout, rooms: KnownRooms, served: ServedTimes,
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) {
        let opening = WriterStart.Session.closed { () throws(StoreError) in
            WriteSession(
                try Connection.open(path: path, mode: .writer), layout: layout, rooms: rooms, served: served)
        }
        try self.init(opening, isLocal: true, waitingMax: StoreLimits.waitingMutationsMax, onFailure)
    }

    private init(
        _ session: WriterStart.Session, isLocal: Bool, waitingMax: Int,
        _ onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) {
        queue = MutationQueue(capacity: waitingMax)
        self.isLocal = isLocal
        self.onFailure = onFailure
        let start = Unmanaged.passRetained(WriterStart(self, session))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                // The connection is closed by then: whoever waits for the end may look at the file.
                if let argument { WriterStart.run(argument).end() }
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw StoreError(.unexpected, "the writer's thread cannot start: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }

    /// Hands a mutation over. `answer` is called once, on the writer's thread, or here when it cannot be taken. It must
    /// not block.
    ///
    /// - Parameters:
    ///   - turn: the rooms whose tables the change touches.
    ///   - key: the record that it belongs to; nil for more than one, or for none. Only a server asks.
    ///   - isRepeatable: says that the change may be undone and made again before it is answered. It spares a savepoint.
    ///   - expecting: says what the change will ask (`WriteSession.expect`), so that a server answers that for many changes in one trip. Of
    ///     what it says so, no change of another key may change the answer.
    ///   - foretelling: runs the change before its turn, where it asks for nothing but the record of its key, and changes nothing else
    ///     (`WriteSession.foretell`). What comes of it then is of no use.
    package func submit(
        turn: RoomTurn, key: @autoclosure () -> ChangeKey?, isRepeatable: Bool = false,
        expecting: (@Sendable (WriteSession) -> Void)? = nil,
        foretelling: @autoclosure () -> (@Sendable (WriteSession) -> Void)? = nil,
        _ change: @escaping @Sendable (WriteSession) throws -> Void,
        answer: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let mutation = Mutation(
            change: change, turn: turn, key: isLocal ? nil : key(), isRepeatable: isRepeatable,
            expecting: isLocal ? nil : expecting, foretelling: isLocal ? nil : foretelling(), answer: answer)
        if let refusal = queue.append(mutation) { answer(.failure(refusal)) }
    }

    /// Has something called on the writer's thread whenever the mutations of a group have been answered. It must not
    /// block.
    package func afterEachGroup(_ body: @escaping @Sendable () -> Void) {
        groupEnds.withLock { $0.append(GroupEnd(call: body)) }
    }

    /// Has something called on the writer's thread when the file is closed in order, before it says so.
    func beforeClosing(_ body: @escaping @Sendable (WriteSession) throws(StoreError) -> Void) {
        closing.withLock { $0 = Closing(call: body) }
    }

    /// Runs a mutation and waits until it is on the disk.
    package func write<Value: Sendable>(
        turn: RoomTurn, key: ChangeKey?, isRepeatable: Bool = false,
        _ change: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws -> Value {
        let box = WrittenValue<Value>()
        return try await withCheckedThrowingContinuation { continuation in
            submit(turn: turn, key: key, isRepeatable: isRepeatable, { session in box.value = try change(session) }) {
                result in
                switch (result, box.value) {
                case (.failure(let error), _): continuation.resume(throwing: error)
                case (.success, let value?): continuation.resume(returning: value)
                case (.success, nil):
                    continuation.resume(throwing: StoreError(.unexpected, "a mutation ended without an outcome"))
                }
            }
        }
    }

    /// The same with errors of one type.
    ///
    /// - Parameter failing: makes one of what the change has not thrown as such: an error of the database.
    package func write<Value: Sendable, Failure: Error>(
        turn: RoomTurn, isRepeatable: Bool = false, failing: (any Error) -> Failure,
        _ change: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await write(turn: turn, key: nil, isRepeatable: isRepeatable, change)
        } catch let error as Failure {
            throw error
        } catch {
            throw failing(error)
        }
    }

    /// Runs something by itself, between what was handed over before and what comes later, outside of any transaction. It belongs to no
    /// record.
    func alone<Value: Sendable>(
        turn: RoomTurn, _ work: @escaping @Sendable (WriteSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let outcome: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let box = WrittenValue<Value>()
            let mutation = Mutation(
                change: { session in box.value = try work(session) }, turn: turn, key: nil, isRepeatable: false,
                isAlone: true
            ) { result in
                switch (result, box.value) {
                case (.success, let value?): continuation.resume(returning: .success(value))
                case (.failure(let error as StoreError), _): continuation.resume(returning: .failure(error))
                default:
                    let error = StoreError(.unexpected, "work of the writer ended without an outcome")
                    continuation.resume(returning: .failure(error))
                }
            }
            if let refusal = queue.append(mutation) { continuation.resume(returning: .failure(refusal)) }
        }
        return try outcome.get()
    }

    /// Lets the mutations that wait finish, closes the file cleanly and waits for that.
    package func close() throws(StoreError) {
        queue.close(StoreError(.stopped, "the database is being closed"))
        queue.waitForEnd()
        if let error = outcome.withLock({ $0 }) { throw error }
    }

    fileprivate func run(_ start: WriterStart) {
        while let group = queue.take(max: StoreLimits.groupMutationsMax) {
            begun.store(true, ordering: .releasing)
            let session: WriteSession
            do throws(StoreError) { session = try start.open() } catch {
                for mutation in group { mutation.answer(.failure(error)) }
                continue
            }
            GroupCommit(session).run(group)
            for end in groupEnds.withLock({ $0 }) { end.call() }
            if session.fatalError == nil { session.makeRoomInLog() }
            if session.fatalError == nil, session.log.pageCount >= session.logPagesMax {
                // What goes wrong is in `fatalError`; a reader that holds it up is no error.
                _ = try? session.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            }
            if let error = session.fatalError { return stop(after: error) }
        }
        close(start)
    }

    private func close(_ start: WriterStart) {
        // Where there is none, nothing was written: no failure of opening one loses anything.
        guard let session = try? start.open() else { return }
        do throws(StoreError) {
            try closing.withLock({ $0 })?.call(session)
            if isLocal, session.isMarkedOpen { try session.mark(isOpen: false) }
            // Also where nothing but the tables were made: the one file holds all, and nothing lies beside it.
            if try session.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) { try session.connection.letLogGo() }
        } catch {
            outcome.withLock { $0 = error }
        }
    }

    /// Nothing is written any more, and nothing is retried.
    private func stop(after error: StoreError) {
        outcome.withLock { $0 = error }
        let refusal = StoreError(.stopped, "nothing is written any more: \(error.message)", code: error.code)
        queue.close(refusal)
        for mutation in queue.takeAll() { mutation.answer(.failure(refusal)) }
        onFailure(error)
    }
}

/// What the new thread starts with.
///
/// Unchecked: it goes from the thread that made it to the one that uses it.
private final class WriterStart: @unchecked Sendable {
    enum Session {
        case open(WriteSession)
        case closed(() throws(StoreError) -> WriteSession)
    }

    let writer: Writer
    private var session: Session

    init(_ writer: Writer, _ session: Session) {
        self.writer = writer
        self.session = session
    }

    /// The session, which is opened when it is asked for first.
    func open() throws(StoreError) -> WriteSession {
        switch session {
        case .open(let session): return session
        case .closed(let open):
            let opened = try open()
            session = .open(opened)
            return opened
        }
    }

    /// Writes until the end and lets go of the session. The answer is the queue, whose end is to be told.
    static func run(_ argument: UnsafeMutableRawPointer) -> MutationQueue {
        let start = Unmanaged<WriterStart>.fromOpaque(argument).takeRetainedValue()
        start.writer.run(start)
        return start.writer.queue
    }
}

/// Where a mutation leaves its outcome until it is answered.
///
/// Unchecked: only the writer's thread reads and writes it.
private final class WrittenValue<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
