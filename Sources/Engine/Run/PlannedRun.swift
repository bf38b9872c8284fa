import Access
import GraphQL
import JSON
import Store

/// One run of what Amplify makes for an operation of a model, for the app's own steps around it.
struct PlannedRun: SteppedOperation {
    private let plans: ChangedPlan
    private let operation: WaitingOperation

    init(_ plans: ChangedPlan, _ operation: WaitingOperation) {
        self.plans = plans
        self.operation = operation
    }

    private var engine: Engine { operation.engine }
    private var caller: Caller { operation.caller }
    private var field: RootFieldPlan { plans.asked }

    func error(_ failure: FieldFailure) -> GraphQLError { failure.error(at: field, in: operation.plan) }

    // MARK: Rights

    func permission(_ arguments: JSONObject, isReplaced: Bool) async throws(FieldFailure) -> OperationPermission {
        let refusal = FieldFailure.unauthorized(field.name, on: operation.plan.rootTypeName)
        if let check = field.check {
            guard case .allow = operation.plan.checks[check].verdict(for: caller) else { throw refusal }
        }
        func reading(_ decision: Decision) throws(FieldFailure) -> OperationPermission {
            try OperationPermission(decision, isReplaced: isReplaced, refusal: refusal)
        }
        switch field.action {
        case .get(let get):
            return try reading(get.type.access.get.decision(for: caller) { KeyArgument(arguments[$0]) })
        case .list(let list):
            return try reading(list.access?.decision(for: caller) { KeyArgument(arguments[$0]) } ?? .deny)
        case .search(let search): return try reading(search.type.access.search.decision(for: caller))
        case .sync(let sync): return try reading(sync.type.access.sync.decision(for: caller))
        case .mutation(let mutation):
            return try await writing(mutation, arguments, isReplaced: isReplaced, refusal)
        case .typename, .introspection, .outside, .null: throw refusal
        }
    }

    private func writing(
        _ mutation: MutationPlan, _ arguments: JSONObject, isReplaced: Bool, _ refusal: FieldFailure
    ) async throws(FieldFailure) -> OperationPermission {
        let access = mutation.type.access
        let input = arguments["input"]?.object ?? JSONObject()
        let fields: [String]
        switch mutation.kind {
        case .create:
            switch access.create.outcome(for: caller, input: input) {
            case .allow(let filling): return OperationPermission(filling: filling)
            case .deny: throw refusal
            case .denyFields(let fields): throw Self.refusal(of: fields)
            }
        case .update: fields = access.update.recordFields
        case .delete: fields = access.delete.recordFields
        }
        // Where the operation runs it asks itself, of the record as it is then.
        guard isReplaced || fields.isEmpty else { return OperationPermission() }
        let record = try await record(of: fields, input, in: mutation.type)
        let decision =
            mutation.kind == .update
            ? access.update.decision(for: caller, input: input) { record[$0] }
            : access.delete.decision(for: caller) { record[$0] }
        switch decision {
        case .allow: return OperationPermission()
        case .deny: throw refusal
        case .failsCondition: throw FieldFailure.conditionFailed
        case .denyFields(let fields): throw Self.refusal(of: fields)
        }
    }

    private static func refusal(of fields: [String]) -> FieldFailure {
        FieldFailure(WriteDecision.message(denying: fields), type: Refusals.errorType)
    }

