import GraphQL
import JSON
import Store

/// A response that has to be waited for.
package struct PendingAnswer: Sendable {
    private let engine: Engine
    private let plan: OperationPlan
    private let variables: VariableValues
    private let caller: RunCaller
    private let desk: EngineDesk
    private let work: Work
    private let room: ResponseRoom
    /// When a query and all calls of the operation have to end, in milliseconds of the monotonic clock.
    private let end: Int64
    private let clock: CallClock

    /// What has to be done for it.
    enum Work: Sendable {
        case mutations
        /// A query that is too long for its loop: nothing of it is written.
        case read(ReadBesideLoop)
        /// What a query has written has holes in it.
        case fill(ResponsePiece)
    }

    init(
        _ engine: Engine, _ plan: OperationPlan, _ variables: VariableValues, _ caller: RunCaller,
        _ desk: EngineDesk, until end: Int64,
        _ work: Work
    ) {
        self.engine = engine
        self.plan = plan
        self.variables = variables
        self.caller = caller
        self.desk = desk
        self.work = work
        self.end = end
        clock = CallClock(end: end)
        let bytesMax = engine.settings.limits.responseBytesMax
        if case .fill(let piece) = work {
            room = ResponseRoom(left: piece.bytesLeft, of: bytesMax)
        } else {
            room = ResponseRoom(left: bytesMax, of: bytesMax)
        }
    }

    /// The response. Called on the loop of the desk.
    package func response() async -> [UInt8] {
        var piece: ResponsePiece
        switch work {
        case .mutations: piece = await mutate()
        case .fill(let query): piece = await filled(query)
        case .read(let read):
            do throws(StoreError) {
                switch try await engine.read(plan, variables, for: caller, read, until: end) {
                case .response(let response): return response
                case .holes(let query):
                    _ = room.take(query.byteCount)
                    piece = await filled(query)
                }
            } catch {
                let failure = engine.context().failure(error, isRead: true)
                return GraphQLError.refusal([
                    GraphQLError(
                        failure.message, resolver: GraphQLError.ResolverPart(errorType: failure.type))
                ])
            }
        }
        return piece.takeResponse(for: caller.requester)
    }

    /// Whether nothing is lost when nobody waits for it any more.
    package var isRead: Bool {
        if case .read = work { true } else { false }
    }

    /// The same where nothing but the writer is waited for; nil where something else may be.
    package var written: WrittenAnswer? {
        guard case .mutations = work, !plan.isWaiting else { return nil }
        let fields = plan.fields.filter { $0.isMet(variables) }
        let runs = fields.compactMap(run)
        guard !runs.isEmpty, runs.count == fields.count else { return nil }
        return WrittenAnswer(plan, runs, room, for: caller.requester, on: engine.store.writer)
    }

    /// What a field does to a record; nil when it is no such field.
    private func run(_ field: RootFieldPlan) -> MutationRun? {
        guard case .mutation(let mutation) = field.action else { return nil }
        return MutationRun(
            plan: plan, field: field, mutation: mutation, variables: variables, caller: caller, now: .now,
            engine: engine, room: room)
    }

    // MARK: Mutations

    /// Runs the fields one after the other. Those that change records are handed to the writer together, which keeps
    /// their order: the second sees what the first has done, and one flush serves both.
    private func mutate() async -> ResponsePiece {
        let fields = plan.fields.filter { $0.isMet(variables) }
        var response = RootWriter(plan, room)
        var index = 0
        while index < fields.count {
            let batch = batch(fields[index...])
            if batch.isEmpty {
                let piece = await value(of: fields[index])
                tellOf(fields[index], piece)
                response.write(fields[index], piece)
                index += 1
                continue
            }
            let runs = batch.compactMap(run)
            let writer = engine.store.writer
            let outcomes = await withCheckedContinuation { continuation in
                MutationBatch.run(runs, on: writer) { continuation.resume(returning: $0) }
            }
            for (field, (run, outcome)) in zip(batch, zip(runs, outcomes)) {
                switch await decided(outcome, run) {
                case .conflict: response.write(field, .conflictUndecided("Nobody decides about the conflict."))
                case .value(let piece):
                    let whole = await filled(piece)
                    if piece.hasHoles { tellOf(field, whole) }
                    response.write(field, whole)
                case .failed(let failure): response.write(field, failure)
                }
            }
            index += batch.count
        }
        return response.whole
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
        return await ConflictFunction(url, engine, desk, clock).outcome(of: run, after: conflict)
    }

    /// What no database has given becomes an event when it is there. A field with an error is none.
    private func tellOf(_ field: RootFieldPlan, _ piece: ResponsePiece) {
        guard piece.errors.isEmpty else { return }
        engine.events.note(field, piece, plan)
        engine.events.flush()
    }

    /// The value of a field that changes no record.
    private func value(of field: RootFieldPlan) async -> ResponsePiece {
        var piece = ResponsePiece(bytesMax: room.left)
        if let check = field.check {
            guard case .allow = plan.checks[check].verdict(for: caller.access) else {
                return failed(field, .unauthorized(field.name, on: plan.rootTypeName))
            }
        }
        // Nothing is called whose result could not be shown.
        guard !room.isSpent else {
            if let failure = room.takeFailure() { return failed(field, failure) }
            JSONWriter.writeNull(to: &piece.bytes)
            piece.isNull = field.type.isNonNull
            return piece
        }
        switch field.action {
        case .typename: JSONWriter.writeString(plan.rootTypeName, to: &piece.bytes)
        case .outside(let outside):
            piece.leaveHole(for: .field(outside.field, source: nil), at: ResponsePath([.name(field.responseName)]))
        default: JSONWriter.writeNull(to: &piece.bytes)
        }
        return await filled(piece)
    }

    private func failed(_ field: RootFieldPlan, _ failure: FieldFailure) -> ResponsePiece {
        var piece = ResponsePiece(bytesMax: room.left)
        piece.add(
            GraphQLError(
                failure.message, type: failure.type, at: ResponsePath([.name(field.responseName)]),
                locations: plan.locations(of: field.position)))
        JSONWriter.writeNull(to: &piece.bytes)
        piece.isNull = field.type.isNonNull
        _ = room.take(piece.byteCount)
        return piece
    }

    // MARK: Holes

    /// Asks what has to be asked, a bounded number at the same time, and fills the holes.
    private func filled(_ piece: ResponsePiece) async -> ResponsePiece {
        guard piece.hasHoles else { return piece }
        var piece = piece
        let holes = piece.takeHoles()
        let values = await HoleValues(engine, plan, variables, caller, desk, room, clock).values(of: holes)
        piece.fill(holes, with: values.map(\.bytes))
        for value in values { piece.add(value.errors) }
        return piece
    }
}

