extension Parser {
    /// From `namespace` or `module` on. It becomes what TypeScript's compiler makes of it: a function that is called with
    /// the namespace's object, whose properties are what it exports.
    func parseNamespace(isExported: Bool, into statements: inout [Statement]) throws(SyntaxRefusal) {
        let start = place
        try next()
        if kind == .text || frame.context.contains(.ambient) {
            guard frame.context.contains(.ambient) else {
                throw refuse("Only ambient modules can use quoted names.")
            }
            return try skipAmbientNamespace()
        }
        try parseNamespaceRest(isExported: isExported, at: start, into: &statements)
    }

    private func skipAmbientNamespace() throws(SyntaxRefusal) {
        if kind == .text {
            try next()
        } else {
            guard kind.isIdentifier else { throw unexpected() }
            try skipQualifiedName()
        }
        if kind == .openBrace { try skipAmbientBlock() } else { try endStatement() }
    }

    /// From the name on: `A { }` or `A.B { }`, where B is as if A's code exported it.
    private func parseNamespaceRest(
        isExported: Bool, at start: Place, into statements: inout [Statement]
    ) throws(SyntaxRefusal) {
        let outerDepth = try enter()
        let (name, namePlace) = try bindingIdentifier()
        let existing = scopes.kind(of: name)
        let object = makeObjectName()
        let function = beginObjectFunction(object, at: start)
        // Another part of a namespace that the one around exports has no variable here.
        let isPart = typeScript.namespaceExports[typeScript.namespacePath]?.contains(name) ?? false
        typeScript.namespacePath.append(name)
        if existing == nil, !isPart { typeScript.namespaceExports[typeScript.namespacePath] = nil }
        let isValue = try parseNamespaceBody(of: function, object)
        typeScript.namespacePath.removeLast()
        try leave(outerDepth)
        guard isValue else {
            typeScript.typeNames.insert(name)
            return
        }
        let isMerged = try declareMerged(name, .namespace, at: namePlace)
        if !isMerged, !isExported { statements.append(objectDeclaration(of: name, at: namePlace)) }
        statements.append(objectCall(of: function, on: name, at: start))
        noteMerged(isMerged ? name : nil)
    }

    /// False where there are only types in it.
    private func parseNamespaceBody(of function: FunctionNode, _ object: Name) throws(SyntaxRefusal) -> Bool {
        let outer = frame
        frame = Frame()
        frame.context = [.namespace]
        frame.firstLabel = labels.count
        let firstAlias = typeScript.aliases.count
        let earlier = typeScript.namespaceExports[typeScript.namespacePath] ?? []
        scopes.open(isFunction: true, hasLexicalFunctions: true)
        let firstReference = scopes.referenceCount
        var body: [Statement] = []
        var exports = NamespaceExports(object: object)
        if kind == .dot {
            try next()
            try parseNestedNamespace(at: place, into: &body, &exports)
        } else {
            try expect(.openBrace)
            while kind != .closeBrace {
                if kind == .end { throw unexpected() }
                try parseNamespaceItem(into: &body, &exports)
            }
            try next()
        }
        var used = Set(scopes.references[firstReference...])
        removeUnusedAliases(from: &body, first: firstAlias, &used)
        var properties = exports.properties
        for name in earlier where scopes.kind(of: name) == nil {
            _ = scopes.declare(name, .own)
            properties.append(name)
        }
        scopes.close()
        frame = outer
        typeScript.namespaceExports[typeScript.namespacePath] = Array(Set(earlier + exports.all))
        function.range.end = lexer.previousEnd
        let isValue = exports.hasValues || body.contains { if case .empty = $0.form { false } else { true } }
        if !properties.isEmpty {
            function.body.append(Statement(.propertyNames(of: object, properties), at: function.place))
        }
        function.body += body
        return isValue
    }

    /// What a namespace exports.
    private struct NamespaceExports {
        var object: Name
        /// Names that stand for the object's properties.
        var properties: [Name] = []
        /// These and the functions and classes, which are variables too.
        var all: [Name] = []
        var hasValues = false
    }

    private func parseNamespaceItem(
        into body: inout [Statement], _ exports: inout NamespaceExports
    ) throws(SyntaxRefusal) {
        switch kind {
        case .import:
            let behind = try lexer.tokenBehind().kind
            if behind == .openParenthesis || behind == .dot { return try parseListItem(into: &body) }
            try next()
            let (name, place) = try bindingIdentifier()
            try parseImportAssignment(name, place, isExported: false, into: &body)
        case .export:
            try next()
            try parseNamespaceExport(into: &body, &exports)
        default:
            try parseListItem(into: &body)
        }
    }

