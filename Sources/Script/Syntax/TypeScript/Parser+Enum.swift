extension Parser {
    /// From `enum` on. What it becomes is what TypeScript's compiler makes of it:
    ///
    ///     var E; (object => { object[object["A"] = 0] = "A" })(E || (E = {}))
    func parseEnum(isExported: Bool, into statements: inout [Statement]) throws(SyntaxRefusal) {
        let start = place
        try next()
        let (name, namePlace) = try bindingIdentifier()
        let isMerged = try declareMerged(name, .enum, at: namePlace)
        if !isMerged { typeScript.enums[name] = nil }
        let object = makeObjectName()
        let function = beginObjectFunction(object, at: start)
        let outer = frame
        frame.context.subtract([.async, .generator, .topLevel])
        frame.context.insert(.namespace)
        scopes.open(isFunction: true, hasLexicalFunctions: false)
        try expect(.openBrace)
        var members = typeScript.enums[name] ?? [:]
        var previous = EnumConstant.number(-1)
        var body: [Statement] = []
        while kind != .closeBrace {
            let member = try parseEnumMember(of: name, object, after: previous, members)
            previous = member.constant
            members[member.name] = previous
            typeScript.enums[name] = members
            _ = scopes.declare(member.name, .own)
            body.append(member.statement)
            if kind != .closeBrace { try expect(.comma) }
        }
        for member in members.keys where scopes.kind(of: member) == nil { _ = scopes.declare(member, .own) }
        scopes.close()
        frame = outer
        try next()
        function.range.end = lexer.previousEnd
        function.body = [
            Statement(.propertyNames(of: object, members.keys.sorted { $0.number < $1.number }), at: start)
        ]
        function.body += body
        if frame.context.contains(.ambient) { return }
        if !isMerged, !isExported { statements.append(objectDeclaration(of: name, at: namePlace)) }
        statements.append(objectCall(of: function, on: name, at: start))
        noteMerged(isMerged ? name : nil)
    }

    private struct EnumMember {
        var name: Name
        var constant: EnumConstant
        var statement: Statement
    }

    private func parseEnumMember(
        of owner: Name, _ object: Name, after previous: EnumConstant, _ members: [Name: EnumConstant]
    ) throws(SyntaxRefusal) -> EnumMember {
        let start = place
        let name: Name
        switch try parsePropertyName() {
        case .name(let plain): name = plain
        case .computed(let key):
            guard let units = Parser.constantText(key) else {
                throw refuse("Computed property names are not allowed in enums.", at: start)
            }
            name = lexer.names.name(of: units)
        default: throw refuse("An enum member cannot have a numeric name.", at: start)
        }
        var constant: EnumConstant
        let value: Expression
        if try eat(.assign) {
            value = try parseAssignment()
            constant = EnumConstant(of: value, names: lexer.names, members: members, enums: typeScript.enums)
        } else if case .number(let number) = previous {
            constant = .number(number + 1)
            value = Expression(.number(number + 1), at: start)
        } else {
            constant = .unknown
            value = Expression(.unary(.void, Expression(.number(0), at: start)), at: start)
        }
        let text = Expression(.text(lexer.names.units(of: name)), at: start)
        let target = Expression(
            .index(Expression(.identifier(object), at: start), text, isOptional: false), at: start)
        var assignment = Expression(.assign(.target(target), value), at: start)
        if case .text = constant {
            // Texts are not found by their value.
        } else {
            let reverse = Expression(
                .index(Expression(.identifier(object), at: start), assignment, isOptional: false), at: start)
            assignment = Expression(.assign(.target(reverse), text), at: start)
        }
        return EnumMember(name: name, constant: constant, statement: Statement(.expression(assignment), at: start))
    }

    private static func constantText(_ expression: Expression) -> [UInt16]? {
        switch expression.form {
        case .text(let units): units
        case .template(let template): template.expressions.isEmpty ? template.texts.first?.cooked : nil
        default: nil
        }
    }

    // MARK: Objects of enums and namespaces

    /// Declares a name that may have been declared by another part of the same. True where it was.
    func declareMerged(_ name: Name, _ kind: ScopeStack.Kind, at place: Place) throws(SyntaxRefusal) -> Bool {
        let existing = scopes.kind(of: name)
        try declare(name, kind, at: place)
        switch existing {
        case .enum, .namespace, .class, .function, .lexicalFunction: return true
        default: return false
        }
    }

    /// Exports of merged parts find their name here, because no statement declares it.
    func noteMerged(_ name: Name?) {
        typeScript.lastMerged = name
    }

    /// A name that no source can spell.
    func makeObjectName() -> Name {
        typeScript.objectCount += 1
        return lexer.names.name(of: "*object \(typeScript.objectCount)*")
    }

    func beginObjectFunction(_ object: Name, at start: Place) -> FunctionNode {
        let function = FunctionNode(
            kind: .arrow, name: nil, at: start, range: PlaceRange(start: start.offset, end: start.offset))
        function.parameters = [ElementPattern(.binding(object, start))]
        return function
    }

    /// `var Name`, or `let Name` in a block.
    func objectDeclaration(of name: Name, at place: Place) -> Statement {
        let part = ElementPattern(.binding(name, place))
        return Statement(
            .declaration(Declaration(kind: scopes.isFunctionInnermost ? .var : .let, parts: [part])), at: place)
    }

    /// `(function)(Name || (Name = {}))`
    func objectCall(of function: FunctionNode, on name: Name, at place: Place) -> Statement {
        let variable = Expression(.identifier(name), at: place)
        let fresh = Expression(.assign(.target(variable), Expression(.object([]), at: place)), at: place)
        let object = Expression(.logical(.or, variable, Expression(.parenthesized(fresh), at: place)), at: place)
        let callee = Expression(.parenthesized(Expression(.function(function), at: place)), at: place)
        return Statement(
            .expression(Expression(.call(callee, [.value(object)], isOptional: false), at: place)), at: place)
    }
}
