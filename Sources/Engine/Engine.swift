import Access
import Blueprint
import GraphQL
import JSON
import Store
import Threads

// Engine: an operation becomes a plan, a plan becomes a response. It knows nothing of HTTP. This is the room's front page.
//
//     request body ─▶ EngineRequest ─▶ document ─▶ OperationPlan ─▶ variables ─▶ Execution ─▶ response bytes
//                                      PlanCache: parsed, validated,             Run/
//                                      planned once (Plan/)
//
// - A document that is long is prepared on a thread beside the loops (`LongOperation`), once for all who wait for it.
// - A query reads the database on its loop and answers at once (`Run/Execution`). One that takes longer than the loop can
//   give it is begun anew on a thread beside (`PendingAnswer`), from where nobody else waits for it.
// - A mutation becomes a change of a record (`Mutations/`), which the writer makes on its thread. Its response is
//   written there, in the order of the commits, and answered when the commit is durable.
// - What functions and services give is asked for when everything else is written (`Functions/`, `Run/ResponsePiece`).
//
// Rows, values and what introspection tells are completed by one writer, GraphQL's `ResponseWriter`.
//
// `Sync/` has what offline clients need: pages of changes. `Mutations/` has what becomes of two changes of one record.
//
// `Records/` says what a model is to a plan: its table, its fields, what each root field does. `Arguments/` turns
// filters and key arguments into predicates and key queries. `Values/` writes what is no record, `Events/` tells of
// mutations. `Assistants/` is what language models are asked for fields, and what becomes of their answers. `Resolvers/`
// runs the code that an app has for fields, and asks what it works on. All limits stand in `EngineLimits`.