/// A response that nothing but commits are waited for.
package struct WrittenAnswer: Sendable {
    private let plan: OperationPlan
    private let runs: [MutationRun]
    private let room: ResponseRoom
    private let requester: Requester
    private let writer: Writer

    fileprivate init(
        _ plan: OperationPlan, _ runs: [MutationRun], _ room: ResponseRoom, for requester: Requester, on writer: Writer
    ) {
        self.plan = plan
        self.runs = runs
        self.room = room
        self.requester = requester
        self.writer = writer
    }

    /// Hands the mutations to the writer, and the response to the closure when they are durable: on the writer's
    /// thread, or here when they are not taken.
    package func begin(_ deliver: @escaping @Sendable ([UInt8]) -> Void) {
        MutationBatch.run(runs, on: writer) { [plan, runs, room, requester] outcomes in
            var response = RootWriter(plan, room)
            for (run, outcome) in zip(runs, outcomes) {
                switch outcome {
                case .value(let piece): response.write(run.field, piece)
                case .failed(let failure): response.write(run.field, failure)
                case .conflict:
                    response.write(run.field, .conflictUndecided("Nobody decides about the conflict."))
                }
            }
            var whole = response.whole
            deliver(whole.takeResponse(for: requester))
        }
    }
}

/// Writes the root fields of a mutation.
private struct RootWriter {
    private let plan: OperationPlan
    private(set) var piece: ResponsePiece
    private var isFull = false

    init(_ plan: OperationPlan, _ room: ResponseRoom) {
        self.plan = plan
        piece = ResponsePiece(bytesMax: room.bytesMax)
    }

    mutating func write(_ field: RootFieldPlan, _ value: ResponsePiece) {
        piece.add(value.errors)
        write(field, value.isNull ? Array("null".utf8) : value.bytes, isBroken: value.isNull)
    }

    /// Of the mutations that were not made because the response is full, the first one says so for all.
    mutating func write(_ field: RootFieldPlan, _ failure: FieldFailure) {
        if !failure.isResponseTooLarge || !isFull {
            piece.add(
                GraphQLError(
                    failure.message, type: failure.type, info: failure.info, data: failure.data,
                    at: ResponsePath([.name(field.responseName)]), locations: plan.locations(of: field.position)))
        }
        isFull = isFull || failure.isResponseTooLarge
        write(field, Array("null".utf8), isBroken: field.type.isNonNull)
    }

    /// The members stand there, each with a comma before it, until the response is whole.
    private mutating func write(_ field: RootFieldPlan, _ value: [UInt8], isBroken: Bool) {
        piece.bytes.append(contentsOf: field.key)
        piece.bytes.append(contentsOf: value)
        if isBroken { piece.isNull = true }
    }

    /// The object of all fields.
    var whole: ResponsePiece {
        var whole = piece
        if whole.bytes.isEmpty { whole.bytes.append(UInt8(ascii: "{")) } else { whole.bytes[0] = UInt8(ascii: "{") }
        whole.bytes.append(UInt8(ascii: "}"))
        return whole
    }
}
