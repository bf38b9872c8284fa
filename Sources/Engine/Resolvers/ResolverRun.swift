import Blueprint
import GraphQL
import JSON
import Resolvers

/// One run of a field's handlers: what they leave for one another, and what comes of it.
///
///     step ─▶ request ─▶ source ─▶ response ─▶ end, or the next step
///
/// Most runs wait for nobody, and end where they are begun (`outcomeNow`). One that has to wait goes on from there in a task
/// (`outcome`): nothing is done twice.
struct ResolverRun: Sendable {
    /// What is next to be done for a step.
    enum Stage: Sendable {
        case request
        case source(JSONValue)
        /// - Parameter isFirstVersion: whether the request is of the version of templates that know no errors of data sources.
        case response(isFirstVersion: Bool)
        case ended(StepEnd)
    }

    let program: ResolverProgram
    let call: FieldCall
    let place: CallPlace
    var context = ResolverContext()
    /// What handlers ask for beside their value.
    private(set) var effects = ResolverEffects()
    /// Which step is next, or has been begun.
    private var number = 0
    /// How far that one has come; nil: it has not been begun.
    private var stage: Stage?
    /// True if the handler that is next has taken too long where others wait.
    private var isTried = false
    /// What the last step gave.
    private var value = JSONValue.null

    init(_ program: ResolverProgram, _ call: FieldCall, _ place: CallPlace) {
        self.program = program
        self.call = call
        self.place = place
        context.arguments = .object(call.arguments)
        context.keepsArguments = !program.isUnit && (program.operation != nil || program.isVelocity)
        context.source = call.source.map(JSONValue.object) ?? .null
        context.caller = call.caller
        context.info = info
        guard let services = place.directory.services else { return }
        context.environment = services.environment
        guard !program.isUnit, program.operation == nil else { return }
        // What Amplify's own first step leaves.
        context.stash.set("awsAppsyncApiId", to: .string(services.apiID))
        context.stash.set("amplifyApiEnvironmentName", to: "NONE")
        context.previous = .object(JSONObject())
        guard program.isAmplifys else { return }
        context.stash.set("typeName", to: .string(program.typeName))
        context.stash.set("fieldName", to: .string(program.fieldName))
    }

    private var info: ResolverInfo {
        var info = ResolverInfo()
        info.fieldName = program.fieldName
        info.parentTypeName = program.typeName
        info.variables = .object(call.variables.values)
        guard program.readsSelection, let plan = call.plan else { return info }
        info.selectionSetList = SelectionList(plan, call.variables).paths
        info.selectionSetGraphQL = call.selectionText
        return info
    }

    /// Runs all steps, as far as nothing has to be waited for; nil: something has, and `outcome` goes on from there. Throws why one of
    /// them cannot be tried. Called on the loop.
    mutating func outcomeNow() throws(CallFailure) -> FieldOutcome? {
        guard program.mayEndAtOnce, let handlers = place.handlers else { return nil }
        while number < program.steps.count {
            let step = program.steps[number]
            let code = try step.code.get()
            switch stage ?? begin(step) {
            case .request:
                guard let end = now(code, .request, handlers) else {
                    stage = .request
                    return nil
                }
                stage = requested(end, of: step)
            case .source(let request):
                let answer: TableRequest.Answer?
                do throws(ResolverError) {
                    answer = try SourceCall.answerNow(to: request, of: step, program, place)
                } catch {
                    return failed(error)
                }
                guard let answer else {
                    stage = .source(request)
                    return nil
                }
                stage = answered(answer, request, of: step)
            case .response(let isFirstVersion):
                guard let end = now(code, .response, handlers) else {
                    stage = .response(isFirstVersion: isFirstVersion)
                    return nil
                }
                stage = .ended(responded(end, isFirstVersion: isFirstVersion))
            case .ended(let end):
                switch end {
                case .goesOn(let result): goOn(with: result)
                case .ends(let result): return ended(with: result)
                case .failed(let error): return failed(error)
                }
            }
        }
        return ended(with: value)
    }

