import JSON
import Store

/// What the mutations of one operation may still take of the writer's time, all together.
///
/// Unchecked: only the writer's thread reads and writes it.
final class WriterTime: @unchecked Sendable {
    var milliseconds: Int64

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// Where a mutation leaves what came of it until the commit is durable.
///
/// Unchecked: the writer's thread runs the mutation and answers it; no other touches it before.
final class OutcomePlace: @unchecked Sendable {
    private var found: MutationRun.Outcome?
    /// True if its event goes to all nodes with the commit.
    private var isShared = false
    /// Nil for one that comes alone.
    private let time: WriterTime?
    private let room: ResponseRoom
    /// Which part of the response it is.
    private let part: Int
    /// What it has taken of the response.
    private var taken = 0

    init(_ time: WriterTime?, _ room: ResponseRoom) {
        self.time = time
        self.room = room
        part = room.nextPart()
    }

    func run(_ mutation: MutationRun, in session: any RecordWriting) throws {
        let begin = Timestamp.monotonicMilliseconds
        session.deadline = begin + (time?.milliseconds ?? mutation.engine.settings.limits.mutationMilliseconds)
        defer {
            session.deadline = .max
            time?.milliseconds -= Timestamp.monotonicMilliseconds - begin
        }
        room.giveBack(taken)
        taken = 0
        let outcome = outcome(of: mutation, in: session)
        found = outcome
        isShared = false
        if let events = session.sharedEvents { share(outcome, of: mutation, in: events) }
        // Its savepoint goes: nothing of a mutation that failed is kept.
        if case .failed = outcome { throw Refused() }
    }

    private func outcome(of mutation: MutationRun, in session: any RecordWriting) -> MutationRun.Outcome {
        // Those before it in the same operation may have used up their time, or the response.
        if let time, time.milliseconds <= 0 { return .failed(mutation.context.failure(.end(.timeIsOver))) }
        guard !room.isSpent(before: part) else { return .failed(room.failure) }
        let outcome = mutation.outcome(in: session)
        switch outcome {
        case .value(let piece):
            guard room.take(piece.writer.byteCount, for: part) else { return .failed(room.failure) }
            taken = piece.writer.byteCount
        case .failed(let failure) where failure.isResponseTooLarge: room.spend(from: part)
        case .failed(let failure):
            // It is told in any case; those behind it may have no room then.
            if room.take(failure.byteCount, for: part) { taken = failure.byteCount }
        case .conflict: break
        }
        return outcome
    }

    func outcome(after result: Result<Void, any Error>, of mutation: MutationRun) -> MutationRun.Outcome {
        switch result {
        case .success:
            // A response with holes becomes an event when it is whole.
            if case .value(let piece)? = found, !piece.writer.hasHoles, mutation.change == nil {
                if !isShared {
                    mutation.engine.events.note(
                        mutation.field, piece, mutation.plan, story: mutation.operation.requester.note?.story)
                }
            }
            return found ?? .failed(FieldFailure("The mutation gave no outcome.", type: "InternalFailure"))
        case .failure(let error):
            if error is Refused, let found { return found }
            guard let error = error as? StoreError else {
                return .failed(FieldFailure("The mutation failed.", type: "InternalFailure"))
            }
            return .failed(mutation.context.failure(error))
        }
    }

    /// Has all nodes hear of it with the commit, where it becomes an event then.
    private func share(_ outcome: MutationRun.Outcome, of mutation: MutationRun, in events: SharedEvents) {
        guard case .value(let piece) = outcome, !piece.writer.hasHoles, mutation.change == nil else { return }
        isShared = true
        mutation.engine.events.share(mutation.field, piece, mutation.plan, in: events)
    }

    private struct Refused: Error {}
}
