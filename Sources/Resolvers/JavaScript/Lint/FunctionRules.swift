import JSON
import Script

/// `no-function-passing`, `no-function-reassign` and `no-function-return`: functions are no values, but for the methods of
/// lists and for the variable that they are made for.
struct FunctionRules: LintRule {
    private(set) var findings: [LintFinding] = []
    private let types: StaticTypes
    private let names: NameNumbers

    /// Methods of lists that may be given a function.
    private static let allowed: Set<ByteText> = [
        "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "map", "reduce",
        "reduceRight", "some",
    ]

    init(_ names: NameNumbers, _ types: StaticTypes) {
        self.names = names
        self.types = types
    }

    private mutating func add(_ rule: String, _ message: String, _ place: Place) {
        findings.append(LintFinding(weight: .warning, rule: rule, message: message, place: place))
    }

    mutating func visit(_ statement: Statement, in scope: LintScope) {
        guard case .return(let value?) = statement.form else { return }
        // The expression of an arrow stands where it begins itself: that is no `return`.
        if statement.place == value.place { return }
        switch value.plain.form {
        case .function(let node) where node.kind == .normal || node.kind == .arrow: break
        case .identifier(let name): if types.function(name, in: scope) == nil { return }
        default: return
        }
        add("no-function-return", "returning a function is not allowed", statement.place)
    }

    mutating func visit(_ declared: ElementPattern, in scope: LintScope) {
        guard let value = declared.initializer, isFunctionName(value, in: scope),
            // A parameter's default is no declaration.
            !isParameter(declared, in: scope)
        else { return }
        add("no-function-reassign", "re-assigning function is not allowed", declared.place ?? value.place)
    }

    private func isParameter(_ declared: ElementPattern, in scope: LintScope) -> Bool {
        guard case .binding(let name, _) = declared.pattern, let binding = scope.binding(of: name) else { return false }
        if case .parameter = binding.form { return true }
        return false
    }

    private func isFunctionName(_ value: Expression, in scope: LintScope) -> Bool {
        guard case .identifier(let name) = value.plain.form else { return false }
        return types.function(name, in: scope) != nil
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        switch expression.form {
        case .assign(_, let value):
            if isFunctionName(value, in: scope) {
                add("no-function-reassign", "re-assigning function is not allowed", expression.start)
            }
        case .call(let callee, let arguments, _):
            let passes = arguments.contains { argument in
                guard case .value(let value) = argument else { return false }
                switch value.form {
                case .function(let node): return node.kind == .normal || node.kind == .arrow
                case .identifier(let name): return types.function(name, in: scope) != nil
                default: return false
                }
            }
            guard passes, isRefusing(callee, in: scope) else { return }
            add("no-function-passing", "Functions can not be passed as an argument", expression.start)
        default: break
        }
    }

    /// Whether a checker knows what is called, and that it is none of those that may be given a function.
    private func isRefusing(_ callee: Expression, in scope: LintScope) -> Bool {
        switch callee.form {
        case .identifier(let name):
            if scope.binding(of: name) == nil { return StaticTypes.globalFunctions.contains(names.text(of: name)) }
            return types.function(name, in: scope) != nil
        case .member(let object, let member, _):
            guard let owner = types.type(of: object, in: scope).interface else { return false }
            let name = names.text(of: member)
            guard StaticTypes.methods(of: owner).contains(name) else { return false }
            return owner != "Array" || !Self.allowed.contains(name)
        default: return false
        }
    }
}

extension ElementPattern {
    var place: Place? {
        switch pattern {
        case .binding(_, let place), .object(_, _, let place), .array(_, _, let place): place
        case .target(let target): target.start
        }
    }
}
