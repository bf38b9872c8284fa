import Access
import GraphQL
import JSON
import Store

/// Finds the values of the holes in a response: calls what has to be called, and writes what came of it.
struct HoleValues: Sendable {
    private let operation: WaitingOperation
    private let verdicts: Verdicts
    private let fieldCaller: FieldCaller
    private let batches = InvocationBatches()

    private var engine: Engine { operation.engine }
    private var room: ResponseRoom { operation.room }

    init(of operation: WaitingOperation) {
        self.operation = operation
        verdicts = Verdicts(operation.plan.checks, for: operation.caller)
        fieldCaller = operation.requester.fieldCaller()
        // What a mutation has just written must be seen.
        operation.shard.endTurn()
    }

    /// The value of a hole as bytes; nil for a null where none may be.
    struct Value: Sendable {
        var bytes: [UInt8]?
        var errors: [GraphQLError]

        /// What it takes of the response.
        var byteCount: Int { errors.reduce(bytes?.count ?? 0) { $0 + $1.byteCount } }
    }

    /// The values in the order of the holes.
    func values(of holes: [ResponsePiece.Hole]) async -> [Value] {
        if holes.count == 1, let hole = holes.first { return [await value(of: hole)] }
        let concurrentMax = ComputedField.concurrentMax(
            holes.lazy.map { hole in if case .field(let field, _) = hole.awaited { field } else { nil } },
            ordinarily: engine.settings.limits.callsMax)
        return await withTaskGroup(of: (Int, Value).self) { group in
            var values = Array(repeating: Value(bytes: nil, errors: []), count: holes.count)
            var next = 0
            func start() {
                let (number, hole) = (next, holes[next])
                group.addTask { (number, await value(of: hole)) }
                next += 1
            }
            while next < min(holes.count, concurrentMax) { start() }
            while let (number, value) = await group.next() {
                values[number] = value
                if next < holes.count { start() }
            }
            return values
        }
    }

    /// The value of a hole, if the response has room for it. Otherwise one error says so for all that follow.
    private func value(of hole: ResponsePiece.Hole) async -> Value {
        guard !room.isSpent else { return missing(hole.place) }
        let value = await found(hole)
        return room.take(value.byteCount) ? value : missing(hole.place)
    }

    /// Null where the response has no room.
    private func missing(_ place: ResponseWriter.Hole) -> Value {
        Value(bytes: place.isNonNull ? nil : Array("null".utf8), errors: tooLarge(at: place.path))
    }

    private func tooLarge(at path: ResponsePath) -> [GraphQLError] {
        guard let failure = room.takeFailure() else { return [] }
        return [GraphQLError(failure.message, type: failure.type, at: path, locations: nil)]
    }

    private func found(_ hole: ResponsePiece.Hole) async -> Value {
        switch hole.awaited {
        case .value(let value, let plan, let parent):
            return await written(value, plan, of: parent, at: hole.place, beside: [])
        case .field(let field, let source):
            switch await outcome(of: field, source, at: hole.place.path) {
            case .value(let value, let errors):
                return await written(value, field.plan, of: field.typeName, at: hole.place, beside: errors)
            case .written(let bytes, let errors): return Value(bytes: bytes, errors: errors)
            }
        }
    }

    private func written(
        _ value: JSONValue, _ plan: ValuePlan, of parent: String, at place: ResponseWriter.Hole,
        beside: [GraphQLError]
    ) async -> Value {
        let permits = verdicts.permission(for: operation.plan)
        let outcomes = await ComputedFields.outcomes(
            of: value, plan, at: place.path, operation.variables, permits: permits
        ) { field, source, path in
            await outcome(of: field, source, at: path)
        }
        var values = ValueWriter(operation.variables, outcomes: outcomes, permits: permits)
        var writer = ResponseWriter(bytesMax: room.left, at: place.path)
        do throws(ResponseTooLong) {
            let completion = try values.complete(
                value, plan, of: parent, isExplained: beside.contains { $0.path == place.path }, in: &writer)
            return Value(bytes: completion.isBroken ? nil : writer.bytes, errors: beside + writer.errors)
        } catch {
            room.spend()
            return missing(place)
        }
    }

