extension FunctionCompiler {
    enum Binding {
        /// Of new names.
        case initialization
        /// To what is there, `var` among it.
        case assignment
    }

    /// What is taken apart, for the message where it cannot be.
    enum Source {
        /// Of a declaration.
        case initializer(Expression)
        /// Of an assignment.
        case assigned(Expression)
        /// A parameter that has a standard value.
        case parameter(standard: Expression)
        /// An element of another pattern, perhaps with a standard value.
        case element(standard: Expression?)
        /// What only its value describes: a parameter, an error that is caught, a turn of a loop.
        case value

        /// The text that messages about properties show.
        var described: Expression? {
            switch self {
            case .initializer(let expression), .assigned(let expression): expression
            case .parameter(let standard):
                Expression(.conditional(standard, then: standard, otherwise: standard), at: standard.place)
            case .element(let standard): standard
            case .value: nil
            }
        }
    }

    /// What an assignment writes to. Its parts lie on the stack.
    enum Reference {
        case variable(Name, Place, isNamed: Bool)
        /// True if the global variable was there before the value lies in a local.
        case global(Name, wasThere: Int, Place, isNamed: Bool)
        case member(Name, Place)
        case index(Place)
        case privateMember(Place)
        /// Key and base lie in locals.
        case superMember(key: Int, base: Int, Place)
        case none

        var count: Int {
            switch self {
            case .variable, .global, .superMember, .none: 0
            case .member: 1
            case .index, .privateMember: 2
            }
        }
    }

    // MARK: References

    /// Evaluates the parts of a target. Where the value comes after it and is not read before, a global variable must be
    /// there already.
    func prepare(_ target: Expression, beforeValue: Bool = false) -> Reference {
        let place = target.place
        switch target.form {
        case .identifier(let name):
            guard beforeValue, case .global = resolve(name) else { return .variable(name, place, isNamed: true) }
            let slot = newLocal()
            emit(.hasGlobal, name)
            emit(.popLocal, count: slot)
            return .global(name, wasThere: slot, place, isNamed: true)
        case .parenthesized(let inner):
            switch prepare(inner, beforeValue: beforeValue) {
            case .variable(let name, let place, _): return .variable(name, place, isNamed: false)
            case .global(let name, let slot, let place, _):
                return .global(name, wasThere: slot, place, isNamed: false)
            case let reference: return reference
            }
        case .member(let object, let name, _):
            expression(object)
            return .member(name, place)
        case .index(let object, let key, _):
            expression(object)
            expression(key)
            return .index(place)
        case .privateMember(let object, let name, _):
            expression(object)
            access(name, .get, at: place)
            return .privateMember(place)
        case .superMember(let name):
            access(.thisVariable, at: place)
            emit(.pop)
            let slot = newLocal()
            emit(.text, compiler.place(of: compiler.names.units(of: name)))
            emit(.popLocal, count: slot)
            return .superMember(key: slot, base: superBaseLocal(at: place), place)
        case .superIndex(let key):
            access(.thisVariable, at: place)
            emit(.pop)
            let slot = newLocal()
            expression(key)
            emit(.popLocal, count: slot)
            return .superMember(key: slot, base: superBaseLocal(at: place), place)
        default:
            expression(target)
            emit(.pop)
            mark(place)
            emit(.throwConstant, 2, 0)
            return .none
        }
    }

    private func superBaseLocal(at place: Place) -> Int {
        let slot = newLocal()
        superBase(at: place)
        emit(.popLocal, count: slot)
        return slot
    }

    /// The value of a reference, whose parts stay.
    private func load(_ reference: Reference) {
        switch reference {
        case .variable(let name, let place, _), .global(let name, _, let place, _):
            access(name, .get, at: place)
        case .member(let name, let place):
            emit(.duplicate)
            mark(place)
            emit(.getMember, name)
        case .index(let place):
            mark(place)
            emit(.toKey)
            emit(.duplicateTwo)
            emit(.getIndex)
        case .privateMember(let place):
            emit(.duplicateTwo)
            mark(place)
            emit(.getPrivate)
        case .superMember(let key, let base, let place):
            emit(.getLocal, count: key)
            mark(place)
            emit(.toPropertyKey)
            emit(.popLocal, count: key)
            access(.thisVariable, at: place)
            emit(.getLocal, count: key)
            emit(.getLocal, count: base)
            mark(place)
            emit(.getSuper)
        case .none: emit(.undefined)
        }
    }

