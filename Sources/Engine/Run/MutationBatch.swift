import JSON
import Store
import Synchronization

/// Mutations that are handed to the writer together and answered together.
final class MutationBatch: Sendable {
    private struct State {
        var outcomes: [MutationRun.Outcome?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let answer: @Sendable ([MutationRun.Outcome]) -> Void

    /// Runs mutations in their order, each with an outcome of its own. The closure is called once, on the writer's
    /// thread when what they have changed is on its way to subscribers, or here when the writer takes nothing.
    static func run(
        _ mutations: [MutationRun], on writer: Writer, answer: @escaping @Sendable ([MutationRun.Outcome]) -> Void
    ) {
        // Hot path: most come alone.
        if mutations.count == 1, let mutation = mutations.first {
            return submit(mutation, on: writer, for: nil) { answer([$0]) }
        }
        let batch = MutationBatch(count: mutations.count, answer)
        let time = mutations.first.map { WriterTime(milliseconds: $0.engine.settings.limits.mutationMilliseconds) }
        for (index, mutation) in mutations.enumerated() {
            submit(mutation, on: writer, for: time) { batch.finish(index, $0) }
        }
    }

    private static func submit(
        _ mutation: MutationRun, on writer: Writer, for time: WriterTime?,
        _ answer: @escaping @Sendable (MutationRun.Outcome) -> Void
    ) {
        let place = OutcomePlace(time, mutation.room)
        // It may run twice: an earlier outcome is forgotten, and nobody has heard of it.
        writer.submit(isRepeatable: true, { session in try place.run(mutation, in: session) }) { result in
            let outcome = place.outcome(after: result, of: mutation)
            guard case .success = result else { return answer(outcome) }
            mutation.engine.events.answerAfterFlush { answer(outcome) }
        }
    }

    private init(count: Int, _ answer: @escaping @Sendable ([MutationRun.Outcome]) -> Void) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), missing: count))
        self.answer = answer
    }

    private func finish(_ index: Int, _ outcome: MutationRun.Outcome) {
        let outcomes = state.withLock { state -> [MutationRun.Outcome]? in
            state.outcomes[index] = outcome
            state.missing -= 1
            return state.missing == 0 ? state.outcomes.compactMap(\.self) : nil
        }
        if let outcomes { answer(outcomes) }
    }
}

/// What the mutations of one operation may still take of the writer's time, all together.
///
/// Unchecked: only the writer's thread reads and writes it.
private final class WriterTime: @unchecked Sendable {
    var milliseconds: Int64

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// Where a mutation leaves what came of it until the commit is durable.
///
/// Unchecked: the writer's thread runs the mutation and answers it; no other touches it before.
private final class OutcomePlace: @unchecked Sendable {
    private var found: MutationRun.Outcome?
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

    func run(_ mutation: MutationRun, in session: WriteSession) throws {
        let begin = Timestamp.monotonicMilliseconds
        session.deadline = begin + (time?.milliseconds ?? mutation.engine.settings.limits.mutationMilliseconds)
        defer {
            session.deadline = .max
            time?.milliseconds -= Timestamp.monotonicMilliseconds - begin
        }
        room.giveBack(taken)
        taken = 0
        let outcome = try outcome(of: mutation, in: session)
        found = outcome
        // Its savepoint goes: nothing of a mutation that failed is kept.
        if case .failed = outcome { throw Refused() }
    }

    private func outcome(
        of mutation: MutationRun, in session: WriteSession
    ) throws(StoreError) -> MutationRun.Outcome {
        // Those before it in the same operation may have used up their time, or the response.
        if let time, time.milliseconds <= 0 { return .failed(mutation.context.timeIsOver) }
        guard !room.isSpent(before: part) else { return .failed(room.failure) }
        let outcome = try mutation.outcome(in: session)
        switch outcome {
        case .value(let piece):
            guard room.take(piece.byteCount, for: part) else { return .failed(room.failure) }
            taken = piece.byteCount
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
            if case .value(let piece)? = found, !piece.hasHoles {
                mutation.engine.events.note(mutation.field, piece, mutation.plan)
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

    private struct Refused: Error {}
}