    /// What comes of a computed field.
    private func outcome(
        of field: ComputedField, _ source: JSONObject?, at path: ResponsePath
    ) async -> FieldOutcome {
        switch field.source {
        case .calls(let program, let changed):
            guard let outside = operation.shard.outside else {
                return .failure(
                    GraphQLError(
                        "Nothing outside can be called from here", type: "NotImplemented", at: path,
                        locations: field.locations))
            }
            var call = FieldCall(
                arguments: field.arguments.values(operation.variables), source: source, caller: fieldCaller, path: path,
                locations: field.locations, clock: operation.clock, requests: CallerRequests(operation))
            call.variables = operation.variables
            call.plan = field.plan
            call.batches = batches
            call.operation = planned(changed, of: source ?? JSONObject(), at: path, field.locations)
            call.tellOfEffects = { [engine, note = operation.requester.note] effects in
                for (name, value) in effects.headers { note?.set(name, to: value) }
                for invalidation in effects.invalidations {
                    guard let field = invalidation["subscriptionField"]?.string else { continue }
                    engine.events.invalidate(field, invalidation["payload"]?.object ?? JSONObject())
                }
            }
            return await program.outcome(
                of: call, over: outside, tables: operation.shard.tables, handlers: operation.shard.handlers(in: engine),
                cursors: engine.tableCursors)
        case .engine(let number): return await followRelation(number, of: source ?? JSONObject(), at: path)
        }
    }

    /// What the steps of a field stand around.
    private func planned(
        _ changed: ChangedField?, of source: JSONObject, at path: ResponsePath, _ locations: [SourceLocation]?
    ) -> (any SteppedOperation)? {
        switch changed {
        case .operation(let plan)?: PlannedRun(plan, operation)
        case .relation(let asked, let whole)?:
            PlannedRelation(self, asked: asked, whole: whole, of: source, at: path, locations)
        case nil: nil
        }
    }

    // MARK: Relations

    var caller: Caller { operation.caller }
    var isMutation: Bool { operation.plan.isMutation }

    func relation(_ number: Int) -> ValueRelation { operation.plan.valueRelations[number] }

    /// The record or the records that a record leads to which no database has given: a function's result.
    func followRelation(
        _ number: Int, of source: JSONObject, at path: ResponsePath, changedBy change: OperationChange? = nil
    ) async -> FieldOutcome {
        let piece: ResponsePiece
        do throws(FieldFailure) {
            piece = try await relation(number, of: source, at: path, change)
        } catch {
            if error.isResponseTooLarge {
                room.spend()
                return .value(.null, errors: tooLarge(at: path))
            }
            return .failure(GraphQLError(error.message, type: error.type, at: path, locations: nil))
        }
        var filled = piece
        if piece.writer.hasHoles {
            let holes = filled.takeHoles()
            let values = await values(of: holes)
            filled.fill(holes, with: values)
            // They are a part of what takes the room now.
            for value in values { room.giveBack(value.byteCount) }
        }
        return .written(filled.writer.isNull ? nil : filled.writer.bytes, errors: filled.writer.errors)
    }

    /// What is written of such a relation: on the loop, or beside it when that takes too long.
    private func relation(
        _ number: Int, of source: JSONObject, at path: ResponsePath, _ change: OperationChange?
    ) async throws(FieldFailure) -> ResponsePiece {
        let (engine, shard, end) = (engine, operation.shard, operation.clock.end)
        let result: Result<ResponsePiece, FieldFailure>
        do throws(StoreError) {
            let turn = try shard.beginReading(engine.store, until: end, limits: engine.settings.limits)
            let context = engine.context(isTurn: turn.isShorter)
            let begun = relation(number, of: source, at: path, change, reading: turn.reader, context)
            if context.isGivenUp {
                shard.noteGivenUp(turn)
                result = try await engine.store.readersAside.read(until: end) { reader throws(StoreError) in
                    relation(number, of: source, at: path, change, reading: reader, engine.context())
                }
            } else {
                result = begun
            }
        } catch {
            throw engine.context().failure(error, isRead: true)
        }
        return try result.get()
    }

    private func relation(
        _ number: Int, of source: JSONObject, at path: ResponsePath, _ change: OperationChange?,
        reading reader: Reader, _ context: RunContext
    ) -> Result<ResponsePiece, FieldFailure> {
        var execution = Execution(
            operation.plan, operation.variables, for: operation.caller, reading: reader, context, bytesMax: room.left,
            at: path)
        execution.change = change
        do throws(RunError) {
            try execution.runRelation(operation.plan.valueRelations[number], of: source)
            return .success(execution.piece)
        } catch {
            return .failure(context.failure(error))
        }
    }
}
