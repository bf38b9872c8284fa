import Blueprint
import GraphQL
import JSON
import Resolvers

/// One run of a field's handlers: what they leave for one another, and what comes of it.
struct ResolverRun {
    let program: ResolverProgram
    let call: FieldCall
    let place: CallPlace
    var context = ResolverContext()
    /// What handlers ask for beside their value.
    private(set) var effects = ResolverEffects()

    init(_ program: ResolverProgram, _ call: FieldCall, _ place: CallPlace) {
        self.program = program
        self.call = call
        self.place = place
        context.arguments = .object(call.arguments)
        context.keepsArguments = !program.isUnit && (program.operation != nil || program.isVelocity)
        context.source = call.source.map(JSONValue.object) ?? .null
        context.identity = call.caller.identity
        context.request = call.caller.resolverRequest
        context.authType = call.caller.authType
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
        let selection = SelectionList(plan, call.variables)
        info.selectionSetList = selection.paths
        info.selectionSetGraphQL = selection.text
        return info
    }

    /// Runs all steps. Throws why one of them cannot be tried.
    mutating func outcome() async throws(CallFailure) -> FieldOutcome {
        if let operation = program.operation { return try await outcome(of: operation) }
        var value = JSONValue.null
        if let around = program.around {
            switch try await run(try around.code.get(), .request) {
            case .value(let before): context.previous = before
            case .early(let value, _): return try await behind(value)
            case .failed(let error): return failed(error)
            }
        }
        for step in program.steps {
            switch try await run(step) {
            case .goesOn(let result): value = result
            case .ends(let result): return try await behind(result)
            case .failed(let error): return failed(error)
            }
            context.previous = value
        }
        return try await behind(value)
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

    enum StepEnd {
        case goesOn(JSONValue)
        case ends(JSONValue)
        case failed(ResolverError)
    }

    mutating func run(_ step: ResolverProgram.Step) async throws(CallFailure) -> StepEnd {
        let code = try step.code.get()
        context.result = nil
        context.error = nil
        var request = JSONValue.object(JSONObject())
        if step.hasRequest {
            switch try await run(code, .request) {
            case .failed(let error): return .failed(error)
            case .early(let value, let skipsToEnd): return skipsToEnd || program.isUnit ? .ends(value) : .goesOn(value)
            case .value(let value): request = value
            }
        }
        let answer: TableRequest.Answer
        do throws(ResolverError) {
            answer = try await sourceAnswer(to: request, of: step)
        } catch {
            return .failed(error)
        }
        let version = program.isUnit ? request["version"]?.string : nil
        if version == Self.firstVersion, answer.error == nil, answer.result.isNull { return .goesOn(.null) }
        context.result = answer.result
        context.error = answer.error
        guard step.hasResponse else { return Self.end(of: step, with: answer) }
        let end = try await run(code, .response)
        if version == Self.firstVersion, var error = answer.error {
            // Of that version the error is the field's, with what the template makes of the result.
            if case .value(let data) = end { error.data = data }
            return .failed(error)
        }
        switch end {
        case .failed(let error): return .failed(error)
        case .early(let value, let skipsToEnd): return skipsToEnd ? .ends(value) : .goesOn(value)
        case .value(let value): return .goesOn(value)
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

    /// The version of templates that know no errors of data sources.
    private static let firstVersion = "2017-02-28"

    /// Runs a handler, on the loop or beside it, and keeps what it leaves behind.
    mutating func run(
        _ code: ResolverCode, _ handler: ResolverCode.Handler
    ) async throws(CallFailure) -> ResolverOutcome.End {
        guard let handlers = place.handlers else { return take(code.run(handler, context)) }
        return take(try await handlers.outcome(of: code, handler, context, until: call.clock.end))
    }

    private mutating func take(_ outcome: ResolverOutcome) -> ResolverOutcome.End {
        context.stash = outcome.stash
        if let arguments = outcome.arguments { context.arguments = arguments }
        context.outErrors = outcome.outErrors
        effects.take(outcome)
        for line in outcome.logs { place.directory.tellOfHandlers("\(program.typeName).\(program.fieldName): \(line)") }
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
