import GraphQL

/// What became of a document's text: everything that is done once for a document.
enum PreparedDocument: Sendable {
    case ready(ExecutableDocument, [EarlyGetVariable])
    /// The response that lists what is wrong.
    case invalid([UInt8])
    case unparsable

    /// Nil when it takes more than a loop may give to it.
    static func onLoop(_ text: [UInt8], _ engine: Engine) -> PreparedDocument? {
        guard text.count <= engine.settings.limits.turnDocumentBytesMax else { return nil }
        return prepare(text, engine, .turn) { _ in nil }
    }

    /// However long it takes.
    static func whole(_ text: [UInt8], _ engine: Engine) -> PreparedDocument {
        prepare(text, engine, .standard) { .invalid(GraphQLError.refusal($0)) } ?? .unparsable
    }

    private static func prepare(
        _ text: [UInt8], _ engine: Engine, _ limits: ValidationLimits,
        tooComplex: ([GraphQLError]) -> PreparedDocument?
    ) -> PreparedDocument? {
        var variables: [EarlyGetVariable] = []
        let outcome = Phases.prepare(text, schema: engine.schema, validationLimits: limits) { document in
            let rewriting = engine.earlyGetForm.rewritten(document)
            variables = rewriting.variables
            return rewriting.document
        }
        switch outcome {
        case .ready(let document): return .ready(document, variables)
        case .invalid(let errors): return .invalid(GraphQLError.refusal(errors))
        case .tooComplex(let errors): return tooComplex(errors)
        case .unparsable: return .unparsable
        }
    }

    /// The plan of one of its operations.
    func plan(_ name: String?, _ engine: Engine) throws(RequestError) -> PlannedOperation {
        switch self {
        case .unparsable: throw .unparsable
        case .invalid(let response): return .invalid(response)
        case .ready(let document, let variables):
            let operation = try document.operation(named: name)
            // Of a schema without subscriptions that is said first.
            if operation.operation == .subscription, engine.schema.subscriptionType != nil {
                throw .subscriptionOverHTTP
            }
            do throws(GraphQLError) {
                return .ready(
                    try Planner.plan(operation, of: document, engine.types, engine.settings.limits),
                    variables.filter { $0.isDeclared(by: operation) })
            } catch {
                return .invalid(GraphQLError.refusal([error]))
            }
        }
    }
}

/// The plan of an operation as it was made, for whichever loop.
enum PlannedOperation: Sendable {
    case ready(OperationPlan, [EarlyGetVariable])
    /// The response that lists what is wrong.
    case invalid([UInt8])
}
