import Blueprint

/// `a.query()`, `a.mutation()`, `a.subscription()` and `a.generation({...})`
final class OperationBuilder: Builder {
    enum Kind: String {
        case query = "Query"
        case mutation = "Mutation"
        case subscription = "Subscription"
        case generation = "Generation"
    }

    let kind: Kind
    /// What `a.generation` was called with; nil when that is no object.
    let input: AssistantInput?
    var arguments: [NamedPart] = []
    var result: PlacedGiven?
    var handlers: [HandlerBuilder] = []
    var rules: [RuleBuilder] = []
    var sources: [ReferenceBuilder] = []

    init(kind: Kind, input: AssistantInput? = nil) {
        self.kind = kind
        self.input = input
    }

    override var label: String { "a.\(kind.rawValue.lowercased())(...)" }
    override var surface: BuilderSurface {
        switch kind {
        case .query, .mutation: Self.all
        case .generation: Self.ofGenerations
        case .subscription: Self.ofSubscriptions
        }
    }

    private static let ofGenerations = all.without("handler", "for")
    private static let ofSubscriptions = all.without("returns")

    private static let all = BuilderSurface([
        .modifier("arguments") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
            operation.arguments = try arguments.parts(0)
        },
        .modifier("returns") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
            operation.result = arguments.given(0)
        },
        .authorization(\OperationBuilder.rules, .operation),
        .modifier("handler") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
            operation.handlers = try arguments.builders(0, "a handler")
        },
        .modifier("for") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
            operation.sources = try arguments.builders(0, "a.ref(...)")
        },
    ])
}
