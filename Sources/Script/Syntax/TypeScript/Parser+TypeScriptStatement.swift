extension Parser {
    /// A statement that begins with a word of TypeScript. False where the word is a variable's name.
    func parseTypeScriptStatement(into statements: inout [Statement]) throws(SyntaxRefusal) -> Bool {
        switch kind {
        case .interface:
            try skipInterface()
            return true
        case .type:
            guard try isNameBehind() else { return false }
            try skipTypeAlias()
            return true
        case .abstract:
            let behind = try lexer.tokenBehind()
            guard behind.kind == .class, !behind.isAfterLineBreak else { return false }
            try next()
            let statement = try parseClassDeclaration(isAbstract: true)
            if !frame.context.contains(.ambient) { statements.append(statement) }
            return true
        case .namespace, .module:
            let behind = try lexer.tokenBehind()
            guard behind.kind.isIdentifier || behind.kind == .text, !behind.isAfterLineBreak else { return false }
            try parseNamespace(isExported: false, into: &statements)
            return true
        case .global:
            guard frame.context.contains(.ambient), try lexer.tokenBehind().kind == .openBrace else { return false }
            try next()
            try skipAmbientBlock()
            return true
        case .declare:
            let behind = try lexer.tokenBehind()
            guard !behind.isAfterLineBreak, startsAmbient(behind.kind) else { return false }
            try next()
            try skipAmbient()
            return true
        default:
            return false
        }
    }

    private func isNameBehind() throws(SyntaxRefusal) -> Bool {
        let behind = try lexer.tokenBehind()
        return behind.kind.isIdentifier && !behind.isAfterLineBreak
    }

    private func startsAmbient(_ kind: TokenKind) -> Bool {
        switch kind {
        case .const, .let, .var, .function, .class, .abstract, .enum, .namespace, .module, .global, .type, .interface,
            .async, .import:
            true
        default: false
        }
    }

    /// From `interface` on.
    func skipInterface() throws(SyntaxRefusal) {
        try next()
        guard kind.isIdentifier else { throw unexpected() }
        typeScript.typeNames.insert(lexer.token.name)
        try next()
        try skipTypeParameters()
        if try eat(.extends) { try skipTypeList() }
        try skipObjectType()
    }

    /// From `type` on.
    func skipTypeAlias() throws(SyntaxRefusal) {
        try next()
        guard kind.isIdentifier else { throw unexpected() }
        typeScript.typeNames.insert(lexer.token.name)
        try next()
        try skipTypeParameters()
        try expect(.assign)
        try skipType()
        try endStatement()
    }

    // MARK: declare

    /// What follows `declare` is read as always, and then forgotten.
    func skipAmbient() throws(SyntaxRefusal) {
        let forgotten = beginForgetting()
        var dropped: [Statement] = []
        if kind == .import {
            try parseModuleItem(into: &dropped)
        } else {
            try parseListItem(into: &dropped)
        }
        endForgetting(forgotten)
    }

    /// `{ ... }` of a `declare module` or `declare global`.
    func skipAmbientBlock() throws(SyntaxRefusal) {
        let forgotten = beginForgetting()
        try expect(.openBrace)
        var dropped: [Statement] = []
        while kind != .closeBrace {
            if kind == .end { throw unexpected() }
            try parseListItem(into: &dropped)
        }
        endForgetting(forgotten)
        try next()
    }

    private struct Forgotten {
        var context: Context
        var program: ProgramNode
        var module: ModuleNames
        var aliases: [TypeScriptState.Alias]
        var scopes: ScopeStack.Mark
    }

    private func beginForgetting() -> Forgotten {
        let forgotten = Forgotten(
            context: frame.context, program: program, module: module, aliases: typeScript.aliases, scopes: scopes.mark)
        frame.context.insert(.ambient)
        return forgotten
    }

    private func endForgetting(_ forgotten: Forgotten) {
        frame.context = forgotten.context
        program = forgotten.program
        module = forgotten.module
        typeScript.aliases = forgotten.aliases
        scopes.goBack(to: forgotten.scopes)
    }

    // MARK: Parameters

    /// A parameter with a type, and with the words that make it a property.
    func parseTypedParameter(of function: FunctionNode) throws(SyntaxRefusal) {
        var isProperty = false
        while kind == .public || kind == .private || kind == .protected || kind == .readonly || kind == .override {
            let behind = try lexer.tokenBehind().kind
            guard behind.isWord || behind == .openBrace || behind == .openBracket else { break }
            guard function.kind == .constructor || function.kind == .derivedConstructor else {
                throw refuse("A parameter property is only allowed in a constructor implementation.")
            }
            isProperty = true
            try next()
        }
        if kind == .this, function.parameters.isEmpty {
            try next()
            return try skipTypeAnnotation()
        }
        let pattern = try parseBindingTarget(.parameter)
        if isProperty {
            guard case .binding(let name, let place) = pattern else {
                throw refuse("A parameter property may not be declared using a binding pattern.")
            }
            typeScript.addParameterProperty(name, at: place, of: function)
        }
        _ = try eat(.question)
        try skipTypeAnnotation()
        function.parameters.append(ElementPattern(pattern, initializer: try parseInitializer()))
    }

    /// A class gets a field for each such parameter, before all others, and its constructor sets them: at its beginning,
    /// or right behind `super(...)`.
    func addParameterProperties(
        of constructor: FunctionNode, to builder: inout ClassBuilder
    ) throws(SyntaxRefusal) {
        let properties = typeScript.takeParameterProperties(of: constructor)
        guard !properties.isEmpty else { return }
        var index = 0
        if constructor.kind == .derivedConstructor {
            let call = constructor.body.firstIndex { statement in
                guard case .expression(let expression) = statement.form else { return false }
                if case .superCall = expression.form { return true }
                return false
            }
            guard let call else {
                throw refuse(
                    "A 'super' call must be a root-level statement within a constructor of a derived class that contains"
                        + " initialized properties, parameter properties, or private identifiers.",
                    at: constructor.place)
            }
            index = call + 1
        }
        let assignments = properties.map { property in
            let target = Expression(
                .member(Expression(.this, at: property.place), property.name, isOptional: false), at: property.place)
            let value = Expression(.identifier(property.name), at: property.place)
            return Statement(
                .expression(Expression(.assign(.target(target), value), at: property.place)), at: property.place)
        }
        constructor.body.insert(contentsOf: assignments, at: index)
        builder.leadingFields = properties.map { .field(.name($0.name), nil, isStatic: false) }
    }

    /// `accessor name = value` is a private field with a getter and a setter.
    func addAutomaticAccessor(
        _ head: ClassElementHead, _ initializer: FunctionNode?, to builder: inout ClassBuilder
    ) throws(SyntaxRefusal) {
        let place = head.start.place
        if head.isComputed {
            throw refuse(
                "An accessor with a computed name is not supported", at: place, hint: "Write its getter and setter.")
        }
        typeScript.objectCount += 1
        // No source can spell it, for its space.
        let storage = lexer.names.name(of: "#accessor \(typeScript.objectCount)")
        try declarePrivate(storage, .other, at: place)
        let range = PlaceRange(start: head.start.start, end: lexer.previousEnd)
        let member = Expression(
            .privateMember(Expression(.this, at: place), storage, isOptional: false), at: place)
        let getter = FunctionNode(kind: .getter, name: nil, at: place, range: range)
        getter.body = [Statement(.return(member), at: place)]
        let setter = FunctionNode(kind: .setter, name: nil, at: place, range: range)
        setter.parameters = [ElementPattern(.binding(.known(.value), place))]
        let value = Expression(.identifier(.known(.value)), at: place)
        setter.body = [Statement(.expression(Expression(.assign(.target(member), value), at: place)), at: place)]
        builder.node.elements += [
            .field(.private(storage), initializer, isStatic: head.isStatic),
            .getter(head.name, getter, isStatic: head.isStatic),
            .setter(head.name, setter, isStatic: head.isStatic),
        ]
    }
}
