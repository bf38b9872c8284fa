import Script

/// The rules of the preset `base` that look at one part of the tree alone.
struct SyntaxRules: LintRule {
    private(set) var findings: [LintFinding] = []
    private let promise: Name

    init(_ names: NameNumbers) {
        promise = names.name(of: "Promise")
    }

    private mutating func add(_ rule: String, _ message: String, _ place: Place) {
        findings.append(LintFinding(weight: .error, rule: rule, message: message, place: place))
    }

    mutating func visit(_ statement: Statement, in scope: LintScope) {
        let place = statement.place
        switch statement.form {
        case .for: add("no-for", "For statements are not supported.", place)
        case .while: add("no-while", "While statements are not supported.", place)
        case .doWhile: add("no-while", "do...while statements are not supported.", place)
        case .try: add("no-try", "Try statements are not supported.", place)
        case .continue: add("no-continue", "Continue statements are not supported", place)
        case .labeled: add("no-labels", "Labeled statements are not supported.", place)
        case .class: add("no-classes", "Class declarations are not supported.", place)
        default: break
        }
    }

    mutating func visit(_ function: FunctionNode, isDeclaration: Bool, in scope: LintScope) {
        if function.isAsync { add("no-async", "Async functions are not supported.", function.place) }
        if function.isGenerator, isDeclaration {
            add("no-generators", "Generator functions are not supported.", function.place)
        }
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        let place = expression.start
        switch expression.form {
        case .await: add("no-await", "The `await` keyword is not supported", place)
        case .yield, .yieldAll: add("no-yield", "Yield statements are not supported", place)
        case .regularExpression: add("no-regex", "Regex literals are not supported.", place)
        case .this: add("no-this", "This expressions are not supported.", place)
        case .update(let step, _, _): operatorRule("unary-operators", step > 0 ? "++" : "--", place)
        case .unary(.complement, _): operatorRule("unary-operators", "~", place)
        case .binary(.instanceOf, _, _): operatorRule("binary-operators", "instanceof", place)
        case .binary(.in, _, _), .privateIn:
            add("no-in-operator", "in operator is not supported. Use Object.hasOwn().", place)
        case .new(let callee, _):
            if case .identifier(promise) = callee.plain.form { isNew = true }
            if isNew { add("no-promise", "Promise is not supported", place) }
        case .identifier(promise):
            // The lint looks at `new Promise` only, but a save refuses whatever asks for it.
            if !isNew, scope.binding(of: promise) == nil {
                findings.append(
                    LintFinding(weight: .error, rule: nil, message: "Promise is not supported", place: place))
            }
            isNew = false
        default: break
        }
    }

    /// The next identifier is the one of `new Promise`, which was found already.
    private var isNew = false

    private mutating func operatorRule(_ kind: String, _ sign: String, _ place: Place) {
        add("no-disallowed-\(kind)", "The operator \(sign) is not supported", place)
    }
}
