import Blueprint
import Project

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
    @Late var input: AssistantInput?
    @Late var arguments: [NamedPart] = []
    var result: PlacedGiven?
    /// True if it only says that something has begun: its last handler waits for no answer, and no later call says what it returns.
    private(set) var returnsEvent = false
    @Late var handlers: [HandlerBuilder] = []
    @Late var rules: [RuleBuilder] = []
    @Late var sources: [ReferenceBuilder] = []

    init(kind: Kind) {
        self.kind = kind
    }

    override var label: String { "a.\(kind.rawValue.lowercased())(...)" }
    override var surface: BuilderSurface {
        switch kind {
        case .query, .mutation: Self.all
        case .generation: Self.ofGenerations
        case .subscription: Self.ofSubscriptions
        }
    }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $input.read()
        try $arguments.read()
        try $handlers.read()
        try $rules.read()
        try $sources.read()
        return arguments.compactMap(\.builder) + [result?.value.builder].compactMap { $0 } + handlers + rules + sources
    }

    private static let ofGenerations = all.without("handler", "for")
    private static let ofSubscriptions = all.without("returns")

    private static let all = BuilderSurface(
        [
            .modifier("arguments") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
                operation.$arguments.keep { () throws(TypeScriptError) in try arguments.parts(0) }
            },
            .modifier("returns") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
                operation.result = arguments.given(0)
                operation.returnsEvent = false
            },
            .authorization(\OperationBuilder.$rules, .operation),
            .modifier("handler") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
                let first: [HandlerBuilder] = try arguments.builders(0, "a handler")
                if first.last?.isAsynchronous == true { operation.returnsEvent = true }
                operation.$handlers.keep(handlers(arguments, first: first.last))
            },
            .modifier("for") { (operation: OperationBuilder, arguments) throws(TypeScriptError) in
                operation.$sources.keep { () throws(TypeScriptError) in try arguments.builders(0, "a.ref(...)") }
            },
        ], isOpen: true)

    /// The last handler says at the call what the operation returns.
    private static func handlers(
        _ arguments: BuilderArguments, first: HandlerBuilder?
    ) -> Late<[HandlerBuilder]>.Reading {
        { () throws(TypeScriptError) in
            let last: [HandlerBuilder] = try arguments.builders(0, "a handler")
            guard first?.isAsynchronous == last.last?.isAsynchronous else {
                throw arguments.error(
                    "the list of handlers is changed after `.handler` was called with it, so that another kind of handler is the last"
                )
            }
            return last
        }
    }
}
