import Script

/// Goes through a module's tree once, with the scopes of its names, and shows each part to all rules.
final class LintWalk {
    private(set) var scope: LintScope
    private var rules: [any LintRule]

    init(_ program: ProgramNode, rules: [any LintRule]) {
        scope = LintScope(parent: nil, function: nil)
        self.rules = rules
        for entry in program.imports { scope.declare(entry.local, .imported) }
        scope.declareVariables(program.body)
        scope.declareBlock(program.body)
    }

    /// - Returns: the rules, with what they have found.
    func run(_ program: ProgramNode) -> [any LintRule] {
        statements(program.body)
        return rules
    }

    private func show(_ visit: (inout any LintRule) -> Void) {
        for index in rules.indices { visit(&rules[index]) }
    }

    private func within(_ function: FunctionNode?, _ declare: (LintScope) -> Void, _ body: () -> Void) {
        let outer = scope
        scope = LintScope(parent: outer, function: function ?? outer.function)
        declare(scope)
        body()
        scope = outer
    }

    // MARK: Statements

    private func statements(_ statements: [Statement]) {
        for statement in statements { self.statement(statement) }
    }

    private func block(_ body: [Statement]) {
        within(nil, { $0.declareBlock(body) }) { statements(body) }
    }

    /// It is long because there are many kinds of statements.
    private func statement(_ statement: Statement) {
        show { $0.visit(statement, in: scope) }
        switch statement.form {
        case .empty, .break, .continue, .debugger, .propertyNames: break
        case .expression(let value), .throw(let value), .exportDefault(let value): expression(value)
        case .declaration(let declaration): for part in declaration.parts { element(part) }
        case .function(let node): function(node, isDeclaration: true)
        case .class(let node): self.class(node)
        case .block(let body): block(body)
        case .if(let test, let then, let otherwise):
            expression(test)
            self.statement(then)
            if let otherwise { self.statement(otherwise) }
        case .for(let start, let test, let update, let body):
            within(
                nil,
                { scope in
                    guard case .declaration(let declaration) = start, declaration.kind != .var else { return }
                    for part in declaration.parts { scope.declare(part, initializer: part.initializer) }
                }
            ) {
                switch start {
                case .declaration(let declaration): for part in declaration.parts { element(part) }
                case .expression(let value): expression(value)
                case nil: break
                }
                if let test { expression(test) }
                if let update { expression(update) }
                self.statement(body)
            }
        case .forIn(let head, let object, let body): loop(head, object, .key, body)
        case .forOf(let head, let list, let body, _): loop(head, list, .element(of: list), body)
        case .while(let test, let body), .doWhile(let body, let test):
            expression(test)
            self.statement(body)
        case .switch(let value, let cases):
            expression(value)
            within(nil, { scope in for part in cases { scope.declareBlock(part.body) } }) {
                for part in cases {
                    if let test = part.test { expression(test) }
                    statements(part.body)
                }
            }
        case .labeled(_, let body): self.statement(body)
        case .return(let value): if let value { expression(value) }
        case .try(let body, let handler, let finally):
            block(body)
            if let handler {
                within(
                    nil,
                    { scope in
                        if let parameter = handler.parameter { scope.declareOthers(parameter) }
                        scope.declareBlock(handler.body)
                    }
                ) {
                    if let parameter = handler.parameter { pattern(parameter) }
                    statements(handler.body)
                }
            }
            if let finally { block(finally) }
        }
    }

    private func loop(_ head: ForHead, _ value: Expression, _ form: LintBinding.Form, _ body: Statement) {
        expression(value)
        within(
            nil,
            { scope in
                guard case .declaration(let kind, let pattern) = head, kind != .var else { return }
                scope.declareHead(pattern, form)
            }
        ) {
            switch head {
            case .declaration(_, let pattern), .assignment(let pattern): self.pattern(pattern)
            }
            statement(body)
        }
    }

    // MARK: Functions and classes

    /// - Parameter list: the list whose method calls it with each element.
    private func function(_ node: FunctionNode, isDeclaration: Bool, elementsOf list: Expression? = nil) {
        show { $0.visit(node, isDeclaration: isDeclaration, in: scope) }
        within(
            node,
            { scope in
                for (index, parameter) in node.parameters.enumerated() {
                    if case .binding(let name, _) = parameter.pattern {
                        if index == 0, let list {
                            scope.declare(name, .elementParameter(of: list))
                        } else {
                            scope.declare(name, .parameter(parameter.initializer))
                        }
                    } else {
                        scope.declareOthers(parameter.pattern)
                    }
                }
                if let rest = node.rest { scope.declareHead(rest, .rest) }
                if !isDeclaration, let name = node.name { scope.declare(name, .function(node)) }
                scope.declareVariables(node.body)
                scope.declareBlock(node.body)
            }
        ) {
            for parameter in node.parameters { element(parameter) }
            if let rest = node.rest { pattern(rest) }
            statements(node.body)
        }
        show { $0.leave(node) }
    }

    private func `class`(_ node: ClassNode) {
        if let parent = node.superclass { expression(parent) }
        if let constructor = node.constructor { function(constructor, isDeclaration: false) }
        for element in node.elements {
            switch element {
            case .method(let name, let node, _), .getter(let name, let node, _), .setter(let name, let node, _):
                self.name(name)
                function(node, isDeclaration: false)
            case .field(let name, let node, _):
                self.name(name)
                if let node { function(node, isDeclaration: false) }
            case .staticBlock(let node): function(node, isDeclaration: false)
            }
        }
    }

    // MARK: Patterns

