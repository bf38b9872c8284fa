import GraphQL
import JSON
import Store

/// Runs the fields of a mutation one after the other. Specification: section 6.2.2.
///
/// Those that change records are handed to the writer together, which keeps their order: the second sees what the first has
/// done, and one flush serves both.
package struct SerialExecution: Sendable {
    let operation: WaitingOperation
    /// The fields that are part of the request.
    let fields: [RootFieldPlan]

    private var plan: OperationPlan { operation.plan }
    private var room: ResponseRoom { operation.room }

    init(_ operation: WaitingOperation) {
        self.operation = operation
        fields = operation.plan.fields.filter { $0.isMet(operation.variables) }
    }

    /// What a field does to a record; nil when it is no such field.
    func run(_ field: RootFieldPlan) -> MutationRun? {
        guard case .mutation(let mutation) = field.action else { return nil }
        return MutationRun(operation, field, mutation)
    }

    func response() async -> [UInt8] {
        var response = MutationResponse(plan, room)
        var index = 0
        while index < fields.count {
            let batch = batch(fields[index...])
            if batch.isEmpty {
                let piece = await value(of: fields[index])
                await tellOf(fields[index], piece)
                response.write(fields[index], .value(piece))
                index += 1
                continue
            }
            for (field, (run, outcome)) in zip(batch, await outcomes(of: batch)) {
                var outcome = await decided(outcome, run)
                if case .value(let piece) = outcome, piece.writer.hasHoles {
                    let whole = await operation.filled(piece)
                    await tellOf(field, whole)
                    outcome = .value(whole)
                }
                response.write(field, outcome)
            }
            index += batch.count
        }
        return response.whole(for: operation.requester)
    }

    private func outcomes(of batch: ArraySlice<RootFieldPlan>) async -> [(MutationRun, MutationRun.Outcome)] {
        let runs = batch.compactMap(run)
        let writer = operation.engine.store.writer
        let outcomes = await withCheckedContinuation { continuation in
            MutationBatch.run(runs, on: writer) { continuation.resume(returning: $0) }
        }
        return Array(zip(runs, outcomes))
    }

    /// The first of these fields that go to the writer together. One about which a function may have to decide goes
    /// alone: those behind it see what came of it.
    private func batch(_ fields: ArraySlice<RootFieldPlan>) -> ArraySlice<RootFieldPlan> {
        let mutations = fields.prefix { if case .mutation = $0.action { true } else { false } }
        let alone = mutations.firstIndex { field in
            if case .mutation(let mutation) = field.action { mutation.type.conflictURL != nil } else { false }
        }
        guard let alone else { return mutations }
        return alone == mutations.startIndex ? mutations.prefix(1) : mutations[..<alone]
    }

    /// The outcome of a mutation; if it met a conflict, after the function has decided.
    private func decided(_ outcome: MutationRun.Outcome, _ run: MutationRun) async -> MutationRun.Outcome {
        guard case .conflict(let conflict) = outcome, let url = run.mutation.type.conflictURL else { return outcome }
        return await ConflictFunction(url, operation).outcome(of: run, after: conflict)
    }

    /// What no database has given becomes an event when it is there. A field with an error is none.
    private func tellOf(_ field: RootFieldPlan, _ piece: ResponsePiece) async {
        guard piece.writer.errors.isEmpty else { return }
        await operation.engine.events.tell(field, piece, plan, story: operation.requester.note?.story)
    }

    // MARK: Other fields

    /// The value of a field that changes no record.
    private func value(of field: RootFieldPlan) async -> ResponsePiece {
        var piece = ResponsePiece(writer: ResponseWriter(bytesMax: room.left, at: field.path))
        if let check = field.check {
            guard case .allow = plan.checks[check].verdict(for: operation.caller) else {
                return failed(field, .unauthorized(field.name, on: plan.rootTypeName))
            }
        }
        // Nothing is called whose result could not be shown.
        guard !room.isSpent else {
            if let failure = room.takeFailure() { return failed(field, failure) }
            piece.writer.isNull = piece.writer.completeFailure(field.type).isBroken
            return piece
        }
        switch field.action {
        case .typename: JSONWriter.writeString(plan.rootTypeName, to: &piece.writer.bytes)
        case .outside(let outside): piece.await(.field(outside.field, source: nil))
        default: JSONWriter.writeNull(to: &piece.writer.bytes)
        }
        return await operation.filled(piece)
    }

    private func failed(_ field: RootFieldPlan, _ failure: FieldFailure) -> ResponsePiece {
        var piece = ResponsePiece(writer: ResponseWriter(bytesMax: room.left, at: field.path))
        piece.writer.add(failure.error(at: field, in: plan))
        piece.writer.isNull = piece.writer.completeFailure(field.type).isBroken
        _ = room.take(piece.writer.byteCount)
        return piece
    }
}

/// A response that nothing but commits are waited for.
package struct WrittenAnswer: Sendable {
    private let runs: [MutationRun]
    private let operation: WaitingOperation

    /// Nil where something else is waited for.
    init?(_ execution: SerialExecution) {
        operation = execution.operation
        let fields = execution.fields
        guard !operation.plan.isWaiting, !fields.isEmpty else { return nil }
        var runs: [MutationRun] = []
        runs.reserveCapacity(fields.count)
        for field in fields {
            guard let run = execution.run(field) else { return nil }
            runs.append(run)
        }
        self.runs = runs
    }

    /// Hands the mutations to the writer, and the response to the closure when they are durable: on the writer's
    /// thread, or here when they are not taken.
    package func begin(_ deliver: @escaping @Sendable ([UInt8]) -> Void) {
        MutationBatch.run(runs, on: operation.engine.store.writer) { [runs, operation] outcomes in
            var response = MutationResponse(operation.plan, operation.room)
            for (run, outcome) in zip(runs, outcomes) { response.write(run.field, outcome) }
            deliver(response.whole(for: operation.requester))
        }
    }
}