    /// Takes the parts; the value stays.
    private func store(_ reference: Reference, at assignment: Place) {
        switch reference {
        case .variable(let name, let place, _): access(name, .set, at: place)
        case .global(let name, let slot, let place, _):
            mark(place)
            emit(.requireGlobal, name.number, Int32(truncatingIfNeeded: slot))
            access(name, .set, at: place)
        case .member(let name, let place):
            mark(place)
            emit(.setMember, name)
        case .index(let place):
            mark(place)
            emit(.setIndex)
        case .privateMember(let place):
            mark(place)
            emit(.setPrivate)
        case .superMember(let key, let base, let place):
            access(.thisVariable, at: place)
            emit(.swap)
            emit(.getLocal, count: key)
            emit(.swap)
            emit(.getLocal, count: base)
            emit(.swap)
            mark(place)
            emit(.setSuper)
        case .none: break
        }
    }

    private func functionName(_ reference: Reference) -> [UInt16]? {
        switch reference {
        case .variable(let name, _, true), .global(let name, _, _, true): compiler.names.units(of: name)
        default: nil
        }
    }

    // MARK: Assignments

    func assign(_ pattern: Pattern, _ value: Expression, at place: Place) {
        switch pattern {
        case .target(let target):
            let reference = prepare(target, beforeValue: true)
            expression(value, name: functionName(reference))
            store(reference, at: place)
        case .binding(let name, let place):
            expression(value, name: compiler.names.units(of: name))
            access(name, .set, at: place)
        case .object, .array:
            expression(value)
            emit(.duplicate)
            bind(pattern, as: .assignment, source: .assigned(value))
        }
    }

    func assign(_ operation: BinaryOperator, _ target: Expression, _ value: Expression, at place: Place) {
        let reference = prepare(target)
        load(reference)
        expression(value)
        mark(place)
        emit(Self.operation(operation))
        store(reference, at: place)
    }

    func assign(_ operation: LogicalOperator, _ target: Expression, _ value: Expression, at place: Place) {
        let reference = prepare(target)
        let isSettled = newLabel()
        let end = newLabel()
        load(reference)
        mark(place)
        switch operation {
        case .and: jump(.jumpIfFalseOrPop, isSettled)
        case .or: jump(.jumpIfTrueOrPop, isSettled)
        case .coalesce: jump(.jumpUnlessNullishOrPop, isSettled)
        }
        expression(value, name: functionName(reference))
        store(reference, at: place)
        jump(.jump, end)
        self.place(isSettled)
        if reference.count > 0 {
            depth += reference.count
            emit(.dropUnder, count: reference.count)
        }
        self.place(end)
    }

    func update(_ number: Double, _ isPrefix: Bool, _ target: Expression, at place: Place) {
        let reference = prepare(target)
        load(reference)
        mark(place)
        let step: Int32 = number > 0 ? 1 : -1
        if isPrefix {
            emit(.increment, step)
            store(reference, at: place)
            return
        }
        emit(.toNumeric)
        emit(.duplicate)
        if reference.count > 0 { emit(.sink, count: reference.count + 1) }
        emit(.increment, step)
        store(reference, at: place)
        emit(.pop)
    }

    // MARK: Taking apart

    /// The initializer of a declaration.
    func takenApart(_ value: Expression, by pattern: Pattern) {
        if case .array = pattern, showsElements(value) { iterated(value) } else { expression(value) }
    }

    /// V8 shows what a declaration takes elements of only where it is one of these.
    private func showsElements(_ value: Expression) -> Bool {
        switch value.form {
        case .identifier, .this, .null, .boolean, .number, .text, .regularExpression, .array, .object, .function,
            .class,
            .new, .unary:
            true
        case .call(let function, _, false): showsElements(function)
        default: false
        }
    }

    /// Takes the value on the stack apart.
    func bind(_ pattern: Pattern, as binding: Binding, source: Source) {
        switch pattern {
        case .binding(let name, let place):
            if binding == .initialization { initialize(name, at: place) } else { access(name, .pop, at: place) }
        case .target(let target):
            let reference = prepare(target)
            if reference.count > 0 { emit(.raise, count: reference.count) }
            store(reference, at: target.place)
            emit(.pop)
        case .object(let properties, let rest, let place):
            object(properties, rest, as: binding, source, at: place)
        case .array(let elements, let rest, let place):
            array(elements, rest, as: binding, source, at: place)
        }
    }