    /// The stored values that rules compare; none where there is no such record.
    private func record(
        of fields: [String], _ input: JSONObject, in type: RecordType
    ) async throws(FieldFailure) -> JSONObject {
        guard !fields.isEmpty else { return JSONObject() }
        let key = type.model.key.fields.map { field in
            StoredValue(input[field] ?? .null, as: type.table.column(of: field)?.kind ?? .text)
        }
        let table = type.table
        let result: Result<JSONObject, RunError>
        do throws(StoreError) {
            result = try await engine.store.readersAside.read(until: operation.end) { reader throws(StoreError) in
                do throws(RunError) {
                    var values = JSONObject()
                    _ = try reader.get(KeyLookup(table, fields: fields), key: key) { row throws(RunError) in
                        for (column, field) in fields.enumerated() {
                            guard let kind = table.column(of: field)?.kind, !row.isNull(column) else { continue }
                            values.set(field, to: row.value(column).json(as: kind))
                        }
                    }
                    return .success(values)
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw engine.context().failure(error, isRead: true)
        }
        do throws(RunError) { return try result.get() } catch { throw engine.context().failure(error) }
    }

    // MARK: The operation

    func outcome(_ change: OperationChange, isWhole: Bool) async -> FieldOutcome {
        let piece = await written(change, isWhole: isWhole)
        return .written(piece.writer.isNull ? nil : piece.writer.bytes, errors: piece.writer.errors)
    }

    private func written(_ change: OperationChange, isWhole: Bool) async -> ResponsePiece {
        let field = isWhole ? plans.whole ?? plans.asked : plans.asked
        do throws(FieldFailure) {
            if case .mutation(let mutation) = field.action { return try await changed(field, mutation, change) }
            return try await read(field, change)
        } catch {
            return failed(error)
        }
    }

    private func failed(_ failure: FieldFailure) -> ResponsePiece {
        var piece = ResponsePiece(writer: ResponseWriter(bytesMax: operation.room.left, at: field.path))
        piece.writer.add(error(failure))
        piece.writer.isNull = piece.writer.completeFailure(field.type).isBroken
        return piece
    }

    private func changed(
        _ field: RootFieldPlan, _ mutation: MutationPlan, _ change: OperationChange
    ) async throws(FieldFailure) -> ResponsePiece {
        let run = MutationRun(operation, field, mutation, change)
        let writer = engine.store.writer
        let outcomes = await withCheckedContinuation { continuation in
            MutationBatch.run([run], on: writer) { continuation.resume(returning: $0) }
        }
        var outcome =
            outcomes.first ?? .failed(FieldFailure("The mutation gave no outcome.", type: "InternalFailure"))
        if case .conflict(let conflict) = outcome, let url = mutation.type.conflictURL {
            outcome = await ConflictFunction(url, operation).outcome(of: run, after: conflict)
        }
        switch outcome {
        case .value(let piece):
            // It is a part of what the field takes, which is counted when that is written.
            operation.room.giveBack(piece.writer.byteCount)
            return await operation.filled(piece)
        case .conflict: throw .conflictUndecided("Nobody decides about the conflict.")
        case .failed(let failure): throw failure
        }
    }

    /// On the loop, or beside it when that takes too long.
    private func read(_ field: RootFieldPlan, _ change: OperationChange) async throws(FieldFailure) -> ResponsePiece {
        let (engine, shard, end) = (engine, operation.shard, operation.end)
        var start: SyncStart?
        let isSync = if case .sync = field.action { true } else { false }
        var isLong = !engine.store.isLocal
        switch field.action {
        case .sync: start = shard.beginSync(engine.store.changeClock)
        case .search: isLong = true
        default: break
        }
        func readAside() async throws(StoreError) -> ResponsePiece {
            let start = start
            return try await engine.store.readersAside.read(until: end) { reader throws(StoreError) in
                let start = isSync ? try engine.syncStart(start, reader) : nil
                return self.piece(field, change, start, reading: reader, engine.context())
            }
        }
        let piece: ResponsePiece
        do throws(StoreError) {
            if isLong {
                piece = try await readAside()
            } else {
                let turn = try shard.beginReading(engine.store, until: end, limits: engine.settings.limits)
                let context = engine.context(isTurn: turn.isShorter)
                let begun = self.piece(field, change, start, reading: turn.reader, context)
                if context.isGivenUp {
                    shard.noteGivenUp(turn)
                    piece = try await readAside()
                } else {
                    piece = begun
                }
            }
        } catch {
            throw engine.context().failure(error, isRead: true)
        }
        return await operation.filled(piece)
    }

    private func piece(
        _ field: RootFieldPlan, _ change: OperationChange, _ start: SyncStart?, reading reader: Reader,
        _ context: RunContext
    ) -> ResponsePiece {
        var execution = Execution(
            operation.plan, operation.variables, for: caller, reading: reader, context, bytesMax: operation.room.left,
            at: field.path)
        if let start { execution.syncStart = start }
        execution.change = change
        execution.run(field)
        return execution.piece
    }
}
