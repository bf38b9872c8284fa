import Blueprint
import Project

/// `a.conversation({...})`
final class ConversationBuilder: Builder {
    /// Nil before it is read.
    @Late var input: AssistantInput?
    @Late var rules: [RuleBuilder] = []

    init(_ arguments: BuilderArguments) throws(TypeScriptError) {
        // Amplify takes the members of the object at the call, and keeps what they are.
        let copy = try arguments.copiedObject(0)
        super.init()
        $input.keep { () throws(TypeScriptError) in try AssistantInput(try copy.object(0)) }
    }

    override var label: String { "a.conversation(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $input.read()
        try $rules.read()
        return rules
    }

    static let surface = BuilderSurface([.authorization(\ConversationBuilder.$rules, .conversation)])
}
