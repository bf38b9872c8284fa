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
        fieldCaller = operation.requester.fieldCaller
    }

    /// The value of a hole as bytes; nil for a null where none may be.
    struct Value: Sendable {
        var bytes: [UInt8]?
        var errors: [GraphQLError]

        /// What it takes of the response.
        var byteCount: Int { errors.reduce(bytes?.count ?? 0) { $0 + $1.byteCount } }
    }

    /// What has come of a hole whose value may be there at once.
    enum Beginning {
        case ended(Value)
        /// It has to be waited for, from there on.
        indirect case waits(ResolverRun)
    }

    /// Begins with a hole whose value may be there at once; nil: nothing is begun. Called on the loop.
    ///
    /// Hot path: most handlers that read a table need no task.
    func beginning(of hole: ResponsePiece.Hole) -> Beginning? {
        guard case .field(let field, let source) = hole.awaited, case .calls(let program, around: nil) = field.source,
            program.mayEndAtOnce, !field.plan.holdsComputed, !room.isSpent,
            let place = operation.shard.callPlace(in: engine)
        else { return nil }
        switch program.beginning(of: call(field, source, at: hole.place.path), over: place) {
        case nil: return nil
        case .waits(let run)?: return .waits(run)
        case .ended(let outcome)?:
            let value =
                switch outcome {
                case .value(let value, let errors):
                    write(value, field.plan, of: field.typeName, at: hole.place, beside: errors, [:])
                case .written(let bytes, let errors): Value(bytes: bytes, errors: errors)
                }
            return .ended(fitting(value, hole.place))
        }
    }

    /// The values in the order of the holes.
    ///
    /// - Parameter begun: how far the only one has come; nil: nothing is begun.
    func values(of holes: [ResponsePiece.Hole], goingOnWith begun: ResolverRun? = nil) async -> [Value] {
        if holes.count == 1, let hole = holes.first { return [await value(of: hole, goingOnWith: begun)] }
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
    private func value(
        of hole: ResponsePiece.Hole, goingOnWith begun: ResolverRun? = nil
    ) async -> Value {
        guard !room.isSpent else { return missing(hole.place) }
        return fitting(await found(hole, begun), hole.place)
    }

    private func fitting(_ value: Value, _ place: ResponseWriter.Hole) -> Value {
        room.take(value.byteCount) ? value : missing(place)
    }

    /// Null where the response has no room.
    private func missing(_ place: ResponseWriter.Hole) -> Value {
        Value(bytes: place.isNonNull ? nil : Array("null".utf8), errors: tooLarge(at: place.path))
    }

    private func tooLarge(at path: ResponsePath) -> [GraphQLError] {
        guard let failure = room.takeFailure() else { return [] }
        return [GraphQLError(failure.message, type: failure.type, at: path, locations: nil)]
    }

    private func found(_ hole: ResponsePiece.Hole, _ begun: ResolverRun?) async -> Value {
        switch hole.awaited {
        case .value(let value, let plan, let parent):
            return await written(value, plan, of: parent, at: hole.place, beside: [])
        case .field(let field, let source):
            switch await outcome(of: field, source, at: hole.place.path, begun) {
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
        let outcomes = await ComputedFields.outcomes(
            of: value, plan, at: place.path, operation.variables, permits: verdicts.permission(for: operation.plan)
        ) { field, source, path in
            await outcome(of: field, source, at: path)
        }
        return write(value, plan, of: parent, at: place, beside: beside, outcomes)
    }

    private func write(
        _ value: JSONValue, _ plan: ValuePlan, of parent: String, at place: ResponseWriter.Hole,
        beside: [GraphQLError], _ outcomes: [ResponsePath: FieldOutcome]
    ) -> Value {
        let permits = verdicts.permission(for: operation.plan)
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
        of field: ComputedField, _ source: JSONObject?, at path: ResponsePath, _ begun: ResolverRun? = nil
    ) async -> FieldOutcome {
        switch field.source {
        case .calls(let program, let changed):
            if let begun { return await program.outcome(goingOnWith: begun) }
            guard let place = operation.shard.callPlace(in: engine) else {
                return .failure(
                    GraphQLError(
                        "Nothing outside can be called from here", type: "NotImplemented", at: path,
                        locations: field.locations))
            }
            var call = call(field, source, at: path)
            call.operation = planned(changed, of: source ?? JSONObject(), at: path, field.locations)
            return await program.outcome(of: call, over: place)
        case .engine(let number): return await followRelation(number, of: source ?? JSONObject(), at: path)
        }
    }

    private func call(_ field: ComputedField, _ source: JSONObject?, at path: ResponsePath) -> FieldCall {
        var call = FieldCall(
            arguments: field.arguments.values(operation.variables), source: source, caller: fieldCaller, path: path,
            locations: field.locations, clock: operation.clock, requests: CallerRequests(operation))
        call.variables = operation.variables
        call.plan = field.plan
        call.selectionText = field.selectionText
        call.batches = batches
        call.tellOfEffects = { [operation] effects in
            for (name, value) in effects.headers { operation.requester.note?.set(name, to: value) }
            for invalidation in effects.invalidations {
                guard let field = invalidation["subscriptionField"]?.string else { continue }
                operation.engine.events.invalidate(field, invalidation["payload"]?.object ?? JSONObject())
            }
        }
        return call
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
        func readAside() async throws(StoreError) -> Result<ResponsePiece, FieldFailure> {
            try await engine.store.readersAside.read(until: end) { reader throws(StoreError) in
                relation(number, of: source, at: path, change, reading: reader, engine.context())
            }
        }
        do throws(StoreError) {
            // A loop does not wait for a server's answers.
            if engine.store.isLocal {
                let turn = try shard.beginReading(engine.store, until: end, limits: engine.settings.limits)
                let context = engine.context(isTurn: turn.isShorter)
                let begun = relation(number, of: source, at: path, change, reading: turn.reader, context)
                if context.isGivenUp {
                    shard.noteGivenUp(turn)
                    result = try await readAside()
                } else {
                    result = begun
                }
            } else {
                result = try await readAside()
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
