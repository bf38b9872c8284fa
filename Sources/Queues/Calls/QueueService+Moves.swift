import Cloud
import JSON
import Network
import Store

/// Messages of a queue of dead letters move on: tasks that a call starts, and that others list and cancel.
extension QueueService {
    func startMove(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let (source, destination) = (input.demanded("SourceArn"), input.text("DestinationArn"))
        let perSecond = try input.number("MaxNumberOfMessagesPerSecond", from: QueueLimits.movedPerSecond)
        let queue = try await self.queue(source, "SourceArn")
        if let destination { _ = try await self.queue(destination, "DestinationArn") }
        guard try await !sources(of: queue.name).isEmpty else {
            throw .invalid("Source queue must be configured as a Dead Letter Queue.")
        }
        guard let loop = place.loop else { throw QueueError("InternalFailure", "Nobody waits there.", status: 500) }
        let move = QueueMove(
            source: source, destination: destination, perSecond: perSecond, started: queues.now, count: queue.messages,
            node: queues.store.nodes?.number)
        try queues.moves.begin(move)
        do throws(QueueError) {
            try await queues.write { transaction in
                if try transaction.isMovedElsewhere(source) { throw QueueError.movesAlready }
                try transaction.keep(move)
                try transaction.session.change(QueueRows.oldMoves, [.integer(Int64(QueueLimits.movesMax))])
            }
        } catch {
            queues.moves.change(move.id) { ($0.status, $0.reason) = (.failed, error.code) }
            throw error
        }
        Task(executorPreference: loop) { [queues] in await queues.run(move, from: queue, on: loop) }
        return JSONObject([("TaskHandle", .string(move.handle))])
    }

    func moves(_ input: CallInput) async throws(QueueError) -> JSONObject {
        let source = input.demanded("SourceArn")
        let count = try input.number("MaxResults", from: 1...QueueLimits.movesShownMax)
        _ = try await queue(source, "SourceArn")
        let moves = try await queues.moves(of: source, max: count ?? 1)
        return JSONObject([("Results", .array(moves.map(\.json)))])
    }

    func cancelMove(_ input: CallInput) async throws(QueueError) -> JSONObject {
        guard let (id, source) = QueueMove.parts(of: input.demanded("TaskHandle")) else {
            throw .invalid("Value for parameter TaskHandle is invalid.")
        }
        _ = try await queue(source, "SourceArn")
        var move = queues.moves.change(id) { move in if move.status == .running { move.status = .ending } }
        if move == nil, queues.store.nodes != nil {
            move = try await queues.write { transaction in try transaction.cancelElsewhere(id) }
        }
        guard let move, ByteText(move.source) == ByteText(source) else {
            throw QueueError("ResourceNotFoundException", "Task does not exist.", status: 404)
        }
        return JSONObject([("ApproximateNumberOfMessagesMoved", .integer(move.moved))])
    }

    private func queue(_ arn: String, _ parameter: String) async throws(QueueError) -> StoredQueue {
        guard let name = queues.name(ofARN: arn), let queue = try? await queues.known(name) else {
            throw .noResource(parameter)
        }
        return queue
    }
}

extension QueueTransaction {
    /// Notes how far a move is.
    func keep(_ move: QueueMove) throws {
        try session.bring(QueueTables.moves)
        try session.change(QueueRows.move, [.text(move.id), .text(move.source), .text(move.stored)])
    }

    /// A move as its row has it; nil: there is none.
    private func move(_ id: String) throws -> QueueMove? {
        try session.bring(QueueTables.moves)
        var move: QueueMove?
        try session.rows(QueueRows.moveOfID, [.text(id)]) { row throws(StoreError) in
            move = QueueMove(id, of: row.text(0), stored: row.text(1))
            return false
        }
        return move
    }

