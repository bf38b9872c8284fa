import Access
import Blueprint
import GraphQL
import JSON
import Resolvers

// Functions: what computes a field outside of this process.
//
//     ModelField ─▶ FieldProgram ─┬─ FunctionCalls ─▶ FunctionDirectory   once for a schema
//                                 ├─ HTTPCallTemplate
//                                 ├─ GenerationCall, ConversationCall ─▶ Assistants
//                                 └─ a sentence that says why nobody can compute it
//
//     FieldCall ─▶ outcome(of:over:) ─▶ OutsideService ─▶ FieldOutcome    for each request

/// What computes a field, worked out once for a schema.
final class FieldProgram: Sendable {
    private enum Work: Sendable {
        case functions(FunctionCalls)
        case http(HTTPCallTemplate)
        case generation(GenerationCall, any Assistants)
        case conversation(ConversationCall)
        case resolver(ResolverProgram)
        /// Steps around what a directive says.
        case steps(ResolverProgram, around: FieldProgram)
        case unavailable(CallFailure)
    }

    let typeName: String
    let fieldName: String
    private let work: Work
    private let directory: FunctionDirectory

    /// The program of a field that has a resolver, nil for one that has none.
    ///
    /// - Parameter api: what language models are told of; nil: they are not asked.
    convenience init?(
        _ field: ModelField, of typeName: String, _ directory: FunctionDirectory,
        in api: (schema: Schema, blueprint: Blueprint)? = nil
    ) {
        guard let resolver = field.resolver else { return nil }
        self.init(resolver, of: field, on: typeName, directory, in: api)
    }

    private init(
        _ resolver: FieldResolver, of field: ModelField, on typeName: String, _ directory: FunctionDirectory,
        in api: (schema: Schema, blueprint: Blueprint)?
    ) {
        self.typeName = typeName
        fieldName = field.name
        self.directory = directory
        switch resolver {
        case .functions(let calls):
            work = .functions(FunctionCalls(calls, ofField: field.name, of: typeName, directory))
        case .http(let call):
            work = .http(HTTPCallTemplate(call, of: field, directory))
        case .generation(let settings):
            guard let assistants = directory.assistants, let api, let type = api.schema.typeUse(field.type) else {
                work = .unavailable(Self.unavailable(resolver, field.name, of: typeName))
                return
            }
            work = .generation(GenerationCall(settings, type, in: api.schema, directory.limits), assistants)
        case .conversation(let conversation, let step):
            guard directory.assistants != nil || directory.handler(of: conversation) != nil, let api else {
                work = .unavailable(Self.unavailable(resolver, field.name, of: typeName))
                return
            }
            work = .conversation(ConversationCall(conversation, step, in: api.schema, api.blueprint))
        case .scripts(let handlers) where handlers.contains(where: \.isSlot):
            work = .unavailable(Self.unavailable(resolver, field.name, of: typeName))
        case .scripts(let handlers):
            work = .resolver(ResolverProgram(handlers, of: typeName, field.name, directory))
        case .steps(let handlers, let inner):
            let program = ResolverProgram(
                changing: ChangedOperation(), handlers, of: typeName, field.name, directory)
            work = .steps(program, around: FieldProgram(inner, of: field, on: typeName, directory, in: api))
        case .sql, .predictions:
            work = .unavailable(Self.unavailable(resolver, field.name, of: typeName))
        }
    }

    /// The program of an operation of a model that the app changes.
    init(_ program: ResolverProgram, _ directory: FunctionDirectory) {
        typeName = program.typeName
        fieldName = program.fieldName
        self.directory = directory
        work = .resolver(program)
    }

    /// How many runs of it may wait for one another; nil: none waits for others.
    var batchMax: Int? {
        if case .resolver(let program) = work { program.batchMax } else { nil }
    }

    /// True if its handlers want to know what is selected of it.
    var readsSelection: Bool {
        switch work {
        case .resolver(let program), .steps(let program, _): program.readsSelection
        default: false
        }
    }

    /// What has come of a field that is computed at once, if it can be.
    enum Beginning {
        case ended(FieldOutcome)
        /// It has to be waited for: `outcome(goingOnWith:)`.
        indirect case waits(ResolverRun)
    }

    /// True if it may be there without waiting for anybody.
    var mayEndAtOnce: Bool {
        if case .resolver(let program) = work { program.mayEndAtOnce } else { false }
    }

    /// Begins to compute a field that may be there at once; nil: it is none of those.
    func beginning(of call: consuming FieldCall, over place: CallPlace) -> Beginning? {
        guard case .resolver(let program) = work else { return nil }
        var run = ResolverRun(program, call, place)
        do throws(CallFailure) {
            guard let outcome = try run.outcomeNow() else { return .waits(run) }
            return .ended(try program.ended(run, outcome))
        } catch {
            return .ended(failed(error, run.call))
        }
    }

    /// Goes on with what was begun.
    func outcome(goingOnWith run: ResolverRun) async -> FieldOutcome {
        do throws(CallFailure) {
            return try await run.program.outcome(of: run)
        } catch {
            return failed(error, run.call)
        }
    }

    private func failed(_ error: CallFailure, _ call: FieldCall) -> FieldOutcome {
        if error.type == CallFailure.timedOut.type { call.clock.noteTimeOut() }
        if let detail = error.detail { directory.report("\(typeName).\(fieldName): \(detail)") }
        return .failure(call.error(error))
    }

    /// Computes the field: its value, or null and the error that says why.
    func outcome(of call: FieldCall, over place: CallPlace) async -> FieldOutcome {
        let outside = place.outside
        do throws(CallFailure) {
            switch work {
            case .functions(let functions): return try await functions.outcome(of: call, over: outside, directory)
            case .http(let template): return .value(try await template.value(of: call, over: outside))
            case .generation(let generation, let assistants):
                return .value(try await generation.value(of: call, assistants))
            case .conversation(let conversation):
                return try await conversation.outcome(of: call, over: outside, directory)
            case .resolver(let program): return try await program.outcome(of: call, over: place)
            case .steps(let program, let inner):
                var changed = call
                changed.operation = PlannedCall(inner, call, place)
                return try await program.outcome(of: changed, over: place)
            case .unavailable(let failure): throw failure
            }
        } catch {
            return failed(error, call)
        }
    }

    /// What a client is told about a field whose work only AWS can do.
    private static func unavailable(_ resolver: FieldResolver, _ name: String, of typeName: String) -> CallFailure {
        let field = "\(name) on type \(typeName)"
        let text =
            switch resolver {
            case .sql(.text): "\(field) is an SQL statement for a database of its own"
            case .sql(.reference(let file)): "\(field) is the SQL statement '\(file)' for a database of its own"
            case .predictions(let actions):
                "\(field) needs an AWS service (@predictions, \(actions.joined(separator: ", ")))"
            case .generation(let settings): "\(field) needs the model '\(settings.model)' on AWS (@generation)"
            case .conversation(let conversation, _):
                "\(field) needs the model '\(conversation.assistant.model)' on AWS (@conversation)"
            case .scripts(let handlers), .steps(let handlers, _):
                "\(field) is changed by \(handlers.map(\.entry).joined(separator: ", "))"
            case .functions, .http: field
            }
        return CallFailure("\(text), which this server cannot run: use a function in its place", type: "NotImplemented")
    }
}