    private func element(_ element: ElementPattern) {
        show { $0.visit(element, in: scope) }
        pattern(element.pattern)
        if let initializer = element.initializer { expression(initializer) }
    }

    private func pattern(_ pattern: Pattern, isPart: Bool = false) {
        switch pattern {
        case .binding: break
        case .target(let target):
            show { $0.visitWrite(to: target, isPart: isPart, in: scope) }
            expression(target)
        case .object(let properties, let rest, _):
            for property in properties {
                name(property.name)
                inner(property.element)
            }
            if let rest { self.pattern(rest, isPart: true) }
        case .array(let elements, let rest, _):
            for case let element? in elements { inner(element) }
            if let rest { self.pattern(rest, isPart: true) }
        }
    }

    /// A part of a pattern, whose initializer is a default.
    private func inner(_ element: ElementPattern) {
        pattern(element.pattern, isPart: true)
        if let initializer = element.initializer { expression(initializer) }
    }

    private func name(_ name: PropertyName) {
        if case .computed(let key) = name { expression(key) }
    }

    // MARK: Expressions

    /// Long sums and chains of members lie one inside the other: these are gone through without going deeper.
    func expression(_ expression: Expression) {
        var around: [Expression] = []
        var current = expression
        while let first = current.first {
            show { $0.visit(current, in: scope) }
            around.append(current)
            current = first
        }
        show { $0.visit(current, in: scope) }
        parts(of: current)
        show { $0.leave(current) }
        for outer in around.reversed() {
            parts(of: outer)
            show { $0.leave(outer) }
        }
    }

    /// What an expression has besides its `first`. It is long because there are many kinds of expressions.
    private func parts(of expression: Expression) {
        switch expression.form {
        case .identifier, .this, .null, .boolean, .number, .text, .regularExpression, .superMember, .newTarget,
            .importMeta:
            break
        case .template(let template): for part in template.expressions { self.expression(part) }
        case .taggedTemplate(_, let template):
            for part in template.expressions { self.expression(part) }
        case .array(let elements): self.elements(elements)
        case .object(let properties): for property in properties { self.property(property) }
        case .function(let node): function(node, isDeclaration: false)
        case .class(let node): self.class(node)
        case .parenthesized(let inner), .chain(let inner), .superIndex(let inner), .unary(_, let inner),
            .privateIn(_, let inner), .yieldAll(let inner), .await(let inner):
            self.expression(inner)
        case .member, .privateMember: break
        case .index(_, let key, _): self.expression(key)
        case .call(let callee, let arguments, _): self.arguments(arguments, of: callee)
        case .new(let callee, let arguments):
            self.expression(callee)
            elements(arguments)
        case .superCall(let arguments): elements(arguments)
        case .importCall(let specifier, let options):
            self.expression(specifier)
            if let options { self.expression(options) }
        case .update(_, _, let target):
            show { $0.visitWrite(to: target, isPart: false, in: scope) }
            self.expression(target)
        case .binary(_, _, let right), .logical(_, _, let right): self.expression(right)
        case .assign(let target, let value):
            pattern(target)
            self.expression(value)
        case .assignWith(_, let target, let value), .assignLogical(_, let target, let value):
            show { $0.visitWrite(to: target, isPart: false, in: scope) }
            self.expression(target)
            self.expression(value)
        case .conditional(let test, let then, let otherwise):
            self.expression(test)
            self.expression(then)
            self.expression(otherwise)
        case .sequence(let parts): for part in parts { self.expression(part) }
        case .yield(let value): if let value { self.expression(value) }
        }
    }

    private func elements(_ elements: [ArrayElement]) {
        for element in elements {
            switch element {
            case .hole: break
            case .value(let value), .spread(let value): expression(value)
            }
        }
    }

    /// A function that a list's method is given gets the elements.
    private func arguments(_ arguments: [ArrayElement], of callee: Expression) {
        guard case .member(let list, _, _) = callee.plain.form, case .value(let first)? = arguments.first,
            case .function(let node) = first.form
        else { return elements(arguments) }
        show { $0.visit(first, in: scope) }
        function(node, isDeclaration: false, elementsOf: list)
        show { $0.leave(first) }
        elements(Array(arguments.dropFirst()))
    }

    private func property(_ property: Property) {
        switch property {
        case .value(let name, let value):
            self.name(name)
            expression(value)
        case .prototype(let value), .spread(let value): expression(value)
        case .method(let name, let node), .getter(let name, let node), .setter(let name, let node):
            self.name(name)
            function(node, isDeclaration: false)
        }
    }
}

extension Expression {
    /// What an expression begins with that can be as deep as the text is long.
    fileprivate var first: Expression? {
        switch form {
        case .member(let first, _, _), .privateMember(let first, _, _), .index(let first, _, _), .call(let first, _, _),
            .taggedTemplate(let first, _), .binary(_, let first, _), .logical(_, let first, _):
            first
        default: nil
        }
    }

    /// Without parentheses, and the inside of a chain.
    var plain: Expression {
        switch form {
        case .parenthesized(let inner), .chain(let inner): inner.plain
        default: self
        }
    }

    /// Where its text begins. The place of a member is that of its name.
    var start: Place {
        switch form {
        case .member(let object, _, _), .privateMember(let object, _, _), .index(let object, _, _),
            .call(let object, _, _), .taggedTemplate(let object, _):
            object.start
        case .binary(_, let left, _), .logical(_, let left, _), .assignWith(_, let left, _),
            .assignLogical(_, let left, _), .conditional(let left, _, _), .update(_, false, let left):
            left.start
        case .chain(let inner): inner.start
        case .sequence(let parts): parts.first?.start ?? place
        case .assign(.target(let target), _): target.start
        default: place
        }
    }
}
