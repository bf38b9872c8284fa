import Access
import Blueprint
import GraphQL
import JSON
import Resolvers

// Resolvers: fields whose authors say themselves how they are computed.
//
//     FieldResolver.scripts ─▶ ResolverProgram ─▶ HandlerShelf, ResolverServices   once for a schema
//     FieldCall ─▶ ResolverRun ─▶ handler ─▶ SourceCall ─▶ handler ─▶ … ─▶ FieldOutcome

/// The steps of a field that its author wrote, in their order: the functions of a pipeline.
struct ResolverProgram: Sendable {
    struct Step: Sendable {
        let code: Result<ResolverCode, CallFailure>
        let source: ResolverSource
        /// What the project calls what it works on.
        let sourceName: String
    }

    let typeName: String
    let fieldName: String
    let steps: [Step]
    /// The pipeline's own code; nil: Amplify's, which does nothing of interest.
    let around: Step?
    /// Whether it is a resolver of Gen 1 that stands alone, which ends with its first data source.
    let isUnit: Bool
    /// Whether a handler asks what is selected.
    let readsSelection: Bool

    init(_ handlers: [CustomHandler], of typeName: String, _ fieldName: String, _ directory: FunctionDirectory) {
        self.typeName = typeName
        self.fieldName = fieldName
        func step(_ handler: CustomHandler) -> Step {
            Step(
                code: directory.shelf.code(of: handler),
                source: Self.source(handler.dataSource, directory.services), sourceName: handler.dataSource)
        }
        steps = handlers.filter { $0.role != .around }.map(step)
        around = handlers.first { $0.role == .around }.map(step)
        isUnit = handlers.count == 1 && handlers.allSatisfy { $0.role == .unit || $0.role == .main }
        readsSelection = handlers.contains { $0.code.mentions("selectionSet") }
    }

    private static func source(_ name: String, _ services: (any ResolverServices)?) -> ResolverSource {
        if let known = services?.source(named: name) { return known }
        if name == CustomHandler.noSource { return .none }
        if name.isEmpty { return .unserved("no resolver in the API's folder stacks says what it works on") }
        return .unserved("there is no data source '\(name)': add it in amplify/backend.ts, or to \"dataSources\"")
    }

    /// Computes the field. Throws why it cannot be tried.
    func outcome(of call: FieldCall, over place: CallPlace) async throws(CallFailure) -> FieldOutcome {
        var run = ResolverRun(self, call, place)
        let outcome = try await run.outcome()
        guard run.effects.invalidations.count <= ResolverEffects.invalidationsMax else {
            throw CallFailure(
                "A request ends at most \(ResolverEffects.invalidationsMax) kinds of subscriptions",
                type: "BadRequestException")
        }
        if run.effects.isSomething { call.tellOfEffects?(run.effects) }
        return outcome
    }
}

/// Where a field is computed: what can be reached from there.
struct CallPlace: Sendable {
    let outside: any OutsideService
    let directory: FunctionDirectory
    let tables: (any TablePlace)?
    let cursors: TableRequest.Cursors
}
