import Script

/// `no-disallowed-re-assignment`: the context, the first parameter of functions that are declared as `request` or `response`,
/// and its members are not assigned to. What lies deeper may change.
struct ContextRule: LintRule {
    private(set) var findings: [LintFinding] = []
    private let names: NameNumbers
    private let handlers: [Name]
    /// The handlers' declarations that have been met, by their identity.
    private var contexts: [ObjectIdentifier: Name] = [:]

    init(_ names: NameNumbers) {
        self.names = names
        handlers = [names.name(of: "request"), names.name(of: "response")]
    }

    mutating func visit(_ function: FunctionNode, isDeclaration: Bool, in scope: LintScope) {
        guard isDeclaration, let name = function.name, handlers.contains(name),
            let first = function.parameters.first, first.initializer == nil,
            case .binding(let context, _) = first.pattern
        else { return }
        contexts[ObjectIdentifier(function)] = context
    }

    mutating func visitWrite(to target: Expression, isPart: Bool, in scope: LintScope) {
        // Members that are parts of a pattern are not seen.
        if isPart, case .identifier = target.plain.form {} else if isPart { return }
        check(target, in: scope)
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        guard case .unary(.delete, let operand) = expression.form else { return }
        let target = operand.plain
        // A variable cannot be deleted at all.
        if case .identifier = target.form { return }
        check(target, in: scope)
    }

    private mutating func check(_ target: Expression, in scope: LintScope) {
        switch target.plain.form {
        case .identifier(let name):
            guard isContext(name, in: scope) else { return }
            add("\(names.text(of: name)) is readonly and re-assignment is not supported.", target.start)
        case .member(let object, let member, _):
            guard let name = context(object, in: scope) else { return }
            add("\(name) is readonly. Adding/Updating \(names.text(of: member)) is not supported.", target.start)
        case .index(let object, let key, _):
            guard let name = context(object, in: scope) else { return }
            guard let member = spelled(key.plain) else {
                return add("\(name) is readonly adding/modifying properties is not supported.", target.start)
            }
            add("\(name) is readonly. Adding/Updating \(member) is not supported.", target.start)
        default: break
        }
    }

    /// What the lint takes for the member's name: of `ctx[a.b]` it is `b`.
    private func spelled(_ key: Expression) -> String? {
        switch key.form {
        case .identifier(let name), .member(_, let name, _): names.text(of: name)
        case .text(let units): units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
        case .number(let number): number == number.rounded() ? "\(Int64(exactly: number) ?? 0)" : "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .index(_, let key, _): spelled(key.plain)
        default: nil
        }
    }

    private func context(_ object: Expression, in scope: LintScope) -> String? {
        guard case .identifier(let name) = object.plain.form, isContext(name, in: scope) else { return nil }
        return names.text(of: name)
    }

    private func isContext(_ name: Name, in scope: LintScope) -> Bool {
        guard let binding = scope.binding(of: name), let function = binding.scope.function else { return false }
        guard case .parameter = binding.form else { return false }
        return contexts[ObjectIdentifier(function)] == name
    }

    private mutating func add(_ message: String, _ place: Place) {
        findings.append(
            LintFinding(weight: .error, rule: "no-disallowed-re-assignment", message: message, place: place))
    }
}