    /// The same, waiting. Goes on where `outcomeNow` has come to.
    mutating func outcome() async throws(CallFailure) -> FieldOutcome {
        if let operation = program.operation { return try await outcome(of: operation) }
        if let around = program.around {
            switch try await run(try around.code.get(), .request) {
            case .value(let before): context.previous = before
            case .early(let value, _): return try await behind(value)
            case .failed(let error): return failed(error)
            }
        }
        while number < program.steps.count {
            switch try await run(program.steps[number], from: stage) {
            case .goesOn(let result): goOn(with: result)
            case .ends(let result): return try await behind(result)
            case .failed(let error): return failed(error)
            }
        }
        return try await behind(value)
    }

    private mutating func goOn(with result: JSONValue) {
        value = result
        context.previous = result
        number += 1
        stage = nil
    }

    func failed(_ error: ResolverError) -> FieldOutcome {
        .value(.null, errors: errors + [self.error(error)])
    }

    /// What the pipeline's own response makes of the last value.
    private mutating func behind(_ value: JSONValue) async throws(CallFailure) -> FieldOutcome {
        guard let around = program.around else { return ended(with: value) }
        context.previous = value
        context.result = value
        context.error = nil
        switch try await run(try around.code.get(), .response) {
        case .value(let value), .early(let value, _): return ended(with: value)
        case .failed(let error): return failed(error)
        }
    }

    private func ended(with value: JSONValue) -> FieldOutcome { .value(value, errors: errors) }

    enum StepEnd: Sendable {
        case goesOn(JSONValue)
        case ends(JSONValue)
        case failed(ResolverError)
    }

    /// Runs a step.
    ///
    /// - Parameter begun: how far it has come; nil: it has not been begun.
    mutating func run(_ step: ResolverProgram.Step, from begun: Stage? = nil) async throws(CallFailure) -> StepEnd {
        let code = try step.code.get()
        var stage = begun ?? begin(step)
        while true {
            switch stage {
            case .request: stage = requested(try await run(code, .request), of: step)
            case .source(let request):
                do throws(ResolverError) {
                    stage = answered(try await sourceAnswer(to: request, of: step), request, of: step)
                } catch {
                    return .failed(error)
                }
            case .response(let isFirstVersion):
                return responded(try await run(code, .response), isFirstVersion: isFirstVersion)
            case .ended(let end): return end
            }
        }
    }

    private mutating func begin(_ step: ResolverProgram.Step) -> Stage {
        context.result = nil
        context.error = nil
        return step.hasRequest ? .request : .source(.object(JSONObject()))
    }

    private func requested(_ end: ResolverOutcome.End, of step: ResolverProgram.Step) -> Stage {
        switch end {
        case .failed(let error): .ended(.failed(error))
        case .early(let value, let skipsToEnd): .ended(skipsToEnd || program.isUnit ? .ends(value) : .goesOn(value))
        case .value(let value): refusal(of: value, for: step).map { .ended(.failed($0)) } ?? .source(value)
        }
    }

    /// What a request template says that stands alone; elsewhere nobody asks it, and code has no versions.
    private func version(of request: JSONValue) -> RequestVersion? {
        program.isUnit && program.isVelocity ? RequestVersion(of: request) : nil
    }

    /// Why a table is not asked: its operation came with a later version than the template's.
    private func refusal(of request: JSONValue, for step: ResolverProgram.Step) -> ResolverError? {
        guard case .table = step.source, let version = version(of: request),
            let operation = request["operation"]?.string, !version.has(operation: operation)
        else { return nil }
        return ResolverError("Unsupported operation '\(operation)'.", type: "MappingTemplate")
    }

    private mutating func answered(
        _ answer: TableRequest.Answer, _ request: JSONValue, of step: ResolverProgram.Step
    ) -> Stage {
        let version = version(of: request)
        if version?.runsOnNull == false, answer.error == nil, answer.result.isNull { return .ended(.goesOn(.null)) }
        context.result = answer.result
        context.error = answer.error
        return step.hasResponse
            ? .response(isFirstVersion: version?.judgesErrors == false) : .ended(Self.end(of: step, with: answer))
    }