    /// Returns whether another node that lives runs a move of a queue.
    fileprivate func isMovedElsewhere(_ source: String) throws -> Bool {
        let living = try session.livingNodes()
        guard !living.isEmpty else { return false }
        try session.bring(QueueTables.moves)
        var isMoved = false
        let values: [StoredValue] = [.text(source), .integer(QueueLimits.movesShownMax)]
        try session.rows(QueueRows.moves, values) { row throws(StoreError) in
            var move = QueueMove(row.text(0), of: source, stored: row.text(1))
            move.noteInterruption(living)
            isMoved = isMoved || (move.isActive && move.node != session.nodeNumber)
            return true
        }
        return isMoved
    }

    /// Has another node end a move that it runs; nil: none does.
    fileprivate func cancelElsewhere(_ id: String) throws -> QueueMove? {
        guard var move = try move(id) else { return nil }
        move.noteInterruption(try session.livingNodes())
        if move.status == .running {
            move.status = .ending
            try keep(move)
        }
        return move
    }

    /// Returns whether another node has ended a move that this one runs.
    fileprivate func isCancelledElsewhere(_ move: QueueMove) throws -> Bool {
        guard move.node != nil else { return false }
        return try self.move(move.id)?.status == .ending
    }
}

extension Queues {
    /// The last moves of a queue, the newest first. One that no process runs any more, and that has not ended, has failed.
    func moves(of source: String, max: Int64) async throws(QueueError) -> [QueueMove] {
        let isNode = store.nodes != nil
        let stored = try await read(
            { reader throws(StoreError) -> [QueueMove] in
                var stored: [QueueMove] = []
                guard try reader.has(QueueTables.moves) else { return stored }
                let living = isNode ? try reader.livingNodes() : []
                try reader.rows(QueueRows.moves, [.text(source), .integer(max)]) { row throws(StoreError) in
                    var move = QueueMove(row.text(0), of: source, stored: row.text(1))
                    move.noteInterruption(living)
                    stored.append(move)
                    return true
                }
                return stored
            }, ifNone: [])
        return stored.map { moves.move($0.id) ?? $0 }
    }

    /// Moves all messages that are there at the beginning, a part at a time, between which others have their turns.
    func run(_ move: QueueMove, from queue: StoredQueue, on loop: EventLoop) async {
        let target = move.destination.flatMap(name)
        let nap = WakeableSleep(on: loop, clock: SystemMailClock())
        do throws(QueueError) {
            let last = try await write { try $0.integer(QueueRows.last, [.integer(queue.number)]) }
            var after: Int64 = 0
            var isDone = false
            while !isDone, moves.change(move.id, { _ in })?.status == .running {
                nap.begin()
                let (begin, before) = (after, moves.move(move.id) ?? move)
                let (outcome, place) = try await write { transaction -> ((moved: Int64, hasMore: Bool)?, Int64) in
                    if try transaction.isCancelledElsewhere(before) { return (nil, begin) }
                    var after = begin
                    let outcome = try transaction.moveOn(
                        from: try transaction.demanded(queue.name), to: target, after: &after, upTo: last,
                        max: move.perSecond ?? QueueLimits.movedOnAtOnce)
                    var now = before
                    now.moved += outcome.moved
                    try transaction.keep(now)
                    return (outcome, after)
                }
                guard let outcome else {
                    moves.change(move.id) { $0.status = .ending }
                    continue
                }
                after = place
                isDone = !outcome.hasMore
                moves.change(move.id) { $0.moved += outcome.moved }
                if !isDone, move.perSecond != nil { await nap.sleep(until: nil, atMost: Self.moveMilliseconds) }
            }
            await end(move, moves.move(move.id)?.status == .ending ? .cancelled : .completed)
        } catch {
            await end(move, .failed, error.code)
        }
    }

    /// First on the disk: who sees that a move has ended finds the same after a restart.
    private func end(_ move: QueueMove, _ status: QueueMove.Status, _ reason: String? = nil) async {
        var ended = moves.move(move.id) ?? move
        (ended.status, ended.reason) = (status, reason)
        let kept = ended
        // Where it cannot be written, the database has it as one that was interrupted.
        do throws(QueueError) { try await write { try $0.keep(kept) } } catch {}
        moves.change(move.id) { ($0.status, $0.reason) = (status, reason) }
    }

    /// The time in which a number of messages is moved.
    private static let moveMilliseconds: Int64 = 1_000
}
