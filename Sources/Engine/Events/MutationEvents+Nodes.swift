import GraphQL
import JSON
import Store

// Several nodes over one database: the order of all events is that of their numbers there.

extension MutationEvents {
    /// Has the subscribers of this process get the events of all nodes.
    func hear(_ nodes: Nodes) {
        nodes.line.listen(
            EventLine.Listener(
                deliver: { [self] contents in
                    // Without subscribers here, no mutation is read.
                    let areHeard = areHeard
                    for content in contents where areHeard || SharedEvent.isPublish(content) {
                        hand(SharedEvent(bytes: content))
                    }
                },
                lose: { [self] in state.withLock { $0.listener }?.lose() }))
    }

    /// Takes down the event of a change for all nodes, within its transaction.
    func share(_ field: RootFieldPlan, _ piece: ResponsePiece, _ plan: OperationPlan, in events: SharedEvents) {
        guard let event = shared(field, piece, plan) else { return }
        events.add(event.bytes)
    }

    /// Tells of a mutation whose result is whole behind its commit, or that has none: all nodes where there are several.
    func tell(
        _ field: RootFieldPlan, _ piece: ResponsePiece, _ plan: OperationPlan, story: OperationStory?
    ) async {
        if writer.nodes.withLock({ $0 }) != nil, let event = shared(field, piece, plan), await isShared(event) {
            return
        }
        note(field, piece, plan, story: story)
        flush()
    }

    private func shared(_ field: RootFieldPlan, _ piece: ResponsePiece, _ plan: OperationPlan) -> SharedEvent? {
        value(field, piece).map { .mutation(field.name, plan.document.schema[field.type.named].name, $0) }
    }

    /// Shares an event that belongs to no transaction: by one of its own. Returns false where no other node lives. Where the database takes
    /// nothing, this node's own subscribers hear of it alone.
    func isShared(_ event: SharedEvent) async -> Bool {
        let isShared = try? await writer.write(turn: .models, key: nil) { session in
            guard let events = session.sharedEvents else { return false }
            events.add(event.bytes)
            return true
        }
        return isShared ?? false
    }

    /// Publishes to a channel on all nodes, this one among them, in one order. Returns false where no other node lives: nobody has got it then.
    func isShared(_ texts: [String], to channel: String) async throws(StoreError) -> Bool {
        let event = SharedEvent.publish(channel, texts)
        do {
            return try await writer.write(turn: .models, key: nil, isRepeatable: true) { session in
                guard let events = session.sharedEvents else { return false }
                events.add(event.bytes)
                return true
            }
        } catch {
            throw StoreError(of: error)
        }
    }

    /// Hands an event to the subscribers of this process, in the order of these calls.
    func hand(_ event: SharedEvent?) {
        switch event {
        case nil: break
        case .invalidation(let field, let payload): state.withLock { $0.listener }?.invalidate(field, payload)
        case .publish(let channel, let texts): state.withLock { $0.listener }?.publishToChannel(channel, texts)
        case .mutation(let field, let type, let value):
            state.withLock { state in
                state.listener?.publish([
                    MutationEvent(mutationField: field, typeName: type, value: value, sequence: sequence.next())
                ])
            }
        }
    }
}