    private func responded(_ end: ResolverOutcome.End, isFirstVersion: Bool) -> StepEnd {
        if isFirstVersion, var error = context.error {
            // Of that version the error is the field's, with what the template makes of the result.
            if case .value(let data) = end { error.data = data }
            return .failed(error)
        }
        return switch end {
        case .failed(let error): .failed(error)
        case .early(let value, let skipsToEnd): skipsToEnd ? .ends(value) : .goesOn(value)
        case .value(let value): .goesOn(value)
        }
    }

    private func sourceAnswer(
        to request: JSONValue, of step: ResolverProgram.Step
    ) async throws(ResolverError) -> TableRequest.Answer {
        if step.isDirect, case .function(let name, _) = step.source {
            return try await FunctionSourceCall(name, step, program, call, place).answer(toFieldOf: context)
        }
        return try await SourceCall(step, program, call, place).answer(to: request)
    }

    /// What comes of a step without a template for its answer: of a slot nothing, of another what Amplify's own one makes of it.
    private static func end(of step: ResolverProgram.Step, with answer: TableRequest.Answer) -> StepEnd {
        if case .slot = step.role { return .goesOn(.object(JSONObject())) }
        return answer.error.map(StepEnd.failed) ?? .goesOn(answer.result)
    }

    /// Runs a handler, on the loop or beside it, and keeps what it leaves behind.
    mutating func run(
        _ code: ResolverCode, _ handler: ResolverCode.Handler
    ) async throws(CallFailure) -> ResolverOutcome.End {
        guard let handlers = place.handlers else { return take(code.run(handler, context)) }
        let isTried = isTried
        self.isTried = false
        return take(
            try await handlers.outcome(of: code, handler, context, until: call.clock.end, isTried: isTried))
    }

    /// The same on the loop; nil where it takes longer than a loop has time for.
    private mutating func now(
        _ code: ResolverCode, _ handler: ResolverCode.Handler, _ handlers: HandlerTurns
    ) -> ResolverOutcome.End? {
        guard let outcome = handlers.outcomeNow(of: code, handler, context) else {
            isTried = true
            return nil
        }
        return take(outcome)
    }

    private mutating func take(_ outcome: ResolverOutcome) -> ResolverOutcome.End {
        context.stash = outcome.stash
        if let arguments = outcome.arguments { context.arguments = arguments }
        context.outErrors = outcome.outErrors
        effects.take(outcome)
        for line in outcome.logs { place.directory.tellOfHandlers("\(program.path): \(line)") }
        return outcome.end
    }

    var errors: [GraphQLError] { context.outErrors.map { error($0) } }

    /// An error as clients get it: its data as far as they have asked for it.
    func error(_ error: ResolverError) -> GraphQLError {
        if error.isUnauthorized {
            return GraphQLError(
                "Not Authorized to access \(program.fieldName) on type \(program.typeName)", type: "Unauthorized",
                at: call.path, locations: call.locations)
        }
        var data = error.data ?? .null
        if let plan = call.plan { data = SelectionList.cut(data, plan, call.variables) }
        return GraphQLError(
            error.message, type: error.type, info: error.info ?? .null, data: data, at: call.path,
            locations: call.locations)
    }
}

/// What handlers ask for beside their value.
struct ResolverEffects: Sendable {
    private(set) var subscriptionFilter: JSONValue?
    private(set) var invalidationFilter: JSONValue?
    private(set) var invalidations: [JSONValue] = []
    private(set) var headers: [(String, String)] = []
    /// Subscriptions that one request may end.
    static let invalidationsMax = 5

    var isSomething: Bool { !invalidations.isEmpty || !headers.isEmpty }

    mutating func take(_ outcome: ResolverOutcome) {
        if let filter = outcome.subscriptionFilter { subscriptionFilter = filter }
        if let filter = outcome.invalidationFilter { invalidationFilter = filter }
        invalidations += outcome.invalidations
        headers += outcome.responseHeaders
    }
}