/// The API of one schema: answers operations. Shared by all loops; what a loop keeps for itself is an `EngineShard`.
package final class Engine: Sendable {
    package let schema: Schema
    package let store: Store
    package let blueprint: Blueprint
    package let policy: AccessPolicy
    let events: MutationEvents
    let types: RecordTypes
    let earlyGetForm: EarlyGetForm
    /// Removes by time what synced models leave behind; nil where there is none. Somebody has to begin it now and then.
    package let sweep: LogSweep?
    let settings: EngineSettings
    /// Who prepares long documents.
    package let workersAside: WorkersAside
    /// Who runs handlers that take longer than a loop has time for.
    let handlersAside: HandlerWorkers
    /// The names by which operations are logged and counted.
    package let rootFields: RootFields

    /// Throws what is wrong with the schema where Amplify's transformer lets pass what AppSync refuses.
    package convenience init(
        _ api: APISchema, of blueprint: Blueprint, over store: Store, _ settings: EngineSettings = EngineSettings()
    ) throws(SchemaErrors) {
        self.init(try EngineDesign(api, of: blueprint, settings), over: store)
    }

    /// Puts what a schema asks for over a database.
    ///
    /// - Parameter former: the one whose place it takes, over the same data: who hears of its mutations hears of these too.
    package init(_ design: EngineDesign, over store: Store, inPlaceOf former: Engine? = nil) {
        let settings = design.settings
        blueprint = design.blueprint
        earlyGetForm = EarlyGetForm(blueprint)
        schema = design.schema
        rootFields = RootFields(design.schema)
        policy = design.policy
        types = RecordTypes(of: blueprint, in: store.layout, schema, policy, functions: settings.directory)
        self.store = store
        sweep = LogSweep(of: store)
        self.settings = settings
        if let former {
            (events, workersAside) = (former.events, former.workersAside)
            handlersAside = former.handlersAside
            return
        }
        let events = MutationEvents(numberedBy: store.eventSequence, sharedBy: store.writer)
        self.events = events
        store.writer.afterEachGroup { events.flush() }
        workersAside = WorkersAside(waitingMax: settings.limits.longDocumentsWaitingMax)
        handlersAside = HandlerWorkers(waitingMax: settings.limits.handlersWaitingMax)
    }

    /// What becomes of a request.
    package enum Answer: Sendable {
        /// A response, perhaps with errors in it.
        case response([UInt8])
        /// A response that only says why the operation was not begun.
        case invalid([UInt8])
        /// The request cannot be tried at all.
        case refused(RequestError)
        /// The caller lacks a permission for the request as a whole.
        case unauthorized(message: String, extensions: JSONValue?)
        /// A response that has to be waited for: a commit, a function.
        case pending(PendingAnswer)
        /// What has to be prepared beside the loop before it can be answered.
        case preparing(Preparation)
    }

    /// Answers the body of a request. `shard` belongs to the loop that it runs on.
    package func answer(_ body: [UInt8], from requester: Requester, on shard: EngineShard) -> Answer {
        do throws(RequestError) {
            let request = try EngineRequest(parsing: body)
            let made = shard.plans.madeCount
            let planned = try shard.plans.plan(for: request, in: self)
            if let story = requester.note?.story { story.planned(fromCache: made == shard.plans.madeCount) }
            switch planned {
            case .ready(let memory): return answer(request, memory, from: requester, on: shard, bytes: body.count)
            case .invalid(let response): return .invalid(response)
            case .long(let operation):
                return .preparing(
                    Preparation(self, operation, for: request, from: requester, on: shard, bytes: body.count))
            }
        } catch {
            return .refused(error)
        }
    }

    /// Answers a request whose operation is planned. `bytes` is the length of its body.
    func answer(
        _ request: EngineRequest, _ memory: PlanMemory, from requester: Requester, on shard: EngineShard, bytes: Int
    ) -> Answer {
        requester.note?.take(memory)
        let variables: VariableValues
        do throws(GraphQLError) {
            variables = try memory.variables(request.variables)
        } catch {
            return .invalid(GraphQLError.refusal([error]))
        }
        let caller = shard.caller(requester.identity, policy, trace: requester.explanation?.trace)
        guard memory.plan.demand.isMet(by: caller) else {
            return .unauthorized(
                message: "Permission denied", extensions: requester.explanation?.extensions())
        }
        return answer(memory, variables, to: requester, caller, on: shard, requestBytes: bytes)
    }

    /// What kind of operation the body of a request asks for, be it one that can be carried out or not; nil where that
    /// cannot be told.
    package func operationType(of body: [UInt8]) -> OperationType? {
        guard let request = try? EngineRequest(parsing: body), let text = try? request.query else { return nil }
        let source = Source(text)
        guard let document = try? Phases.parse(source) else { return nil }
        return try? ExecutableDocument(document, source: source, schema: schema)
            .operation(named: request.operationName).operation
    }

    private func answer(
        _ memory: PlanMemory, _ variables: VariableValues, to requester: Requester, _ caller: Caller,
        on shard: EngineShard, requestBytes: Int
    ) -> Answer {
        let plan = memory.plan
        let end = Timestamp.monotonicMilliseconds + settings.limits.milliseconds
        if plan.isMutation {
            // A trace hears of checks in the order of the mutations.
            let verdicts = caller.trace == nil ? memory.verdicts(for: caller) : nil
            let operation = WaitingOperation(
                self, plan, variables, requester, caller, shard, until: end, verdicts: verdicts)
            return .pending(.mutations(SerialExecution(operation)))
        }
        let turn: LoopTurn
        let isShort = !memory.isLongIntrospection && requestBytes <= settings.limits.turnRequestBytesMax
        let aside = ReadBesideLoop(
            syncStart: plan.isSync ? shard.beginSync(store.changeClock) : nil, isSync: plan.isSync, isShort: isShort)
        func readAside() -> Answer {
            let operation = WaitingOperation(self, plan, variables, requester, caller, shard, until: end)
            return .pending(.read(.init(operation: operation, read: aside)))
        }
        // A loop does not wait for a server's answers.
        guard store.isLocal, !plan.isSearch, isShort else { return readAside() }
        do throws(StoreError) {
            turn = try shard.beginReading(store, until: end, limits: settings.limits, readsOnce: plan.readsOnce)
        } catch {
            return .response(GraphQLError.refusal([GraphQLError(context().failure(error).message)]))
        }
        let context = context(isTurn: turn.isShorter)
        var execution = Execution(plan, variables, for: caller, reading: turn.reader, context, memory: memory)
        if let syncStart = aside.syncStart { execution.syncStart = syncStart }
        execution.writer.beginResponse(expecting: memory.responseBytes)
        if let story = requester.note?.story {
            turn.reader.observed(by: story.statements) { execution.runQuery(introspection: &shard.introspection) }
            story.mark("read and written")
        } else {
            execution.runQuery(introspection: &shard.introspection)
        }
        if context.isGivenUp {
            shard.noteGivenUp(turn)
            requester.explanation?.trace.forget()
            requester.note?.story?.statements.forget()
            return readAside()
        }
        memory.responseBytes = min(execution.writer.bytes.count + 512, PlanMemory.responseBytesMax)
        guard execution.writer.hasHoles else { return .response(execution.writer.takeResponse(for: requester)) }
        let operation = WaitingOperation(
            self, plan, variables, requester, caller, shard, until: end, written: execution.piece)
        let begun = operation.fillNow(&execution.piece)
        guard execution.writer.hasHoles else { return .response(execution.writer.takeResponse(for: requester)) }
        return .pending(.holes(.init(operation: operation, piece: execution.piece, begun: begun)))
    }

    /// Has mutations told to somebody, after their commits and in their order.
    package func tellOfMutations(_ listener: MutationListener) { events.tell(listener) }

    /// Publishes to a channel on all nodes, this one among them, by the listener. Returns false where this process is alone: nothing was published then.
    package func isShared(_ texts: [String], to channel: String) async throws(StoreError) -> Bool {
        guard store.nodes != nil else { return false }
        return try await events.isShared(texts, to: channel)
    }

    /// Has the same listener told of the mutations of all nodes, in the order of their commits.
    package func hear(_ nodes: Nodes) { events.hear(nodes) }

    /// What the runs of one operation share. Mutations have a time of their own. `isTurn` says that what takes longer than a
    /// turn of the loop goes on beside it.
    func context(milliseconds: Int64? = nil, isTurn: Bool = false) -> RunContext {
        RunContext(self, milliseconds: milliseconds ?? settings.limits.milliseconds, isTurn: isTurn)
    }
}

