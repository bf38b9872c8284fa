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
        let story = mutation.operation.requester.note?.story
        writer.submit(
            turn: .models, key: mutation.changeKey, isRepeatable: true,
            foretelling: time == nil && story == nil ? mutation.foretelling : nil,
            { session in
                guard let story else { return try place.run(mutation, in: session) }
                story.mark("waited for the writer")
                try session.observed(by: story.statements) { try place.run(mutation, in: session) }
                story.mark("\(mutation.field.name): decided and written")
            }
        ) { result in
            if case .success = result { story?.committed() } else { story?.mark("refused, and undone") }
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
