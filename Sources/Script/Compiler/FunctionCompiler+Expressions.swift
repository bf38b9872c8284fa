extension FunctionCompiler {
    /// Leaves the value on the stack. `name` is for functions and classes that have none of their own.
    func expression(_ expression: Expression, name: [UInt16]? = nil) {
        let place = expression.place
        let use: Callee.Use = isIterated ? .iterated : .value
        isIterated = false
        switch expression.form {
        case .identifier(let identifier): self.identifier(identifier, at: place)
        case .this: access(.thisVariable, at: place)
        case .null: emit(.null)
        case .boolean(let value): emit(value ? .yes : .no)
        case .number(let number): self.number(number)
        case .text(let units): emit(.text, compiler.place(of: units))
        case .regularExpression(let pattern, let flags):
            mark(place)
            emit(.regularExpression, compiler.place(of: pattern), compiler.place(of: flags))
        case .template(let template): self.template(template, at: place)
        case .taggedTemplate(let tag, let template):
            callee(pushing: tag)
            emit(.template, compiler.place(of: template))
            for part in template.expressions { self.expression(part) }
            mark(place)
            emit(.call, count: template.expressions.count + 1, callee(tag, use))
        case .array(let elements): array(elements)
        case .object(let properties): object(properties)
        case .function(let node): function(node, name: name)
        case .class(let node): classValue(node, name: name)
        case .parenthesized(let inner): self.expression(inner, name: name)
        case .member, .index, .privateMember, .superMember, .superIndex: member(expression)
        case .call(let function, let arguments, let isOptional):
            callee(pushing: function)
            if isOptional { leaveChain(extra: 1) }
            call(arguments, callee(function, use), at: place)
        case .chain(let inner): chain(inner)
        case .new(let function, let arguments):
            self.expression(function)
            emit(.duplicate)
            construct(arguments, callee(function), at: place)
        case .superCall(let arguments): superCall(arguments, at: place)
        case .newTarget: access(.newTargetVariable, at: place)
        case .importMeta: emit(.importMeta)
        case .importCall(let specifier, let options):
            self.expression(specifier)
            if let options { self.expression(options) } else { emit(.undefined) }
            mark(place)
            emit(.importCall)
        case .unary(let operation, let operand): unary(operation, operand, at: place)
        case .update(let number, let isPrefix, let target): update(number, isPrefix, target, at: place)
        case .binary(let operation, let left, let right):
            self.expression(left)
            self.expression(right)
            mark(place)
            emit(Self.operation(operation))
        case .logical(let operation, let left, let right):
            let end = newLabel()
            self.expression(left)
            mark(left.place)
            switch operation {
            case .and: jump(.jumpIfFalseOrPop, end)
            case .or: jump(.jumpIfTrueOrPop, end)
            case .coalesce: jump(.jumpUnlessNullishOrPop, end)
            }
            self.expression(right)
            self.place(end)
        case .privateIn(let name, let operand):
            self.expression(operand)
            access(name, .get, at: place)
            mark(place)
            emit(.hasPrivate)
        case .assign(let pattern, let value): assign(pattern, value, at: place)
        case .assignWith(let operation, let target, let value): assign(operation, target, value, at: place)
        case .assignLogical(let operation, let target, let value): assign(operation, target, value, at: place)
        case .conditional(let test, let then, let otherwise):
            let otherwiseLabel = newLabel()
            let end = newLabel()
            condition(test, jumpIfFalse: otherwiseLabel)
            self.expression(then)
            jump(.jump, end)
            depth -= 1
            self.place(otherwiseLabel)
            self.expression(otherwise)
            self.place(end)
        case .sequence(let parts):
            for part in parts.dropLast() { discarded(part) }
            if let last = parts.last { self.expression(last) } else { emit(.undefined) }
        case .yield(let value): yield(value, at: place)
        case .yieldAll(let value): yieldAll(value, at: place)
        case .await(let value):
            self.expression(value)
            mark(place)
            emit(.await)
        }
    }

    /// An expression whose value nobody needs.
    func discarded(_ expression: Expression) {
        if case .update(let number, _, let target) = expression.form, case .identifier(let name) = target.form,
            increment(name, by: number, at: expression.place)
        {
            return
        }
        self.expression(expression)
        emit(.pop)
    }

    /// Goes on where the test holds, and jumps where it does not.
    func condition(_ test: Expression, jumpIfFalse label: Label) {
        switch test.form {
        case .parenthesized(let inner): condition(inner, jumpIfFalse: label)
        case .binary(.less, let left, let right):
            expression(left)
            expression(right)
            mark(test.place)
            jump(.jumpUnlessLess, label)
        case .unary(.not, let operand):
            expression(operand)
            mark(operand.place)
            jump(.jumpIfTrue, label)
        case .logical(.and, let left, let right):
            condition(left, jumpIfFalse: label)
            condition(right, jumpIfFalse: label)
        default:
            expression(test)
            mark(test.place)
            jump(.jumpIfFalse, label)
        }
    }

    func number(_ number: Double) {
        if let integer = Int32(exactly: number), !(integer == 0 && number.sign == .minus) {
            emit(.integer, integer)
        } else {
            emit(.number, compiler.place(of: number))
        }
    }

    private func identifier(_ name: Name, at place: Place) {
        if name == .known(.undefined), case .global = resolve(name) {
            emit(.undefined)
            return
        }
        access(name, .get, at: place)
    }

    /// `this` and the like.
    func access(_ implicit: Name, at place: Place) {
        if !isArrow {
            switch implicit {
            case .thisVariable where !isDerived:
                emit(.this)
                return
            case .newTargetVariable:
                emit(.newTarget)
                return
            case .homeVariable:
                emit(.home)
                return
            case .functionVariable:
                emit(.function)
                return
            default: break
            }
        }
        if implicit == .thisVariable {
            access(implicit, .get, at: place)
        } else {
            getRaw(implicit)
        }
    }

    private func template(_ template: Template, at place: Place) {
        if template.expressions.isEmpty {
            emit(.text, compiler.place(of: template.texts.first?.cooked ?? []))
            return
        }
        for part in template.expressions {
            expression(part)
            mark(part.place)
        }
        mark(place)
        emit(
            .joinTemplate, count: template.expressions.count,
            compiler.places(of: template.texts.map { $0.cooked ?? [] }))
    }

    private func array(_ elements: [ArrayElement], areArguments: Bool = false) {
        let isSimple = elements.count <= 64 && elements.allSatisfy { if case .value = $0 { true } else { false } }
        if isSimple {
            for case .value(let value) in elements { expression(value) }
            emit(.array, count: elements.count)
            return
        }
        emit(.array, 0)
        // V8 says more of a spread argument where it is the only one, and the last.
        let plain = elements.prefix { if case .value = $0 { true } else { false } }
        let onlyLast = areArguments && plain.count == elements.count - 1
        for element in elements {
            switch element {
            case .hole: emit(.appendHole)
            case .value(let value):
                expression(value)
                emit(.append)
            case .spread(let value):
                if areArguments { expression(value) } else { iterated(value) }
                mark(value.place)
                let list = areArguments ? onlyLast ? callee(value, .spread) : -1 : callee(value, .iterated)
                emit(.appendAll, 0, list)
            }
        }
    }

    /// An expression whose elements are taken: where it is a call, the message says so.
    func iterated(_ value: Expression) {
        switch Self.unwrapped(value).form {
        case .call, .taggedTemplate: isIterated = true
        default: break
        }
        expression(Self.unwrapped(value))
    }

    // MARK: Calls

    /// Leaves what the function is called on, and the function.
    func callee(pushing expression: Expression) {
        switch expression.form {
        case .member(let object, let name, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            mark(expression.place)
            emit(.getMethod, name)
        case .index(let object, let key, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            self.expression(key)
            mark(expression.place)
            emit(.getIndexMethod)
        case .privateMember(let object, let name, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            access(name, .get, at: expression.place)
            mark(expression.place)
            emit(.getPrivateMethod)
        case .superMember, .superIndex:
            access(.thisVariable, at: expression.place)
            member(expression)
        case .parenthesized(let inner): callee(pushing: inner)
        case .identifier(let name):
            // What a namespace exports is called as its property.
            if case .property(let object) = resolve(name) {
                access(object, .get, at: expression.place)
                emit(.getMethod, name)
            } else {
                emit(.undefined)
                self.expression(expression)
            }
        case .chain(let inner):
            chains.append([])
            callee(pushing: inner)
            endChain(2) { [self] in
                emit(.undefined)
                emit(.undefined)
            }
        default:
            emit(.undefined)
            self.expression(expression)
        }
    }

    private func call(_ arguments: [ArrayElement], _ callee: Int32, at place: Place) {
        if let values = Self.plainValues(arguments) {
            for value in values { expression(value) }
            mark(place)
            emit(.call, count: values.count, callee)
        } else {
            array(arguments, areArguments: true)
            mark(place)
            emit(.callSpread, 0, callee)
        }
    }

    private func construct(_ arguments: [ArrayElement], _ callee: Int32, at place: Place) {
        if let values = Self.plainValues(arguments) {
            for value in values { expression(value) }
            mark(place)
            emit(.construct, count: values.count, callee)
        } else {
            array(arguments, areArguments: true)
            mark(place)
            emit(.constructSpread, 0, callee)
        }
    }

    private static func plainValues(_ arguments: [ArrayElement]) -> [Expression]? {
        var values: [Expression] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            guard case .value(let value) = argument else { return nil }
            values.append(value)
        }
        return values
    }

    private func superCall(_ arguments: [ArrayElement], at place: Place) {
        access(.functionVariable, at: place)
        mark(place)
        emit(.superConstructor)
        access(.newTargetVariable, at: place)
        construct(arguments, callee(Expression(.identifier(.known(.super)), at: place)), at: place)
        bindThis(at: place)
    }

    /// What the parent's constructor made becomes `this`, once, and gets the fields of this class.
    func bindThis(at place: Place) {
        mark(place)
        getRaw(.thisVariable)
        emit(.requireAbsent)
        emit(.duplicate)
        popRaw(.thisVariable)
        access(.functionVariable, at: place)
        emit(.initializeFields)
    }

    // MARK: Optional chains

    private func chain(_ inner: Expression) {
        chains.append([])
        expression(inner)
        endChain { [self] in _ = emit(.undefined) }
    }

    /// Leaves the chain where the value on the stack is null or undefined; `extra` values below it go with it.
    func leaveChain(extra: Int = 0) {
        guard !chains.isEmpty else { return }
        let label = newLabel()
        jump(.jumpIfNullish, label)
        chains[chains.count - 1].append((label, depth - 1))
    }

    /// `count`: how many values it leaves.
    private func endChain(_ count: Int = 1, _ otherwise: () -> Void) {
        let links = chains.removeLast()
        let end = newLabel()
        let after = depth
        jump(.jump, end)
        // Those that leave more behind come first and take it away.
        let lowest = after - count
        let nothing = newLabel()
        for link in links {
            place(link.label)
            depth = link.depth
            while depth > lowest { emit(.pop) }
            jump(.jump, nothing)
        }
        place(nothing)
        depth = lowest
        otherwise()
        depth = after
        place(end)
    }

    // MARK: Members

    /// The value of a member.
    private func member(_ expression: Expression) {
        let place = expression.place
        switch expression.form {
        case .member(let object, let name, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            mark(place)
            emit(.getMember, name)
        case .index(let object, let key, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            self.expression(key)
            mark(place)
            emit(.getIndex)
        case .privateMember(let object, let name, let isOptional):
            self.expression(object)
            if isOptional { leaveChain() }
            access(name, .get, at: place)
            mark(place)
            emit(.getPrivate)
        case .superMember(let name):
            access(.thisVariable, at: place)
            emit(.text, compiler.place(of: compiler.names.units(of: name)))
            superBase(at: place)
            mark(place)
            emit(.getSuper)
        case .superIndex(let key):
            access(.thisVariable, at: place)
            self.expression(key)
            superBase(at: place)
            mark(place)
            emit(.getSuper)
        default: break
        }
    }

    /// What is asked for a member of `super`, as it is before the key becomes one.
    func superBase(at place: Place) {
        access(.homeVariable, at: place)
        mark(place)
        emit(.superBase)
    }

    // MARK: Operators

    private func unary(_ operation: UnaryOperator, _ operand: Expression, at place: Place) {
        switch operation {
        case .minus:
            if case .number(let number) = operand.form {
                self.number(-number)
                return
            }
            unaryValue(.minus, operand, at: place)
        case .plus: unaryValue(.plus, operand, at: place)
        case .not: unaryValue(.not, operand, at: place)
        case .complement: unaryValue(.complement, operand, at: place)
        case .void:
            expression(operand)
            emit(.pop)
            emit(.undefined)
        case .typeOf:
            if case .identifier(let name) = Self.unwrapped(operand).form, case .global = resolve(name) {
                mark(place)
                emit(.getGlobalOrUndefined, name)
                emit(.typeOf)
            } else {
                unaryValue(.typeOf, operand, at: place)
            }
        case .delete: delete(operand, at: place)
        }
    }

    private func unaryValue(_ operation: Operation, _ operand: Expression, at place: Place) {
        expression(operand)
        mark(place)
        emit(operation)
    }

    static func unwrapped(_ expression: Expression) -> Expression {
        var expression = expression
        while true {
            switch expression.form {
            case .parenthesized(let inner): expression = inner
            case .sequence(let parts) where parts.count == 1: expression = parts[0]
            default: return expression
            }
        }
    }

    private func delete(_ operand: Expression, at place: Place) {
        let operand = Self.unwrapped(operand)
        switch operand.form {
        case .member(let object, let name, let isOptional):
            expression(object)
            if isOptional { leaveChain() }
            mark(place)
            emit(.deleteMember, name)
        case .index(let object, let key, let isOptional):
            expression(object)
            if isOptional { leaveChain() }
            expression(key)
            mark(place)
            emit(.deleteIndex)
        case .superMember, .superIndex:
            access(.thisVariable, at: place)
            if case .superIndex(let key) = operand.form {
                emit(.pop)
                expression(key)
            }
            emit(.pop)
            mark(place)
            emit(.throwConstant, 1, 0)
            emit(.yes)
        case .chain(let inner):
            chains.append([])
            delete(inner, at: place)
            endChain { [self] in _ = emit(.yes) }
        default:
            expression(operand)
            emit(.pop)
            emit(.yes)
        }
    }

    static func operation(_ operation: BinaryOperator) -> Operation {
        switch operation {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .remainder
        case .power: .power
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .shiftRightUnsigned: .shiftRightUnsigned
        case .and: .and
        case .or: .or
        case .xor: .xor
        case .equal: .equal
        case .notEqual: .notEqual
        case .same: .same
        case .notSame: .notSame
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .instanceOf: .instanceOf
        case .in: .isIn
        }
    }

    // MARK: Generators

    private func yield(_ value: Expression?, at place: Place) {
        if let value { expression(value) } else { emit(.undefined) }
        mark(place)
        if isAsyncGenerator { emit(.await) }
        let next = newLabel()
        emit(.yield)
        jump(.jump, next)
        // It goes on here where the generator is to return.
        if isAsyncGenerator { emit(.await) }
        leave(.returning, at: place)
        depth += 1
        self.place(next)
    }

    private func yieldAll(_ list: Expression, at place: Place) {
        // The iterator, its `next`, whether it is done, and how the generator goes on: 0 next, 1 throw, 2 return.
        let slot = newLocals(4)
        expression(list)
        mark(list.place)
        let shown = isAsync ? callee(list, .iterated) : -1
        emit(.openIterator, count: slot, Iteration(callee: shown, isAsync: isAsync).coded)
        emit(.integer, 0)
        emit(.popLocal, count: slot + 3)
        emit(.undefined)
        let top = newLabel()
        let returning = newLabel()
        let returned = newLabel()
        let done = newLabel()
        let end = newLabel()
        self.place(top)
        mark(place)
        jump(.delegate, a: slot, to: returning)
        if isAsync { emit(.await) }
        jump(.unpackDelegate, a: slot, to: done)
        emit(.yieldRaw, count: slot + 3)
        if isAsync {
            let failed = newLabel()
            jump(.jumpUnlessReturning, a: slot + 3, to: top)
            depth -= 1
            let region = open(failed)
            depth += 1
            emit(.await)
            close(region)
            jump(.loop, top)
            self.place(failed)
            emit(.setThrowing, count: slot + 3)
        }
        jump(.loop, top)
        self.place(returning)
        if isAsync { emit(.await) }
        self.place(returned)
        leave(.returning, at: place)
        depth += 1
        self.place(done)
        // The inner one has returned: this one does too where it was told to, and else has its value.
        jump(.jumpUnlessReturning, a: slot + 3, to: end)
        jump(.jump, returned)
        self.place(end)
        release(temporary: slot)
    }

    private func release(temporary slot: Int) {
        emit(.clearLocal, count: slot)
    }
}
