import Store
import Synchronization

/// Mutations that are handed to the writer together and answered together.
final class MutationBatch: Sendable {
    private struct State {
        var outcomes: [MutationRun.Outcome?]
        var missing: Int
        var continuation: CheckedContinuation<[MutationRun.Outcome], Never>?
    }

    private let state: Mutex<State>

    /// Runs mutations in their order, each with an outcome of its own.
    static func run(_ mutations: [MutationRun], on writer: Writer) async -> [MutationRun.Outcome] {
        await withCheckedContinuation { continuation in
            let batch = MutationBatch(count: mutations.count, continuation)
            for (index, mutation) in mutations.enumerated() {
                let place = OutcomePlace()
                writer.submit({ session in try place.run(mutation, in: session) }) { result in
                    let outcome = place.outcome(after: result, of: mutation)
                    guard case .success = result else { return batch.finish(index, outcome) }
                    mutation.engine.events.answerAfterFlush { batch.finish(index, outcome) }
                }
            }
        }
    }

    private init(count: Int, _ continuation: CheckedContinuation<[MutationRun.Outcome], Never>) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), missing: count, continuation: continuation))
    }

    private func finish(_ index: Int, _ outcome: MutationRun.Outcome) {
        let finished = state.withLock {
            state -> (CheckedContinuation<[MutationRun.Outcome], Never>, [MutationRun.Outcome])? in
            state.outcomes[index] = outcome
            state.missing -= 1
            guard state.missing == 0, let continuation = state.continuation.take() else { return nil }
            return (continuation, state.outcomes.compactMap(\.self))
        }
        if let (continuation, outcomes) = finished { continuation.resume(returning: outcomes) }
    }
}

/// Where a mutation leaves what came of it until the commit is durable.
///
/// Unchecked: the writer's thread runs the mutation and answers it; no other touches it before.
private final class OutcomePlace: @unchecked Sendable {
    private var found: MutationRun.Outcome?

    func run(_ mutation: MutationRun, in session: WriteSession) throws {
        let outcome = try mutation.outcome(in: session)
        found = outcome
        // Its savepoint goes: nothing of a mutation that failed is kept.
        if case .failed = outcome { throw Refused() }
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
            return .failed(mutation.engine.context().failure(error))
        }
    }

    private struct Refused: Error {}
}
