import Blueprint
import GraphQL
import Project

/// A reference by name: `a.ref('Name')`.
final class ReferenceBuilder: Builder {
    let target: String
    let position: Position
    var isElementRequired = false
    var isList = false
    var isListRequired = false
    @Late var rules: [RuleBuilder] = []
    @Late var mutations: [String] = []

    init(target: String, position: Position) {
        self.target = target
        self.position = position
    }

    override var label: String { "a.ref(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $rules.read()
        try $mutations.read()
        return rules
    }

    static let surface = BuilderSurface(
        [
            .modifier("required") { (reference: ReferenceBuilder, _) throws(TypeScriptError) in
                if reference.isList { reference.isListRequired = true } else { reference.isElementRequired = true }
            },
            .flag("array", \ReferenceBuilder.isList),
            .authorization(\ReferenceBuilder.$rules, .field),
            .modifier("mutations") { (reference: ReferenceBuilder, arguments) throws(TypeScriptError) in
                reference.$mutations.keep { () throws(TypeScriptError) in try arguments.texts(0).map(\.text) }
            },
        ], isOpen: true)
}
