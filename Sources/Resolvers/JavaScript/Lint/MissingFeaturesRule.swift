import JSON
import Script

/// What no rule of the lint sees and the runtime still does not have: it is refused where the text shows that it cannot run,
/// and warned of where it fails only once it is reached.
struct MissingFeaturesRule: LintRule {
    private(set) var findings: [LintFinding] = []
    private let names: NameNumbers
    private let globals: Set<ByteText>
    /// Names that a `typeof` asks for, which is how programs look whether there is something.
    private var askedFor: Set<Int32> = []

    init(_ names: NameNumbers) {
        self.names = names
        globals = Set(texts: ResolverLanguage.globalNames + ["arguments", "Promise"])
    }

    private mutating func add(_ weight: LintFinding.Weight, _ message: String, _ place: Place) {
        findings.append(LintFinding(weight: weight, rule: nil, message: message, place: place))
    }

    mutating func visit(_ statement: Statement, in scope: LintScope) {
        guard case .throw = statement.form else { return }
        add(.error, "Throw statements are not supported. Use util.error().", statement.place)
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        let place = expression.start
        switch expression.form {
        case .newTarget: add(.error, "new.target is not supported.", place)
        case .importCall: add(.error, "import() is not supported. Use an import statement.", place)
        case .importMeta: add(.error, "import.meta is not supported.", place)
        case .class: add(.warning, "Classes are not supported: the code fails when it gets here.", place)
        case .new(let callee, _):
            if case .identifier(let name) = callee.plain.form, isMissing(name, in: scope) { return }
            add(.warning, "The operator new is not supported: the code fails when it gets here.", place)
        case .unary(.typeOf, let operand):
            if case .identifier = operand.plain.form { askedFor.insert(operand.plain.place.offset) }
        case .identifier(let name):
            guard isMissing(name, in: scope), !askedFor.contains(place.offset) else { return }
            add(
                .warning,
                "\(names.text(of: name)) is not defined in the runtime APPSYNC_JS: the code fails when it gets here.",
                place)
        default: break
        }
    }

    private func isMissing(_ name: Name, in scope: LintScope) -> Bool {
        scope.binding(of: name) == nil && !globals.contains(names.text(of: name))
    }
}
