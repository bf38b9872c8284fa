extension FunctionCompiler {
    /// Makes a function. `isDeclared`: its name is a variable outside, not one of its own.
    func function(_ node: FunctionNode, name: [UInt16]?, isDeclared: Bool = false) {
        let code = child(node, name: name, isDeclared: isDeclared)
        mark(node.place)
        emit(.makeFunction, count: add(code))
    }

    /// Compiles a function inside.
    func child(
        _ node: FunctionNode, name: [UInt16]?, isDeclared: Bool, hasFields: Bool = false, range: PlaceRange? = nil
    ) -> Code {
        let child = FunctionCompiler(compiler, parent: self, kind: .function(node.kind))
        if !isDeclared, node.kind == .normal { child.selfName = node.name }
        return child.compile(node, name: name, hasFields: hasFields, range: range ?? node.range)
    }

    private func compile(_ node: FunctionNode, name: [UInt16]?, hasFields: Bool, range: PlaceRange) -> Code {
        isAsync = node.isAsync
        isGenerator = node.isGenerator
        emit(.nothing)
        // The raw arguments lie in the first locals.
        _ = newLocals(node.parameters.count)
        if hasFields { makeFields(at: node.place) }
        scopes.append(Scope())
        parameters(node)
        let hasExpressions =
            node.parameters.contains(where: Declarations.hasExpressions)
            || node.rest.map(Declarations.hasExpressions) ?? false
        functionBody(node, hasExpressions: hasExpressions)
        if isGenerator { emit(.startGenerator) }
        statements(node.body)
        emit(.undefined)
        leave(.returning, at: node.place)
        var kind = CodeKind()
        kind.isArrow = node.kind == .arrow
        kind.isClass = node.kind == .constructor || node.kind == .derivedConstructor
        kind.isDerived = node.kind == .derivedConstructor
        kind.isConstructor = kind.isClass || (node.kind == .normal && !node.isAsync && !node.isGenerator)
        return finish(
            name: spelledName(node.name) ?? name ?? [],
            length: node.parameters.firstIndex { $0.initializer != nil } ?? node.parameters.count,
            parameterCount: node.parameters.count, kind: kind, range: range, place: node.place)
    }

    /// What a function's or class's `name` says; `export default` without a name is called so.
    func spelledName(_ name: Name?) -> [UInt16]? {
        guard let name else { return nil }
        return name == .known(.starDefault) ? Array("default".utf16) : compiler.names.units(of: name)
    }

    func makeFields(at place: Place) {
        emit(.this)
        emit(.function)
        mark(place)
        emit(.initializeFields)
        emit(.pop)
    }

    private func parameters(_ node: FunctionNode) {
        let isSimple =
            node.parameters.allSatisfy { parameter in
                guard parameter.initializer == nil, case .binding = parameter.pattern else { return false }
                return true
            }
        if isSimple {
            for (slot, parameter) in node.parameters.enumerated() {
                guard case .binding(let name, _) = parameter.pattern else { continue }
                promote(declare(name, hasDeadZone: false, slot: slot))
            }
        } else {
            var names: [Name] = []
            for parameter in node.parameters { Declarations.boundNames(parameter.pattern, into: &names) }
            for name in names { enter(declare(name, hasDeadZone: true)) }
        }
        if let rest = node.rest {
            var names: [Name] = []
            Declarations.boundNames(rest, into: &names)
            for name in names { enter(declare(name, hasDeadZone: true)) }
        }
        if !isSimple {
            for (slot, parameter) in node.parameters.enumerated() {
                emit(.getLocal, count: slot)
                if let initializer = parameter.initializer {
                    let end = newLabel()
                    jump(.jumpUnlessUndefined, end)
                    emit(.pop)
                    var name: [UInt16]?
                    if case .binding(let identifier, _) = parameter.pattern {
                        name = compiler.names.units(of: identifier)
                    }
                    expression(initializer, name: name)
                    place(end)
                }
                bind(
                    parameter.pattern, as: .initialization,
                    source: parameter.initializer.map { .parameter(standard: $0) } ?? .value)
            }
        }
        if let rest = node.rest {
            keepsArguments = true
            emit(.restArguments, count: node.parameters.count)
            bind(rest, as: .initialization, source: .value)
        }
    }

    /// The variables of the body, in a scope of their own where parameters have expressions, which must not see them.
    private func functionBody(_ node: FunctionNode, hasExpressions: Bool) {
        var names: [Name] = []
        Declarations.variableNames(node.body, into: &names)
        for statement in node.body {
            if let name = Self.declaredFunction(statement)?.name { names.append(name) }
        }
        if hasExpressions {
            let outer = scopes.count - 1
            scopes.append(Scope())
            var done: Set<Name> = []
            for name in names where done.insert(name).inserted {
                let parameter = scopes[outer].variables[name]
                if parameter != nil || name == .known(.arguments) {
                    // Its first value is the parameter's.
                    access(name, .get, at: node.place)
                    let variable = declare(name, hasDeadZone: false)
                    enter(variable)
                    initialize(variable)
                } else {
                    variable(name)
                }
            }
        } else {
            var done: Set<Name> = []
            for name in names
            where done.insert(name).inserted && scopes[scopes.count - 1].variables[name] == nil
                && name != .known(.arguments)
            {
                variable(name)
            }
        }
        declareLexical(node.body)
    }

    /// A `var`, which is undefined from the start.
    func variable(_ name: Name) {
        let variable = declare(name, hasDeadZone: false)
        enter(variable)
        emit(.undefined)
        initialize(variable)
    }

    // MARK: Classes

    private struct Member {
        enum Key {
            case name(Name)
            case number(Double)
            case privateName(Name)
            case variable(Name)
        }

        enum Content {
            case field(Expression?)
            case block(FunctionNode)
            /// A private method, whose function is in a variable. 1 a method, 2 a getter, 3 a setter
            case method(Name, kind: Int32)
        }

        var key: Key?
        var content: Content
        var place: Place
    }

    /// Leaves the constructor.
    func classValue(_ node: ClassNode, name: [UInt16]?) {
        scopes.append(Scope())
        var inner: Variable?
        if let own = node.name, own != .known(.starDefault) {
            let variable = declare(own, isConstant: true, hasDeadZone: true)
            enter(variable)
            inner = variable
        }
        declarePrivateNames(node)
        if let superclass = node.superclass {
            expression(superclass)
            mark(superclass.place)
        } else {
            emit(.absent)
            mark(node.place)
        }
        let hasFields = node.elements.contains { element in
            switch element {
            case .field(_, _, false): true
            case .method(.private, _, false), .getter(.private, _, false), .setter(.private, _, false): true
            default: false
            }
        }
        let className = spelledName(node.name) ?? name ?? []
        let code = constructorCode(node, className, hasFields: hasFields)
        emit(.makeClass, count: add(code), node.superclass == nil ? 0 : 1)
        var members: [Member] = []
        var statics: [Member] = []
        for element in node.elements { self.element(element, &members, &statics) }
        if !members.isEmpty {
            let fields = fieldsCode(members, node)
            emit(.makeFunction, count: add(fields))
            emit(.setHome, 1)
            emit(.setFields)
        }
        emit(.pop)
        if let inner {
            emit(.duplicate)
            initialize(inner)
        }
        if !statics.isEmpty {
            let code = fieldsCode(statics, node)
            emit(.duplicate)
            emit(.makeFunction, count: add(code))
            emit(.setHome, 1)
            mark(node.place)
            emit(.call, 0, callee(Expression(.this, at: node.place)))
            emit(.pop)
        }
        scopes.removeLast()
    }

    private func declarePrivateNames(_ node: ClassNode) {
        for element in node.elements {
            let key: PropertyName
            switch element {
            case .method(let name, _, _), .getter(let name, _, _), .setter(let name, _, _), .field(let name, _, _):
                key = name
            case .staticBlock: continue
            }
            guard case .private(let name) = key, scopes[scopes.count - 1].variables[name] == nil else { continue }
            let variable = declare(name, isConstant: true, hasDeadZone: false)
            enter(variable)
            emit(.makePrivateKey, name)
            initialize(variable)
        }
    }

    private func constructorCode(_ node: ClassNode, _ name: [UInt16], hasFields: Bool) -> Code {
        if let constructor = node.constructor {
            return child(
                constructor, name: name, isDeclared: true, hasFields: hasFields && constructor.kind == .constructor,
                range: node.range)
        }
        let isDerived = node.superclass != nil
        let child = FunctionCompiler(
            compiler, parent: self, kind: .function(isDerived ? .derivedConstructor : .constructor))
        child.emit(.nothing)
        if isDerived {
            child.keepsArguments = true
            child.emit(.function)
            child.mark(node.place)
            child.emit(.superConstructor)
            child.emit(.newTarget)
            child.emit(.constructForward)
            child.bindThis(at: node.place)
            child.emit(.pop)
        } else if hasFields {
            child.makeFields(at: node.place)
        }
        child.emit(.undefined)
        child.leave(.returning, at: node.place)
        let kind = CodeKind(isConstructor: true, isClass: true, isDerived: isDerived)
        return child.finish(name: name, length: 0, parameterCount: 0, kind: kind, range: node.range, place: node.place)
    }

    private func hiddenVariable() -> Name {
        hiddenCount += 1
        return Name(number: -100 - hiddenCount - Int32(truncatingIfNeeded: scopes.count) * 10_000)
    }

    /// The constructor and the prototype are on the stack, and stay.
    private func element(_ element: ClassNode.Element, _ members: inout [Member], _ statics: inout [Member]) {
        switch element {
        case .method(let name, let node, let isStatic): method(name, node, isStatic, kind: 1, &members)
        case .getter(let name, let node, let isStatic): method(name, node, isStatic, kind: 2, &members)
        case .setter(let name, let node, let isStatic): method(name, node, isStatic, kind: 3, &members)
        case .staticBlock(let node): statics.append(Member(key: nil, content: .block(node), place: node.place))
        case .field(let name, let node, let isStatic):
            var value: Expression?
            var place = node?.place ?? .start
            if case .return(let expression) = node?.body.first?.form { value = expression }
            let key: Member.Key
            switch name {
            case .name(let name): key = .name(name)
            case .number(let number): key = .number(number)
            case .private(let name): key = .privateName(name)
            case .computed(let expression):
                place = expression.place
                self.expression(expression)
                mark(place)
                emit(.toPropertyKey)
                let hidden = hiddenVariable()
                let variable = declare(hidden, isConstant: true, hasDeadZone: false)
                enter(variable)
                initialize(variable)
                key = .variable(hidden)
            }
            let member = Member(key: key, content: .field(value), place: place)
            if isStatic { statics.append(member) } else { members.append(member) }
        }
    }

    private func method(
        _ name: PropertyName, _ node: FunctionNode, _ isStatic: Bool, kind: Int32, _ members: inout [Member]
    ) {
        if case .private(let privateName) = name, !isStatic {
            let spelled = Self.prefixed(compiler.names.units(of: privateName), kind)
            emit(.makeFunction, count: add(child(node, name: spelled, isDeclared: true)))
            emit(.setHome, 1)
            let hidden = hiddenVariable()
            let variable = declare(hidden, isConstant: true, hasDeadZone: false)
            enter(variable)
            initialize(variable)
            // Methods come before fields.
            let place = members.firstIndex { if case .field = $0.content { true } else { false } } ?? members.count
            members.insert(
                Member(key: .privateName(privateName), content: .method(hidden, kind: kind), place: node.place),
                at: place)
            return
        }
        if isStatic { emit(.swap) }
        defineMethod(name, node, kind: kind, isEnumerable: false)
        if isStatic { emit(.swap) }
    }

    static func prefixed(_ name: [UInt16], _ kind: Int32) -> [UInt16] {
        switch kind {
        case 2: Array("get ".utf16) + name
        case 3: Array("set ".utf16) + name
        default: name
        }
    }

    /// Of a class as of an object literal; the object is on the stack, and stays.
    func defineMethod(_ name: PropertyName, _ node: FunctionNode, kind: Int32, isEnumerable: Bool) {
        var spelled: [UInt16]?
        switch name {
        case .name(let name):
            let units = compiler.names.units(of: name)
            emit(.text, compiler.place(of: units))
            spelled = Self.prefixed(units, kind)
        case .number(let number):
            self.number(number)
            spelled = Self.prefixed(NumberText.units(number), kind)
        case .private(let name):
            access(name, .get, at: node.place)
            spelled = Self.prefixed(compiler.names.units(of: name), kind)
        case .computed(let expression):
            self.expression(expression)
            mark(expression.place)
            emit(.toPropertyKey)
        }
        emit(.makeFunction, count: add(child(node, name: spelled, isDeclared: true)))
        emit(.setHome, 2)
        if spelled == nil { emit(.setName, kind - 1, 1) }
        mark(node.place)
        if case .private = name {
            emit(.definePrivate, kind)
        } else {
            emit(.define, kind, isEnumerable ? 1 : 0)
        }
    }

    private func fieldsCode(_ members: [Member], _ node: ClassNode) -> Code {
        let child = FunctionCompiler(compiler, parent: self, kind: .fields)
        child.emit(.nothing)
        for member in members { child.member(member) }
        child.emit(.undefined)
        child.emit(.returnValue)
        return child.finish(
            name: [], length: 0, parameterCount: 0, kind: CodeKind(), range: node.range, place: node.place)
    }

    private func member(_ member: Member) {
        emit(.this)
        if case .block(let node) = member.content {
            emit(.makeFunction, count: add(child(node, name: nil, isDeclared: true)))
            emit(.setHome, 1)
            mark(node.place)
            emit(.call, 0, callee(Expression(.this, at: node.place)))
            emit(.pop)
            return
        }
        var spelled: [UInt16]?
        var isPrivate = false
        switch member.key {
        case .name(let name):
            spelled = compiler.names.units(of: name)
            emit(.text, compiler.place(of: compiler.names.units(of: name)))
        case .number(let number):
            self.number(number)
            spelled = NumberText.units(number)
        case .privateName(let name):
            spelled = compiler.names.units(of: name)
            isPrivate = true
            access(name, .get, at: member.place)
        case .variable(let name): access(name, .get, at: member.place)
        case nil: emit(.undefined)
        }
        switch member.content {
        case .method(let hidden, let kind):
            access(hidden, .get, at: member.place)
            mark(member.place)
            emit(.definePrivate, kind)
        case .field(let value):
            if let value {
                scopes.append(Scope())
                expression(value, name: spelled)
                if spelled == nil, Self.isAnonymousFunction(value) { emit(.setName, 0, 1) }
                scopes.removeLast()
            } else {
                emit(.undefined)
            }
            mark(member.place)
            if isPrivate { emit(.definePrivate, 0) } else { emit(.define, 0, 1) }
        case .block: break
        }
        emit(.pop)
    }

    static func isAnonymousFunction(_ expression: Expression) -> Bool {
        switch unwrapped(expression).form {
        case .function(let node): node.name == nil
        case .class(let node): node.name == nil
        default: false
        }
    }

    // MARK: Object literals

    func object(_ properties: [Property]) {
        emit(.object, count: properties.count)
        for property in properties {
            switch property {
            case .value(let name, let value): self.property(name, value)
            case .prototype(let value):
                expression(value)
                emit(.setPrototype)
            case .method(let name, let node): defineMethod(name, node, kind: 1, isEnumerable: true)
            case .getter(let name, let node): defineMethod(name, node, kind: 2, isEnumerable: true)
            case .setter(let name, let node): defineMethod(name, node, kind: 3, isEnumerable: true)
            case .spread(let value):
                expression(value)
                mark(value.place)
                emit(.copyProperties)
            }
        }
    }

    private func property(_ name: PropertyName, _ value: Expression) {
        switch name {
        case .name(let name), .private(let name):
            expression(value, name: compiler.names.units(of: name))
            emit(.field, name)
        case .number(let number):
            self.number(number)
            expression(value, name: NumberText.units(number))
            emit(.define, 0, 1)
        case .computed(let key):
            expression(key)
            mark(key.place)
            emit(.toPropertyKey)
            expression(value)
            if Self.isAnonymousFunction(value) { emit(.setName, 0, 1) }
            emit(.define, 0, 1)
        }
    }

    // MARK: The whole program

    func compileTop(_ program: ProgramNode) -> (Code, CompiledProgram.GlobalNames, [Name: Int]) {
        var globals = CompiledProgram.GlobalNames()
        var exportCells: [Name: Int] = [:]
        emit(.nothing)
        if case .script = kind {
            globals = declareGlobals(program.body)
            statements(program.body)
        } else {
            for (number, entry) in program.imports.enumerated() { declareImport(entry.local, number: number) }
            var names: [Name] = []
            Declarations.variableNames(program.body, into: &names)
            var done: Set<Name> = []
            let exported = Set(
                program.exports.compactMap { entry -> Name? in
                    if case .local(let name) = entry.source { return name }
                    return nil
                })
            self.exported = exported
            for name in names where done.insert(name).inserted { variable(name) }
            declareLexical(program.body)
            for (name, variable) in scopes[0].variables where variable.isExported { exportCells[name] = variable.cell }
            emit(.startModule)
            isAsync = true
            statements(program.body)
        }
        emit(.undefined)
        emit(.returnValue)
        let end = Int32(truncatingIfNeeded: program.text.count)
        let code = finish(
            name: [], length: 0, parameterCount: 0, kind: CodeKind(), range: PlaceRange(start: 0, end: end),
            place: .start)
        return (code, globals, exportCells)
    }

    /// What a script's top level declares belongs to the realm, for all scripts.
    private func declareGlobals(_ body: [Statement]) -> CompiledProgram.GlobalNames {
        var globals = CompiledProgram.GlobalNames()
        Declarations.variableNames(body, into: &globals.variables)
        for statement in body {
            switch statement.form {
            case .declaration(let declaration) where declaration.kind != .var:
                var names: [Name] = []
                for part in declaration.parts { Declarations.boundNames(part.pattern, into: &names) }
                for name in names { globals.lexicals.append((name, declaration.kind == .const)) }
            case .class(let node):
                if let name = node.name { globals.lexicals.append((name, false)) }
            case .propertyNames(let object, let names):
                for name in names { scopes[0].properties[name] = object }
            default:
                if let name = Self.declaredFunction(statement)?.name { globals.functions.append(name) }
            }
        }
        mark(.start)
        emit(.declareGlobals)
        for statement in body {
            guard let node = Self.declaredFunction(statement), let name = node.name else { continue }
            function(node, name: nil, isDeclared: true)
            access(name, .pop, at: node.place)
        }
        return globals
    }
}