    private func parseNestedNamespace(
        at start: Place, into body: inout [Statement], _ exports: inout NamespaceExports
    ) throws(SyntaxRefusal) {
        let name = lexer.token.name
        let count = body.count
        let wasClassOrFunction = isClassOrFunction(name)
        try parseNamespaceRest(isExported: true, at: start, into: &body)
        if body.count > count, !wasClassOrFunction { note(name, in: &exports) }
    }

    private func isClassOrFunction(_ name: Name) -> Bool {
        switch scopes.kind(of: name) {
        case .class, .function, .lexicalFunction: true
        default: false
        }
    }

    private func note(_ name: Name, in exports: inout NamespaceExports) {
        exports.hasValues = true
        if !exports.properties.contains(name) { exports.properties.append(name) }
        exports.all.append(name)
    }

    /// From behind `export` on.
    private func parseNamespaceExport(
        into body: inout [Statement], _ exports: inout NamespaceExports
    ) throws(SyntaxRefusal) {
        let start = place
        switch kind {
        case .namespace, .module:
            try next()
            return try parseNestedNamespace(at: start, into: &body, &exports)
        case .enum:
            return try parseExportedEnum(into: &body, &exports)
        case .const where try lexer.tokenBehind().kind == .enum:
            try next()
            return try parseExportedEnum(into: &body, &exports)
        case .import:
            try next()
            let (name, namePlace) = try bindingIdentifier()
            try expect(.assign)
            scopes.refer(to: lexer.token.name)
            let value = try parseEntity()
            try endStatement()
            try declare(name, .lexical, at: namePlace)
            note(name, in: &exports)
            body.append(assignment(to: .target(Expression(.identifier(name), at: namePlace)), value))
            return
        case .var, .let, .const, .function, .class, .async, .interface, .type, .abstract, .declare: break
        default: throw unexpected()
        }
        var declared: [Statement] = []
        try parseListItem(into: &declared)
        for statement in declared { try export(statement, into: &body, &exports) }
    }

    private func parseExportedEnum(
        into body: inout [Statement], _ exports: inout NamespaceExports
    ) throws(SyntaxRefusal) {
        let name = try lexer.tokenBehind().name
        try parseEnum(isExported: true, into: &body)
        note(name, in: &exports)
    }

    /// Variables become properties; functions and classes stay, and are given to the object too.
    private func export(
        _ statement: Statement, into body: inout [Statement], _ exports: inout NamespaceExports
    ) throws(SyntaxRefusal) {
        guard case .declaration(let declaration) = statement.form else {
            body.append(statement)
            for (name, place) in declaredNames(of: statement) {
                exports.hasValues = true
                exports.all.append(name)
                let member = Expression(
                    .member(Expression(.identifier(exports.object), at: place), name, isOptional: false), at: place)
                body.append(assignment(to: .target(member), Expression(.identifier(name), at: place)))
            }
            return
        }
        for part in declaration.parts {
            var declared: [Name] = []
            names(in: part.pattern) { name, _ in declared.append(name) }
            for name in declared { note(name, in: &exports) }
            guard let value = part.initializer else { continue }
            body.append(assignment(to: Parser.target(of: part.pattern), value))
        }
    }

    private func assignment(to target: Pattern, _ value: Expression) -> Statement {
        Statement(.expression(Expression(.assign(target, value), at: value.place)), at: value.place)
    }

    /// The same pattern with targets in place of new names.
    private static func target(of pattern: Pattern) -> Pattern {
        switch pattern {
        case .binding(let name, let place): .target(Expression(.identifier(name), at: place))
        case .target: pattern
        case .object(let properties, let rest, let place):
            .object(
                properties.map { property in
                    PropertyPattern(name: property.name, element: target(of: property.element))
                }, rest: rest.map(target(of:)), place)
        case .array(let elements, let rest, let place):
            .array(elements.map { $0.map(target(of:)) }, rest: rest.map(target(of:)), place)
        }
    }

    private static func target(of element: ElementPattern) -> ElementPattern {
        ElementPattern(target(of: element.pattern), initializer: element.initializer)
    }
}
