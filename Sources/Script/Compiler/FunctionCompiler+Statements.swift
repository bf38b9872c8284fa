extension FunctionCompiler {
    func statements(_ list: [Statement]) {
        for statement in list { self.statement(statement) }
    }

    private func statement(_ statement: Statement) {
        let labels = pendingLabels
        pendingLabels = []
        let place = statement.place
        switch statement.form {
        case .empty, .debugger, .function, .propertyNames: break
        case .expression(let expression): discarded(expression)
        case .declaration(let declaration): self.declaration(declaration)
        case .class(let node):
            classValue(node, name: nil)
            if let name = node.name { initialize(name, at: place) } else { emit(.pop) }
        case .block(let body): block(body)
        case .if(let test, let then, let otherwise): ifStatement(test, then, otherwise)
        case .for(let start, let test, let update, let body):
            forStatement(start, test, update, body, labels)
        case .forIn(let head, let object, let body): forIn(head, object, body, labels, place)
        case .forOf(let head, let list, let body, let isAwait): forOf(head, list, body, isAwait, labels, place)
        case .while(let test, let body): whileStatement(test, body, labels)
        case .doWhile(let body, let test): doWhile(body, test, labels)
        case .switch(let value, let cases): switchStatement(value, cases, labels)
        case .labeled(let name, let body): labeled(name, body, labels)
        case .break(let name):
            if let target = target(name, isContinue: false) { leave(.breaking(target), at: place) }
        case .continue(let name):
            if let target = target(name, isContinue: true) { leave(.continuing(target), at: place) }
        case .return(let value):
            if let value { expression(value) } else { emit(.undefined) }
            if isAsyncGenerator, value != nil {
                mark(place)
                emit(.await)
            }
            leave(.returning, at: place)
        case .throw(let value):
            expression(value)
            mark(place)
            emit(.throwValue)
        case .try(let body, let handler, let finally):
            if let finally {
                tryFinally(body, handler, finally, place)
            } else if let handler {
                tryCatch(body, handler)
            } else {
                block(body)
            }
        case .exportDefault(let value):
            expression(value, name: Array("default".utf16))
            initialize(.known(.starDefault), at: place)
        }
    }

    // MARK: Scopes

    func block(_ body: [Statement]) {
        scopes.append(Scope())
        declareLexical(body)
        statements(body)
        scopes.removeLast()
    }

    /// The names that a list of statements declares for itself: `let`, `const`, classes, functions.
    func declareLexical(_ body: [Statement], isAlwaysChecked: Bool = false, hasFunctions: Bool = true) {
        var functions: [(Name, FunctionNode)] = []
        func add(_ name: Name, isConstant: Bool) {
            let variable = declare(name, isConstant: isConstant, hasDeadZone: true)
            variable.isAlwaysChecked = isAlwaysChecked
            enter(variable)
        }
        for statement in body {
            switch statement.form {
            case .declaration(let declaration) where declaration.kind != .var:
                var names: [Name] = []
                for part in declaration.parts { Declarations.boundNames(part.pattern, into: &names) }
                for name in names { add(name, isConstant: declaration.kind == .const) }
            case .class(let node):
                if let name = node.name { add(name, isConstant: false) }
            case .exportDefault: add(.known(.starDefault), isConstant: false)
            case .propertyNames(let object, let names):
                for name in names { scopes[scopes.count - 1].properties[name] = object }
            default:
                guard hasFunctions, let node = Self.declaredFunction(statement), let name = node.name else { continue }
                functions.append((name, node))
            }
        }
        for (name, _) in functions where scopes[scopes.count - 1].variables[name] == nil {
            enter(declare(name, hasDeadZone: false))
        }
        for (name, node) in functions {
            function(node, name: nil, isDeclared: true)
            initialize(name, at: node.place)
        }
    }

    /// A function declaration, maybe behind labels.
    static func declaredFunction(_ statement: Statement) -> FunctionNode? {
        var statement = statement
        while true {
            switch statement.form {
            case .function(let node): return node
            case .labeled(_, let inner): statement = inner
            default: return nil
            }
        }
    }

    private func declaration(_ declaration: Declaration) {
        for part in declaration.parts {
            if declaration.kind == .var {
                guard let initializer = part.initializer else { continue }
                if case .binding(let name, let place) = part.pattern {
                    expression(initializer, name: compiler.names.units(of: name))
                    access(name, .pop, at: place)
                } else {
                    takenApart(initializer, by: part.pattern)
                    bind(part.pattern, as: .assignment, source: .initializer(initializer))
                }
                continue
            }
            if case .binding(let name, let place) = part.pattern {
                if let initializer = part.initializer {
                    expression(initializer, name: compiler.names.units(of: name))
                } else {
                    emit(.undefined)
                }
                initialize(name, at: place)
            } else if let initializer = part.initializer {
                takenApart(initializer, by: part.pattern)
                bind(part.pattern, as: .initialization, source: .initializer(initializer))
            }
        }
    }

    private func target(_ name: Name?, isContinue: Bool) -> Target? {
        for control in controls.reversed() {
            guard case .target(let target) = control else { continue }
            if isContinue, target.continueLabel == nil { continue }
            if !isContinue, target.breakLabel == nil { continue }
            if let name {
                if target.labels.contains(name) { return target }
            } else if target.isPlain {
                return target
            }
        }
        return nil
    }

    // MARK: Branches and loops

    private func ifStatement(_ test: Expression, _ then: Statement, _ otherwise: Statement?) {
        let otherwiseLabel = newLabel()
        condition(test, jumpIfFalse: otherwiseLabel)
        single(then)
        guard let otherwise else { return place(otherwiseLabel) }
        let end = newLabel()
        jump(.jump, end)
        place(otherwiseLabel)
        single(otherwise)
        place(end)
    }

    /// A statement that is the body of another one.
    private func single(_ statement: Statement) {
        self.statement(statement)
    }

    private func forStatement(
        _ start: ForStart?, _ test: Expression?, _ update: Expression?, _ body: Statement, _ labels: [Name]
    ) {
        scopes.append(Scope())
        var variables: [Variable] = []
        switch start {
        case .declaration(let declaration):
            if declaration.kind != .var {
                var names: [Name] = []
                for part in declaration.parts { Declarations.boundNames(part.pattern, into: &names) }
                for name in names {
                    let variable = declare(name, isConstant: declaration.kind == .const, hasDeadZone: true)
                    enter(variable)
                    if declaration.kind == .let { variables.append(variable) }
                }
            }
            self.declaration(declaration)
        case .expression(let expression): discarded(expression)
        case nil: break
        }
        let top = newLabel()
        let next = newLabel()
        let end = newLabel()
        for variable in variables { renew(variable) }
        place(top)
        if let test { condition(test, jumpIfFalse: end) }
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: next, depth: depth)))
        single(body)
        controls.removeLast()
        place(next)
        for variable in variables { renew(variable) }
        if let update { discarded(update) }
        jump(.loop, top)
        place(end)
        scopes.removeLast()
    }

    private func whileStatement(_ test: Expression, _ body: Statement, _ labels: [Name]) {
        let top = newLabel()
        let end = newLabel()
        place(top)
        condition(test, jumpIfFalse: end)
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: top, depth: depth)))
        single(body)
        controls.removeLast()
        jump(.loop, top)
        place(end)
    }

    private func doWhile(_ body: Statement, _ test: Expression, _ labels: [Name]) {
        let top = newLabel()
        let next = newLabel()
        let end = newLabel()
        place(top)
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: next, depth: depth)))
        single(body)
        controls.removeLast()
        place(next)
        condition(test, jumpIfFalse: end)
        jump(.loop, top)
        place(end)
    }

    /// The scope of a loop's head while the list is evaluated: its names are there, and have no value yet.
    private func headScope(_ head: ForHead) {
        scopes.append(Scope())
        guard case .declaration(let kind, let pattern) = head, kind != .var else { return }
        var names: [Name] = []
        Declarations.boundNames(pattern, into: &names)
        for name in names { enter(declare(name, hasDeadZone: true)) }
    }

    /// Gives the value on the stack to what a loop's head names, in a scope of its own for each turn.
    private func bindHead(_ head: ForHead) {
        scopes.append(Scope())
        switch head {
        case .declaration(let kind, let pattern):
            if kind == .var {
                bind(pattern, as: .assignment, source: .value)
                return
            }
            var names: [Name] = []
            Declarations.boundNames(pattern, into: &names)
            for name in names { enter(declare(name, isConstant: kind == .const, hasDeadZone: true)) }
            bind(pattern, as: .initialization, source: .value)
        case .assignment(let pattern): bind(pattern, as: .assignment, source: .value)
        }
    }

    private func forIn(_ head: ForHead, _ object: Expression, _ body: Statement, _ labels: [Name], _ place: Place) {
        let slot = newLocals(3)
        headScope(head)
        expression(object)
        scopes.removeLast()
        let top = newLabel()
        let end = newLabel()
        mark(place)
        emit(.openKeys, count: slot)
        self.place(top)
        jump(.stepKeys, a: slot, to: end)
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: top, depth: depth - 1)))
        bindHead(head)
        single(body)
        scopes.removeLast()
        controls.removeLast()
        jump(.loop, top)
        self.place(end)
        release(slot)
    }

    /// An iterator that is done is held no longer.
    private func release(_ slot: Int) {
        emit(.clearLocal, count: slot)
    }

    /// A literal of literals.
    private static func isConstant(_ expression: Expression) -> Bool {
        switch unwrapped(expression).form {
        case .null, .boolean, .number, .text: return true
        case .array(let elements):
            return elements.allSatisfy { element in
                guard case .value(let value) = element else { return false }
                return isConstant(value)
            }
        case .object(let properties):
            return properties.allSatisfy { property in
                switch property {
                case .value(.name, let value), .value(.number, let value): return isConstant(value)
                default: return false
                }
            }
        default: return false
        }
    }

    private func forOf(
        _ head: ForHead, _ list: Expression, _ body: Statement, _ isAwait: Bool, _ labels: [Name], _ place: Place
    ) {
        let slot = newLocals(3)
        headScope(head)
        iterated(list)
        scopes.removeLast()
        let top = newLabel()
        let end = newLabel()
        let failed = newLabel()
        mark(list.place)
        // V8 does not know where a value comes from that another expression has chosen.
        let shown: Int32 =
            switch Self.unwrapped(list).form {
            case .conditional, .logical, .chain: -1
            case .object where !Self.isConstant(list): -1
            default: callee(list, .iterated)
            }
        emit(.openIterator, count: slot, Iteration(callee: shown, isAsync: isAwait).coded)
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: nil, depth: depth)))
        controls.append(.iterator(slot: slot, isAsync: isAwait))
        self.place(top)
        mark(list.place)
        if isAwait {
            emit(.callIterator, count: slot)
            emit(.await)
            jump(.unpackIterator, a: slot, to: end)
            // Where it is done, the value is gone.
        } else {
            jump(.stepIterator, a: slot, to: end)
        }
        depth -= 1
        let region = open(failed)
        controls.append(.target(Target(labels: labels, breakLabel: nil, continueLabel: top, depth: depth)))
        depth += 1
        bindHead(head)
        single(body)
        scopes.removeLast()
        controls.removeLast()
        close(region)
        controls.removeLast()
        controls.removeLast()
        jump(.loop, top)
        self.place(failed)
        depth += 1
        closeFailed(slot, isAsync: isAwait)
        emit(.throwValue)
        self.place(end)
        release(slot)
    }

    /// With an error on the stack, which stays: the iterator's `return` is called, and whatever comes of it does not count.
    func closeFailed(_ slot: Int, isAsync: Bool) {
        guard isAsync else {
            emit(.closeIterator, count: slot, 0)
            return
        }
        let failed = newLabel()
        let end = newLabel()
        let region = open(failed)
        emit(.returnIterator, count: slot, 0)
        emit(.await)
        emit(.pop)
        close(region)
        jump(.jump, end)
        place(failed)
        depth += 1
        emit(.pop)
        place(end)
    }

    private func switchStatement(_ value: Expression, _ cases: [SwitchCase], _ labels: [Name]) {
        let slot = newLocal()
        expression(value)
        emit(.popLocal, count: slot)
        scopes.append(Scope())
        declareLexical(cases.flatMap(\.body), isAlwaysChecked: true)
        let end = newLabel()
        let caseLabels = cases.map { _ in newLabel() }
        var defaultLabel = end
        for (part, label) in zip(cases, caseLabels) {
            guard let test = part.test else {
                defaultLabel = label
                continue
            }
            emit(.getLocal, count: slot)
            expression(test)
            mark(part.place)
            emit(.same)
            jump(.jumpIfTrue, label)
        }
        jump(.jump, defaultLabel)
        controls.append(.target(Target(labels: labels, breakLabel: end, continueLabel: nil, depth: depth)))
        for (part, label) in zip(cases, caseLabels) {
            place(label)
            statements(part.body)
        }
        controls.removeLast()
        place(end)
        scopes.removeLast()
    }

    private func labeled(_ name: Name, _ body: Statement, _ labels: [Name]) {
        let all = labels + [name]
        switch body.form {
        case .for, .forIn, .forOf, .while, .doWhile, .labeled:
            pendingLabels = all
            statement(body)
        default:
            let end = newLabel()
            controls.append(
                .target(Target(labels: all, breakLabel: end, continueLabel: nil, isPlain: false, depth: depth)))
            statement(body)
            controls.removeLast()
            place(end)
        }
    }

    // MARK: Errors

    private func tryCatch(_ body: [Statement], _ handler: Catch) {
        let failed = newLabel()
        let end = newLabel()
        let region = open(failed)
        block(body)
        close(region)
        jump(.jump, end)
        place(failed)
        depth += 1
        scopes.append(Scope())
        if let parameter = handler.parameter {
            var names: [Name] = []
            Declarations.boundNames(parameter, into: &names)
            for name in names { enter(declare(name, hasDeadZone: true)) }
            bind(parameter, as: .initialization, source: .value)
        } else {
            emit(.pop)
        }
        block(handler.body)
        scopes.removeLast()
        place(end)
    }

    private func tryFinally(_ body: [Statement], _ handler: Catch?, _ finally: [Statement], _ place: Place) {
        let failed = newLabel()
        let label = newLabel()
        let end = newLabel()
        let context = Finally(label: label, depth: depth)
        controls.append(.finally(context))
        let region = open(failed)
        if let handler { tryCatch(body, handler) } else { block(body) }
        close(region)
        controls.removeLast()
        emit(.undefined)
        emit(.integer, 0)
        jump(.jump, label)
        self.place(failed)
        depth -= 1
        emit(.integer, 1)
        self.place(label)
        block(finally)
        mark(place)
        jump(.endFinally, end)
        // All exits are asked for first, then comes the code of each.
        let labels = context.exits.map { _ in newLabel() }
        for (number, label) in labels.enumerated() {
            jump(.jumpIfExit, label, b: Int32(truncatingIfNeeded: number + 2))
        }
        for (exit, label) in zip(context.exits, labels) {
            self.place(label)
            depth = context.depth + 1
            if case .returning = exit {} else { emit(.pop) }
            self.leave(exit, at: place)
        }
        depth = context.depth
        self.place(end)
    }
}