/// What a schema asks of an engine, whatever the data.
package struct EngineDesign: Sendable {
    package let blueprint: Blueprint
    let schema: Schema
    let policy: AccessPolicy
    let settings: EngineSettings
    /// The checks of the API that were left for later; nil: none.
    package private(set) var laterCheck: LaterCheck?

    /// Looks for what is wrong with directives and names that only generated parts of the API have, which would be a mistake of
    /// Homeport's own.
    package struct LaterCheck: Sendable {
        fileprivate let document: SchemaDocument

        package func run() throws(SchemaErrors) {
            let errors = SchemaValidation.errors(in: document)
            guard errors.isEmpty else { throw SchemaErrors(errors: errors) }
        }
    }

    /// Throws what is wrong with the schema where Amplify's transformer lets pass what AppSync refuses.
    ///
    /// - Parameter isStart: leaves for later what only Homeport itself can have done wrong.
    package init(
        _ api: APISchema, of blueprint: Blueprint, _ settings: EngineSettings, isStart: Bool = false
    ) throws(SchemaErrors) {
        self.blueprint = blueprint
        self.settings = settings
        var document = SchemaDocument(api.documentWithRoots, prelude: SchemaPrelude.appSync)
        document.checksGenerated = !isStart
        let errors = SchemaValidation.errors(in: document)
        guard errors.isEmpty else { throw SchemaErrors(errors: errors) }
        document.checksGenerated = true
        if isStart { laterCheck = LaterCheck(document: document) }
        schema = Schema(trusting: document, allowsIntrospection: settings.allowsIntrospection)
        policy = AccessPolicy(blueprint, api)
    }

    /// All that introspection says of the API, whether or not clients may ask for it.
    package func introspection() throws(GraphQLError) -> JSONValue { try Introspection.whole(of: schema) }
}

/// How an engine is set up.
package struct EngineSettings: Sendable {
    package var limits = EngineLimits()
    package var allowsIntrospection = true
    package var semantics = ListQuery.Semantics.appsync
    /// Where the functions of a schema are called, by name.
    package var functions: [String: String] = [:]
    /// What their authors call functions, by the name in the schema.
    package var givenFunctionNames: [String: String] = [:]
    /// Who asks language models; nil: nobody, and fields that one answers are errors.
    package var assistants: (any Assistants)?
    /// What resolvers of the app's own work on; nil: nobody serves them.
    package var resolvers: (any ResolverServices)?
    /// Who is told what handlers write to their console.
    package var tellOfHandlers: @Sendable (String) -> Void = { _ in }
    /// Who is told what clients are not.
    package var report: @Sendable (String) -> Void = { _ in }
    /// Who wants to follow what is done, step by step; nil: nobody, and no text is made.
    package var trace: (@Sendable (String) -> Void)?

    package init() {}

    var directory: FunctionDirectory {
        FunctionDirectory(
            functions, givenNames: givenFunctionNames, limits: limits, assistants: assistants,
            services: resolvers, tellOfHandlers: tellOfHandlers, report: report)
    }
}

extension RequestError {
    static let emptyBody = RequestError(
        message: "Request body is empty.", errorType: "MalformedHttpRequestException")
    package static let subscriptionOverHTTP = RequestError(
        message: "Subscriptions over MQTT is not supported.", errorType: "BadRequestException")
}
