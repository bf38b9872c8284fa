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
final class ResolverProgram: Sendable {
    final class Step: Sendable {
        let code: Result<ResolverCode, CallFailure>
        let source: ResolverSource
        /// What the project calls what it works on.
        let sourceName: String
        let role: CustomHandler.Role
        /// Which of its halves there are; templates may lack one.
        let hasRequest: Bool
        let hasResponse: Bool
        /// Which of the steps it is.
        let number: Int
        /// How many of its invocations may go to a function as one; nil: what is usual.
        let batchMax: Int?

        init(
            code: Result<ResolverCode, CallFailure>, source: ResolverSource, sourceName: String,
            role: CustomHandler.Role, hasRequest: Bool, hasResponse: Bool, number: Int, batchMax: Int?
        ) {
            self.code = code
            self.source = source
            self.sourceName = sourceName
            self.role = role
            self.hasRequest = hasRequest
            self.hasResponse = hasResponse
            self.number = number
            self.batchMax = batchMax
        }

        /// The same where what comes before has made its request.
        fileprivate var withoutRequest: Step {
            Step(
                code: code, source: source, sourceName: sourceName, role: role, hasRequest: false,
                hasResponse: hasResponse, number: number, batchMax: batchMax)
        }

        /// Whether its function is told of the field itself: there is no code that says what it is told.
        var isDirect: Bool {
            guard case .function = source, !hasRequest, !hasResponse else { return false }
            return role == .unit || role == .function
        }
    }

    /// What happens to an operation of a model.
    enum Part: Sendable {
        case step(Step)
        /// What stands before what a directive says, in the place of Amplify's own: nothing is asked by it.
        case before(Step)
        /// The rules of the schema are asked.
        case rules
        /// What Amplify makes runs.
        case operation
    }

    let typeName: String
    let fieldName: String
    /// `Query.post`
    let path: String
    let steps: [Step]
    /// The pipeline's own code; nil: Amplify's, which does nothing of interest.
    let around: Step?
    /// Whether it is a resolver of Gen 1 that stands alone, which ends with its first data source.
    let isUnit: Bool
    /// Whether some of it is templates: what they change of the arguments holds for those behind them.
    let isVelocity: Bool
    /// Whether a handler asks what is selected.
    let readsSelection: Bool
    /// The operation of a model that it changes, and what becomes of it; nil: it answers for a field alone.
    let operation: ChangedOperation?
    let parts: [Part]
    /// Whether Amplify has made some of it: its first step leaves what the others read.
    let isAmplifys: Bool
    /// Whether all that it asks may be there at once: tables, which are in this very process.
    let mayEndAtOnce: Bool

    convenience init(
        _ handlers: [CustomHandler], of typeName: String, _ fieldName: String, _ directory: FunctionDirectory
    ) {
        self.init(Self.inOrder(handlers), of: typeName, fieldName, directory, nil)
    }

    /// Of an operation of a model that the app changes.
    convenience init(
        changing operation: ChangedOperation, _ handlers: [CustomHandler], of typeName: String, _ fieldName: String,
        _ directory: FunctionDirectory
    ) {
        self.init(Self.inOrder(handlers), of: typeName, fieldName, directory, operation)
    }

    private init(
        _ handlers: [CustomHandler], of typeName: String, _ fieldName: String, _ directory: FunctionDirectory,
        _ operation: ChangedOperation?
    ) {
        self.typeName = typeName
        self.fieldName = fieldName
        path = "\(typeName).\(fieldName)"
        self.operation = operation
        func step(_ number: Int, _ handler: CustomHandler) -> Step {
            var halves = (request: true, response: true)
            if case .velocity(let request, let response) = handler.code { halves = (request != nil, response != nil) }
            let source = Self.source(of: handler, directory.services)
            var batchMax = handler.batchMax
            if case .function(_, let told?) = source, batchMax == nil { batchMax = told }
            return Step(
                code: directory.shelf.code(of: handler), source: source, sourceName: handler.dataSource,
                role: handler.role, hasRequest: halves.request, hasResponse: halves.response, number: number,
                batchMax: batchMax.flatMap { $0 > 0 ? min($0, FunctionLimits.batchMax) : nil })
        }
        steps = handlers.filter { $0.role != .around }.enumerated().map { step($0.offset, $0.element) }
        around = handlers.first { $0.role == .around }.map { step(0, $0) }
        isUnit =
            operation == nil && handlers.count == 1
            && handlers.allSatisfy { $0.role == .unit || $0.role == .main }
        isVelocity = handlers.contains { if case .velocity = $0.code { true } else { false } }
        readsSelection = handlers.contains { $0.code.mentions("selectionSet") } || steps.contains(where: \.isDirect)
        if let operation { parts = Self.parts(steps, around: operation) } else { parts = [] }
        isAmplifys = handlers.contains { $0.role == .function && $0.directiveSource != nil }
        mayEndAtOnce =
            operation == nil && around == nil
            && steps.allSatisfy { step in
                switch step.source {
                case .none, .table: true
                default: false
                }
            }
    }

