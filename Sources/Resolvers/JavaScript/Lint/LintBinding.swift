import Script

/// A name that a module declares, and what is known about it without running anything.
final class LintBinding {
    enum Form {
        /// With its initializer, where it is no part of a pattern.
        case variable(Expression?)
        /// Of `for (const x of list)`.
        case element(of: Expression)
        /// Of `for (const key in object)`.
        case key
        case function(FunctionNode)
        /// With what is there where none is given.
        case parameter(Expression?)
        /// `...rest`
        case rest
        /// The first parameter of a function that a list's method calls, with what the list is.
        case elementParameter(of: Expression)
        case imported
        /// A part of a pattern, a class, a `catch`.
        case other
    }

    let name: Name
    let form: Form
    /// The scope of a variable's initializer, in which names mean what they mean there.
    let scope: LintScope

    init(_ name: Name, _ form: Form, in scope: LintScope) {
        self.name = name
        self.form = form
        self.scope = scope
    }
}

/// The names that hold in a part of a module.
final class LintScope {
    let parent: LintScope?
    /// The function whose scope it is, or a block of.
    let function: FunctionNode?
    private(set) var bindings: [Name: LintBinding] = [:]

    init(parent: LintScope?, function: FunctionNode?) {
        self.parent = parent
        self.function = function
    }

    func declare(_ name: Name, _ form: LintBinding.Form) {
        // The first declaration is what a type checker goes by.
        if bindings[name] == nil { bindings[name] = LintBinding(name, form, in: self) }
    }

    func binding(of name: Name) -> LintBinding? {
        var scope: LintScope? = self
        while let current = scope {
            if let binding = current.bindings[name] { return binding }
            scope = current.parent
        }
        return nil
    }
}

extension LintScope {
    /// What a declaration's pattern declares. Only a plain name has the initializer as its value.
    func declare(_ element: ElementPattern, initializer: Expression?) {
        if case .binding(let name, _) = element.pattern {
            declare(name, .variable(initializer ?? element.initializer))
        } else {
            declareOthers(element.pattern)
        }
    }

    func declareOthers(_ pattern: Pattern) {
        switch pattern {
        case .binding(let name, _): declare(name, .other)
        case .target: break
        case .object(let properties, let rest, _):
            for property in properties { declareOthers(property.element.pattern) }
            if let rest { declareOthers(rest) }
        case .array(let elements, let rest, _):
            for case let element? in elements { declareOthers(element.pattern) }
            if let rest { declareOthers(rest) }
        }
    }

    /// What a block's own statements declare: functions, classes, `let` and `const`.
    func declareBlock(_ statements: [Statement]) {
        for statement in statements {
            switch statement.form {
            case .function(let function): if let name = function.name { declare(name, .function(function)) }
            case .class(let node): if let name = node.name { declare(name, .other) }
            case .declaration(let declaration) where declaration.kind != .var:
                for part in declaration.parts { declare(part, initializer: part.initializer) }
            default: break
            }
        }
    }

    /// The `var`s of a function's body, wherever they stand in it.
    func declareVariables(_ statements: [Statement]) {
        for statement in statements { declareVariables(statement) }
    }

    private func declareVariables(_ statement: Statement) {
        switch statement.form {
        case .declaration(let declaration) where declaration.kind == .var:
            for part in declaration.parts { declare(part, initializer: part.initializer) }
        case .block(let body): declareVariables(body)
        case .if(_, let then, let otherwise):
            declareVariables(then)
            if let otherwise { declareVariables(otherwise) }
        case .for(let start, _, _, let body):
            if case .declaration(let declaration) = start, declaration.kind == .var {
                for part in declaration.parts { declare(part, initializer: part.initializer) }
            }
            declareVariables(body)
        case .forIn(let head, _, let body):
            if case .declaration(.var, let pattern) = head { declareHead(pattern, .key) }
            declareVariables(body)
        case .forOf(let head, let list, let body, _):
            if case .declaration(.var, let pattern) = head { declareHead(pattern, .element(of: list)) }
            declareVariables(body)
        case .while(_, let body), .doWhile(let body, _), .labeled(_, let body): declareVariables(body)
        case .switch(_, let cases): for part in cases { declareVariables(part.body) }
        case .try(let body, let handler, let finally):
            declareVariables(body)
            if let handler { declareVariables(handler.body) }
            if let finally { declareVariables(finally) }
        default: break
        }
    }

    func declareHead(_ pattern: Pattern, _ form: LintBinding.Form) {
        if case .binding(let name, _) = pattern { declare(name, form) } else { declareOthers(pattern) }
    }
}
