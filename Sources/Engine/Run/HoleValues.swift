import GraphQL
import JSON
import Store

/// Finds the values of the holes in a response: calls what has to be called, and writes what came of it.
struct HoleValues: Sendable {
    let engine: Engine
    let plan: OperationPlan
    let variables: VariableValues
    let caller: RunCaller
    let desk: EngineDesk
    private let verdicts: Verdicts
    private let fieldCaller: FieldCaller

    init(
        _ engine: Engine, _ plan: OperationPlan, _ variables: VariableValues, _ caller: RunCaller, _ desk: EngineDesk
    ) {
        self.engine = engine
        self.plan = plan
        self.variables = variables
        self.caller = caller
        self.desk = desk
        verdicts = Verdicts(plan.checks, for: caller.access)
        fieldCaller = caller.requester.fieldCaller
        // What a mutation has just written must be seen.
        desk.endTurn()
    }

    /// The value of a hole as bytes; nil for a null where none may be.
    struct Value: Sendable {
        var bytes: [UInt8]?
        var errors: [GraphQLError]
    }

    /// The values in the order of the holes.
    func values(of holes: [ResponsePiece.Hole]) async -> [Value] {
        if holes.count == 1, let hole = holes.first { return [await value(of: hole)] }
        return await withTaskGroup(of: (Int, Value).self) { group in
            var values = Array(repeating: Value(bytes: nil, errors: []), count: holes.count)
            var next = 0
            func start() {
                let (number, hole) = (next, holes[next])
                group.addTask { (number, await value(of: hole)) }
                next += 1
            }
            while next < min(holes.count, engine.settings.limits.callsMax) { start() }
            while let (number, value) = await group.next() {
                values[number] = value
                if next < holes.count { start() }
            }
            return values
        }
    }

    private func value(of hole: ResponsePiece.Hole) async -> Value {
        switch hole.content {
        case .value(let value, let plan, let parent):
            return await written(value, plan, of: parent, at: hole.path, beside: [])
        case .field(let field, let source):
            switch await outcome(of: field, source, at: hole.path) {
            case .value(let value, let errors):
                return await written(value, field.plan, of: field.typeName, at: hole.path, beside: errors)
            case .written(let bytes, let errors): return Value(bytes: bytes, errors: errors)
            }
        }
    }

    private func written(
        _ value: JSONValue, _ plan: ValuePlan, of parent: String, at path: ResponsePath, beside: [GraphQLError]
    ) async -> Value {
        let permits = verdicts.permission(for: self.plan)
        let outcomes = await ComputedFields.outcomes(
            of: value, plan, at: path, variables, permits: permits
        ) { field, source, path in
            await outcome(of: field, source, at: path)
        }
        var bytes: [UInt8] = []
        var errors = beside
        do throws(GraphQLError) {
            let isWhole = try ValueWriter.write(
                value, plan, of: parent, at: path, variables, outcomes: outcomes,
                isExplained: beside.contains { $0.path == path }, permits: permits, to: &bytes, errors: &errors)
            return Value(bytes: isWhole ? bytes : nil, errors: errors)
        } catch {
            return Value(bytes: plan.type.isNonNull ? nil : Array("null".utf8), errors: errors + [error])
        }
    }

    /// What comes of a computed field.
    private func outcome(
        of field: ComputedField, _ source: JSONObject?, at path: ResponsePath
    ) async -> FieldOutcome {
        switch field.source {
        case .calls(let program):
            guard let outside = desk.outside else {
                return .failure(
                    GraphQLError(
                        "Nothing outside can be called from here", type: "NotImplemented", at: path,
                        locations: field.locations))
            }
            let call = FieldCall(
                arguments: field.arguments.values(variables), source: source, caller: fieldCaller, path: path,
                locations: field.locations)
            return await program.outcome(of: call, over: outside)
        case .engine(let number): return await followRelation(number, of: source ?? JSONObject(), at: path)
        }
    }

    /// The record or the records that a record leads to which no database has given: a function's result.
    private func followRelation(_ number: Int, of source: JSONObject, at path: ResponsePath) async -> FieldOutcome {
        do throws(StoreError) {
            let reader = try desk.beginReading(engine.store, limits: engine.settings.limits)
            var execution = Execution(plan, variables, for: caller, reading: reader, engine.context())
            try execution.runRelation(plan.valueRelations[number], of: source, at: path)
            var piece = execution.piece
            let holes = piece.takeHoles()
            if !holes.isEmpty {
                let values = await values(of: holes)
                for (hole, value) in zip(holes, values).reversed() { piece.fill(hole, with: value.bytes) }
                for value in values { piece.errors += value.errors }
            }
            return .written(piece.isNull ? nil : piece.bytes, errors: piece.errors)
        } catch {
            let failure = engine.context().failure(error)
            return .failure(GraphQLError(failure.message, type: failure.type, at: path, locations: nil))
        }
    }
}