    /// Of a namespace's handler, which answers alone.
    init(
        ofChannel name: String, _ namespace: String, _ code: ResolverCode?, _ sourceName: String?,
        _ directory: FunctionDirectory
    ) {
        typeName = namespace
        fieldName = name
        path = "\(namespace).\(name)"
        operation = nil
        steps = [
            Step(
                code: code.map { .success($0) } ?? .failure(CallFailure("There is no code", type: "NotImplemented")),
                source: sourceName.map { Self.source($0, directory.services) } ?? .none, sourceName: sourceName ?? "",
                role: .unit, hasRequest: true, hasResponse: true, number: 0, batchMax: nil)
        ]
        around = nil
        isUnit = true
        isVelocity = false
        readsSelection = false
        parts = []
        isAmplifys = false
        mayEndAtOnce = false
    }

    /// Slots stand where AppSync runs them; the other steps as they come.
    private static func inOrder(_ handlers: [CustomHandler]) -> [CustomHandler] {
        func place(_ handler: CustomHandler) -> (Int, Int) {
            guard case .slot(let slot, let number) = handler.role else { return (0, 0) }
            return (slot.isBehind ? slot.place + 1 : slot.place - CustomHandler.Slot.allCases.count, number)
        }
        return handlers.enumerated().sorted { first, second in
            let (left, right) = (place(first.element), place(second.element))
            return left == right ? first.offset < second.offset : left < right
        }.map(\.element)
    }

    private static func parts(_ steps: [Step], around operation: ChangedOperation) -> [Part] {
        var parts: [Part] = []
        var areAsked = false
        var isThere = false
        func askRules() {
            if !areAsked { parts.append(.rules) }
            areAsked = true
        }
        func run() {
            askRules()
            if !isThere { parts.append(.operation) }
            isThere = true
        }
        for step in steps {
            switch step.role {
            case .slot(let slot, _):
                if slot.isBehind { run() } else if slot.place > CustomHandler.Slot.preAuth.place { askRules() }
            case .main where operation.isOfDirective:
                askRules()
                if step.hasRequest { parts.append(.before(step)) }
                run()
                if step.hasResponse { parts.append(.step(step.withoutRequest)) }
                continue
            default:
                askRules()
                // A template for the answer alone is about what Amplify's own request gives.
                if step.hasRequest { isThere = true } else { run() }
            }
            parts.append(.step(step))
        }
        run()
        return parts
    }

    /// How many runs of it may wait for one another, since their invocations go as one; nil: none waits for others.
    var batchMax: Int? {
        guard !steps.isEmpty, operation == nil else { return nil }
        var most: Int?
        for step in steps {
            if case .function = step.source, let batchMax = step.batchMax { most = max(most ?? 0, batchMax) }
        }
        return most
    }

    /// Whether the operation itself does not run.
    var isReplaced: Bool {
        !parts.contains { if case .operation = $0 { true } else { false } }
    }

    /// Whether steps behind the operation want to know all that its records hold.
    var readsWholeRecords: Bool {
        guard let place = parts.firstIndex(where: { if case .operation = $0 { true } else { false } }) else {
            return false
        }
        return place < parts.count - 1
    }

    private static func source(
        of handler: CustomHandler, _ services: (any ResolverServices)?
    ) -> ResolverSource {
        switch handler.directiveSource {
        case .function(let name)?: .function(name)
        case .http(let call)?: .http(endpoint: call.origin, signing: nil)
        case nil: source(handler.dataSource, services)
        }
    }

    private static func source(_ name: String, _ services: (any ResolverServices)?) -> ResolverSource {
        if let known = services?.source(named: name) { return known }
        if name == CustomHandler.noSource { return .none }
        if name.isEmpty { return .unserved("no resolver in the API's folder stacks says what it works on") }
        return .unserved("there is no data source '\(name)': add it in amplify/backend.ts, or to \"dataSources\"")
    }

    /// Computes the field. Throws why it cannot be tried.
    func outcome(of call: FieldCall, over place: CallPlace) async throws(CallFailure) -> FieldOutcome {
        try await outcome(of: ResolverRun(self, call, place))
    }

    /// Goes on with what was begun.
    func outcome(of run: ResolverRun) async throws(CallFailure) -> FieldOutcome {
        var run = run
        let outcome = try await run.outcome()
        return try ended(run, outcome)
    }

    /// Tells what handlers have asked for beside the value.
    func ended(_ run: ResolverRun, _ outcome: FieldOutcome) throws(CallFailure) -> FieldOutcome {
        guard run.effects.invalidations.count <= ResolverEffects.invalidationsMax else {
            throw CallFailure(
                "A request ends at most \(ResolverEffects.invalidationsMax) kinds of subscriptions",
                type: "BadRequestException")
        }
        if run.effects.isSomething { run.call.tellOfEffects?(run.effects) }
        return outcome
    }
}

/// Where a field is computed: what can be reached from there. The same for all fields of a loop.
final class CallPlace: Sendable {
    let outside: any OutsideService
    let directory: FunctionDirectory
    /// What the loop has for tables.
    let tables: (any TablePlace)?
    /// Where handlers run; nil: here, however long they take.
    let handlers: HandlerTurns?
    /// Make the ends of pages into tokens.
    let cursors: TableRequest.Cursors

    init(
        outside: any OutsideService, directory: FunctionDirectory, tables: (any TablePlace)? = nil,
        handlers: HandlerTurns? = nil, cursors: TableRequest.Cursors = .none
    ) {
        self.outside = outside
        self.directory = directory
        self.tables = tables
        self.handlers = handlers
        self.cursors = cursors
    }
}
