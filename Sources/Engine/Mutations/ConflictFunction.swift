import Access
import GraphQL
import JSON
import Store

/// Asks a function what becomes of a conflict, and has that done (`LAMBDA`).
///
/// Between the question and its answer others may change the record: then the function is asked again, a few times.
struct ConflictFunction: Sendable {
    let engine: Engine
    let shard: EngineShard
    private let endpoint: FunctionDirectory.Endpoint
    private let clock: CallClock

    private static let name = "conflict handler"

    /// - Parameter place: a URL, or the name of a function that is configured.
    init(_ place: String, _ operation: WaitingOperation) {
        clock = operation.clock
        engine = operation.engine
        shard = operation.shard
        endpoint = FunctionDirectory.Endpoint(engine.settings.functions[place] ?? place)
    }

    /// What comes of a mutation that met a conflict.
    func outcome(of run: MutationRun, after conflict: Conflict) async -> MutationRun.Outcome {
        var run = run
        var conflict = conflict
        for _ in 0..<FunctionLimits.conflictQuestionsMax {
            do throws(FieldFailure) {
                run = MutationRun(
                    run,
                    ConflictResolution(version: conflict.version, action: try await action(for: run, conflict)))
            } catch {
                return .failed(error)
            }
            let (again, writer) = (run, engine.store.writer)
            let outcomes = await withCheckedContinuation { continuation in
                MutationBatch.run([again], on: writer) { continuation.resume(returning: $0) }
            }
            guard case .conflict(let next)? = outcomes.first else {
                return outcomes.first ?? .failed(.conflictUndecided("The mutation gave no outcome."))
            }
            conflict = next
        }
        return .failed(
            FieldFailure(
                "The record was changed by others \(FunctionLimits.conflictQuestionsMax) times while a conflict was resolved.",
                type: "MaxConflicts"))
    }

    private func action(
        for run: MutationRun, _ conflict: Conflict
    ) async throws(FieldFailure) -> ConflictResolution.Action {
        guard let outside = shard.outside else { throw .conflictUndecided("Nothing outside can be called from here.") }
        let body = payload(run, conflict)
        guard body.count <= FunctionLimits.payloadBytesMax else {
            throw .conflictUndecided(
                "The payload for the conflict handler has more than \(FunctionLimits.payloadBytesMax) bytes.")
        }
        let limits = engine.settings.limits
        guard let milliseconds = clock.milliseconds(limits) else {
            throw .conflictUndecided("The conflict handler could not be invoked in time.")
        }
        let invocation = FunctionInvocation(
            endpoint.url, body, timeoutMilliseconds: milliseconds, answerBytesMax: limits.callBytesMax)
        let answer: JSONValue
        do throws(CallFailure) {
            answer = try await FunctionCalls.result(
                of: invocation, Self.name, isEmulator: endpoint.isEmulator, over: outside)
        } catch {
            engine.settings.report("\(run.field.name), \(Self.name): \(error.detail ?? error.message)")
            throw .conflictUndecided("The conflict handler could not be invoked.")
        }
        switch (answer["action"]?.string, answer["item"], run.mutation.kind) {
        case ("REJECT", _, _): throw .conflict(conflict.shown)
        case ("RESOLVE", .object(let item)?, .update): return .store(item)
        case ("REMOVE", _, .delete): return .delete
        default:
            engine.settings.report("\(run.field.name), \(Self.name): the answer is none of those that are allowed")
            throw .conflictUndecided("The conflict handler gave an answer that is not understood.")
        }
    }

    private func payload(_ run: MutationRun, _ conflict: Conflict) -> [UInt8] {
        let resolver = JSONObject([
            ("tableName", .string("\(run.mutation.type.model.storedName)-table")), ("awsRegion", "us-east-1"),
            ("parentType", .string(run.plan.rootTypeName)), ("field", .string(run.field.name)),
        ])
        return JSONWriter.bytes(
            of: .object(
                JSONObject([
                    ("newItem", conflict.preview.map { .object($0) } ?? .null),
                    ("existingItem", .object(conflict.existing)),
                    ("arguments", .object(run.arguments)),
                    ("resolver", .object(resolver)), ("identity", run.operation.requester.fieldCaller.identity),
                ])))
    }
}
