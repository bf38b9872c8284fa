import GraphQL

/// An expression of the subset, with what lies outside of it kept as `unsupported`: who needs its value is refused.
struct ScriptExpression {
    indirect enum Kind {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case template([String], [ScriptExpression])
        case name(String)
        case this
        case array([ScriptElement])
        case object([ScriptProperty])
        case function(ScriptFunction)
        case member(ScriptExpression, name: String, at: Position, isOptional: Bool)
        case element(ScriptExpression, ScriptExpression, isOptional: Bool)
        case call(ScriptExpression, [ScriptElement], isOptional: Bool)
        case unary(String, ScriptExpression)
        case binary(String, ScriptExpression, ScriptExpression)
        case conditional(ScriptExpression, ScriptExpression, ScriptExpression)
        /// What it is called, and whether its value can be passed on unseen.
        case unsupported(String, isValue: Bool)
    }

    let kind: Kind
    let position: Position
    /// How many expressions its longest path passes through.
    let height: Int
}

/// A part of a list or of arguments.
enum ScriptElement {
    case value(ScriptExpression)
    case spread(ScriptExpression)
    case hole(Position)
}

/// A part of an object literal.
enum ScriptProperty {
    case value(ScriptKey, ScriptExpression)
    case getter(ScriptKey, ScriptFunction)
    case spread(ScriptExpression)
}

/// The name of a property, as written or as computed.
enum ScriptKey {
    case name(String, Position)
    case computed(ScriptExpression)
}

/// A function or arrow function: nothing of it is evaluated before it is called.
final class ScriptFunction {
    enum Body {
        case expression(ScriptExpression)
        case block([ScriptStatement])
        /// What is wrong with it, should anybody call it.
        case unreadable(TypeScriptError)
    }

    let name: String?
    let parameters: [ScriptParameter]
    let body: Body
    let isArrow: Bool
    /// What cannot be called of it: `async` and generators.
    let refusal: TypeScriptError?
    let position: Position

    init(
        name: String?, parameters: [ScriptParameter], body: Body, isArrow: Bool, refusal: TypeScriptError?,
        position: Position
    ) {
        self.name = name
        self.parameters = parameters
        self.body = body
        self.isArrow = isArrow
        self.refusal = refusal
        self.position = position
    }
}

struct ScriptParameter {
    let binding: ScriptBinding
    let standard: ScriptExpression?
    let isRest: Bool
}

/// What a declaration or parameter gives names to.
indirect enum ScriptBinding {
    case name(String, Position)
    case object([(key: ScriptKey, binding: ScriptBinding, standard: ScriptExpression?)], rest: (String, Position)?)
    case array([(binding: ScriptBinding, standard: ScriptExpression?, isRest: Bool)?])

    /// All names in it.
    var names: [String] {
        switch self {
        case .name(let name, _): [name]
        case .object(let parts, let rest): parts.flatMap(\.binding.names) + (rest.map { [$0.0] } ?? [])
        case .array(let parts): parts.flatMap { $0?.binding.names ?? [] }
        }
    }
}

/// A statement, with the names that its text mentions: they cannot be trusted when it fails.
struct ScriptStatement {
    enum Kind {
        case declaration([(binding: ScriptBinding, value: ScriptExpression?)])
        case function(String, ScriptFunction)
        case enumeration(String, [(name: String, at: Position, value: ScriptExpression?)])
        case expression(ScriptExpression)
        case returned(ScriptExpression?)
        case imported(ScriptImport)
        case exported([(local: String, name: String, at: Position)], from: ScriptModuleName?)
        case exportedAll(name: String?, from: ScriptModuleName)
        case exportedDefault(ScriptExpression)
        /// What it is called, and the names that it declares.
        case unsupported(String, declares: [String])
    }

    let kind: Kind
    let position: Position
    let isExported: Bool
    let tokens: Range<Int>
}

/// The name in quotes behind `from`.
struct ScriptModuleName {
    let text: String
    let position: Position
}

struct ScriptImport {
    let names: [(name: String, local: String, at: Position)]
    let namespace: String?
    let module: ScriptModuleName
}

/// A module as it was parsed.
struct ScriptModule {
    let statements: [ScriptStatement]
    let tokens: [ScriptToken]
}