    /// The target's parts come before the value that `produce` leaves.
    private func bind(_ element: ElementPattern, as binding: Binding, _ produce: () -> Void) {
        var reference = Reference.none
        var name: [UInt16]?
        switch element.pattern {
        case .target(let target):
            reference = prepare(target, beforeValue: true)
            name = functionName(reference)
        case .binding(let identifier, _): name = compiler.names.units(of: identifier)
        default: break
        }
        produce()
        if let initializer = element.initializer {
            let end = newLabel()
            jump(.jumpUnlessUndefined, end)
            emit(.pop)
            expression(initializer, name: name)
            place(end)
        }
        if case .target(let target) = element.pattern {
            store(reference, at: target.place)
            emit(.pop)
        } else {
            bind(element.pattern, as: binding, source: .element(standard: element.initializer))
        }
    }

    private static func isMember(_ pattern: Pattern) -> Bool {
        guard case .target(let target) = pattern else { return false }
        if case .identifier = unwrapped(target).form { return false }
        return true
    }

    private func object(
        _ properties: [PropertyPattern], _ rest: Pattern?, as binding: Binding, _ source: Source, at place: Place
    ) {
        let slot = newLocal()
        let described = source.described
        mark(described?.place ?? place)
        let first: Int32 =
            switch properties.first?.name {
            case .name(let name): name.number
            case .number(let number): compiler.names.name(of: NumberText.decimal(number)).number
            default: -1
            }
        var shown = described.map { callee($0) } ?? -1
        if case .element(nil) = source { shown = -2 }
        if let element = properties.first?.element, element.initializer != nil || Self.isMember(element.pattern) {
            shown = -2
        }
        emit(.requireObject, first, shown)
        emit(.popLocal, count: slot)
        var keys: [PropertyKeySource] = []
        for property in properties {
            var key: PropertyKeySource
            switch property.name {
            case .name(let name), .private(let name): key = .name(name)
            case .number(let number): key = .number(number)
            case .computed(let expression):
                self.expression(expression)
                mark(expression.place)
                emit(.toPropertyKey)
                let local = newLocal()
                emit(.popLocal, count: local)
                key = .local(local)
            }
            keys.append(key)
            bind(property.element, as: binding) { [self] in
                emit(.getLocal, count: slot)
                mark(place)
                if case .name(let name) = key {
                    emit(.getMember, name)
                } else {
                    push(key)
                    emit(.getIndex)
                }
            }
        }
        if let rest {
            bind(ElementPattern(rest), as: binding) { [self] in
                emit(.getLocal, count: slot)
                for key in keys { push(key) }
                mark(place)
                emit(.restObject, count: keys.count)
            }
        }
        emit(.clearLocal, count: slot)
    }

    enum PropertyKeySource {
        case name(Name)
        case number(Double)
        case local(Int)
    }

    private func push(_ key: PropertyKeySource) {
        switch key {
        case .name(let name): emit(.text, compiler.place(of: compiler.names.units(of: name)))
        case .number(let number): self.number(number)
        case .local(let slot): emit(.getLocal, count: slot)
        }
    }

    private func array(
        _ elements: [ElementPattern?], _ rest: Pattern?, as binding: Binding, _ source: Source, at place: Place
    ) {
        let slot = newLocals(3)
        let failed = newLabel()
        let end = newLabel()
        mark(source.described?.place ?? place)
        var shown: Int32 = -1
        if case .initializer(let value) = source, showsElements(value) { shown = callee(value, .iterated) }
        emit(.openIterator, count: slot, Iteration(callee: shown, isPattern: true).coded)
        controls.append(.iterator(slot: slot, isAsync: false))
        let region = open(failed)
        for element in elements {
            guard let element else {
                mark(place)
                emit(.stepPattern, count: slot)
                emit(.pop)
                continue
            }
            bind(element, as: binding) { [self] in
                mark(place)
                emit(.stepPattern, count: slot)
            }
        }
        if let rest {
            bind(ElementPattern(rest), as: binding) { [self] in
                mark(place)
                emit(.restPattern, count: slot)
            }
        }
        close(region)
        controls.removeLast()
        mark(place)
        emit(.closeIterator, count: slot, 1)
        jump(.jump, end)
        self.place(failed)
        depth += 1
        closeFailed(slot, isAsync: false)
        emit(.throwValue)
        self.place(end)
        emit(.clearLocal, count: slot)
    }
}
