import GraphQL
import JSON
import Store
import Synchronization

/// Who wants to hear of mutations.
package struct MutationListener: Sendable {
    /// True if anybody does. Asked after a commit.
    let hasListeners: @Sendable () -> Bool
    /// Called after the commits of a group, in their order, on the writer's thread; must not wait.
    let publish: @Sendable ([MutationEvent]) -> Void
    /// Called where a handler ends subscriptions to a field, from any thread.
    let invalidate: @Sendable (_ field: String, _ payload: JSONObject) -> Void
    /// Called for each publish to a channel that nodes share, in the order in which all of them get these; must not wait.
    let publishToChannel: @Sendable (_ channel: String, _ texts: [String]) -> Void
    /// Called where events of other nodes may have been missed, from any thread; must not wait.
    let lose: @Sendable () -> Void

    package init(
        hasListeners: @escaping @Sendable () -> Bool, publish: @escaping @Sendable ([MutationEvent]) -> Void,
        invalidate: @escaping @Sendable (String, JSONObject) -> Void = { _, _ in },
        publishToChannel: @escaping @Sendable (String, [String]) -> Void = { _, _ in },
        lose: @escaping @Sendable () -> Void = {}
    ) {
        self.publishToChannel = publishToChannel
        self.lose = lose
        self.invalidate = invalidate
        self.hasListeners = hasListeners
        self.publish = publish
    }
}

/// Makes events of mutations and hands them out.
final class MutationEvents: Sendable {
    struct State {
        var listener: MutationListener?
        /// What the writer has committed and not handed out.
        var waiting: [MutationEvent] = []
        /// The answers that are given when those are handed out.
        var answers: [@Sendable () -> Void] = []
    }

    let state = Mutex(State())
    let sequence: EventSequence
    /// The writer, which knows whether there are other nodes.
    let writer: Writer

    init(numberedBy sequence: EventSequence, sharedBy writer: Writer) {
        (self.sequence, self.writer) = (sequence, writer)
    }

    func tell(_ listener: MutationListener) { state.withLock { $0.listener = listener } }

    /// Ends subscriptions to a field, by what a handler says of them.
    func invalidate(_ field: String, _ payload: JSONObject) {
        let end = SharedEvent.invalidation(field, payload)
        guard writer.nodes.withLock({ $0 }) != nil else { return hand(end) }
        Task { [self] in
            if await !isShared(end) { hand(end) }
        }
    }

    /// True if anybody wants to hear of a mutation.
    var areHeard: Bool { state.withLock { $0.listener?.hasListeners }?() ?? false }

    /// Takes note of a mutation whose commit is durable. `flush` hands it out. A mutation whose result is null is no event:
    /// it broke, a function answered nothing, or there was nothing to delete.
    ///
    /// What was not taken down while it was written is read again: where something else had to be asked first, and where
    /// nobody listened then.
    func note(
        _ field: RootFieldPlan, _ piece: ResponsePiece, _ plan: OperationPlan, story: OperationStory? = nil
    ) {
        guard areHeard, let value = value(field, piece) else { return }
        state.withLock { state in
            let number = sequence.next()
            story?.told(number)
            state.waiting.append(
                MutationEvent(
                    mutationField: field.name, typeName: plan.document.schema[field.type.named].name, value: value,
                    sequence: number))
        }
    }

    /// The value that subscribers of a mutation get; nil where it is no event.
    func value(_ field: RootFieldPlan, _ piece: ResponsePiece) -> JSONValue? {
        guard !piece.writer.isNull, let shape = field.eventShape,
            let value = piece.event.map(JSONValue.object) ?? EventValue.value(of: piece.writer.bytes, shape),
            !value.isNull
        else { return nil }
        return value
    }

    /// Has an answer given when what was noted is handed out: whoever has read the answer to a mutation and then ends a
    /// subscription has got the event.
    func answerAfterFlush(_ answer: @escaping @Sendable () -> Void) { state.withLock { $0.answers.append(answer) } }

    /// Hands out what was noted, then gives the answers that wait for it.
    func flush() {
        // Published under the lock: who noted first is heard of first, whichever thread flushes.
        let answers = state.withLock { state in
            if !state.waiting.isEmpty { state.listener?.publish(state.waiting) }
            state.waiting = []
            defer { state.answers = [] }
            return state.answers
        }
        for answer in answers { answer() }
    }
}
