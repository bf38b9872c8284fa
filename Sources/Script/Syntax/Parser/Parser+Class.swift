extension Parser {
    func parseClassDeclaration(isAbstract: Bool = false) throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let (name, namePlace) = try bindingIdentifier()
        try declare(name, .class, at: namePlace)
        return Statement(.class(try parseClassRest(named: name, at: start)), at: start)
    }

    func parseClassExpression() throws(SyntaxRefusal) -> ClassNode {
        let start = place
        try next()
        var name: Name?
        scopes.openBlock()
        if kind.isWord, kind != .extends, kind != .implements || !isTypeScript {
            name = try bindingIdentifier().name
            if let name { _ = scopes.declare(name, .own) }
        }
        let node = try parseClassRest(named: name, at: start)
        scopes.close()
        return node
    }

    /// From behind the name on.
    func parseClassRest(named name: Name?, at start: Place) throws(SyntaxRefusal) -> ClassNode {
        let outerContext = frame.context
        let outerCover = cover
        cover = nil
        frame.context.subtract(.bracketed)
        let node = ClassNode(name: name, at: start, range: PlaceRange(start: start.offset, end: start.offset))
        if isTypeScript { try skipTypeParameters() }
        if try eat(.extends) {
            node.superclass = try parseHeritage()
            if isTypeScript, kind == .less { try skipTypeArguments() }
        }
        if isTypeScript, try eat(.implements) { try skipTypeList() }
        classes.append(PrivateNames())
        try expect(.openBrace)
        var builder = ClassBuilder(node)
        while kind != .closeBrace {
            if try eat(.semicolon) { continue }
            try parseClassElement(&builder)
        }
        try next()
        node.range.end = lexer.previousEnd
        try closePrivateNames()
        frame.context = outerContext
        cover = outerCover
        builder.finish()
        return node
    }

    /// The specification's LeftHandSideExpression.
    private func parseHeritage() throws(SyntaxRefusal) -> Expression {
        let outer = try enter()
        let superclass = try parseSubscripts(of: try parsePrimary(), allowsCalls: true)
        try requireExpression()
        try leave(outer)
        return superclass
    }

    private func closePrivateNames() throws(SyntaxRefusal) {
        guard let names = classes.popLast() else { return }
        let undeclared = names.undeclared
        guard let first = undeclared.first else { return }
        if classes.isEmpty {
            if frame.context.contains(.ambient) { return }
            throw undeclaredPrivateName(first.name, at: first.place)
        }
        classes[classes.count - 1].used += undeclared
    }

    private func parseClassElement(_ builder: inout ClassBuilder) throws(SyntaxRefusal) {
        let outer = try enter()
        var head = ClassElementHead(start: lexer.token)
        try parseModifiers(into: &head)
        if head.isStatic, kind == .openBrace {
            builder.node.elements.append(.staticBlock(try parseStaticBlock(from: head.start)))
            return try leave(outer)
        }
        if isTypeScript, kind == .openBracket, try isIndexSignature() {
            try skipTypeMember()
            return try leave(outer)
        }
        if kind == .at { throw unexpected() }
        head.methodStart = lexer.token
        try parseMethodWords(into: &head)
        let nameToken = lexer.token
        head.nameToken = nameToken
        if nameToken.kind == .privateName {
            try next()
            head.name = .private(nameToken.name)
        } else {
            head.name = try parsePropertyName()
        }
        if isTypeScript, kind == .question || (kind == .not && !lexer.token.isAfterLineBreak) { try next() }
        if kind == .openParenthesis || (isTypeScript && kind == .less) {
            try parseClassMethod(head, &builder)
        } else {
            if head.isAsync || head.isGenerator || head.accessor != nil { throw unexpected() }
            try parseField(head, &builder)
        }
        try leave(outer)
    }

    /// `static`, and what TypeScript knows beside it.
    private func parseModifiers(into head: inout ClassElementHead) throws(SyntaxRefusal) {
        while true {
            switch kind {
            case .static: break
            case .public, .private, .protected, .readonly, .abstract, .override, .declare, .accessor:
                if !isTypeScript { return }
            default: return
            }
            let behind = try lexer.tokenBehind()
            switch behind.kind {
            case .openParenthesis, .assign, .semicolon, .closeBrace, .end: return
            case .question, .not, .colon, .less:
                if isTypeScript { return }
            default: break
            }
            if kind == .static {
                if head.isStatic { return }
                head.isStatic = true
            } else {
                if behind.isAfterLineBreak { return }
                switch kind {
                case .abstract: head.isAbstract = true
                case .declare: head.isDeclared = true
                case .accessor: head.isAutomatic = true
                default: break
                }
            }
            try next()
        }
    }

    /// `async`, `*`, `get` and `set`, unless they are the name.
    private func parseMethodWords(into head: inout ClassElementHead) throws(SyntaxRefusal) {
        switch kind {
        case .async:
            let behind = try lexer.tokenBehind()
            if isEndOfElementName(behind) || behind.isAfterLineBreak { return }
            try next()
            head.isAsync = true
            head.isGenerator = try eat(.multiply)
        case .get, .set:
            let behind = try lexer.tokenBehind()
            if isEndOfElementName(behind) || behind.kind == .multiply { return }
            head.accessor = kind == .get ? .getter : .setter
            try next()
        case .multiply:
            try next()
            head.isGenerator = true
        default:
            break
        }
    }

    private func isEndOfElementName(_ token: Token) -> Bool {
        switch token.kind {
        case .openParenthesis, .assign, .semicolon, .closeBrace, .end: true
        case .question, .not, .colon, .less: isTypeScript
        default: false
        }
    }

    // MARK: Methods

    private func parseClassMethod(
        _ head: ClassElementHead, _ builder: inout ClassBuilder
    ) throws(SyntaxRefusal) {
        try checkMethodName(head)
        let isConstructor = head.isConstructor
        var kind = head.accessor ?? .method
        var context: Context = [.return, .newTarget, .superMember]
        if isConstructor {
            kind = builder.node.superclass == nil ? .constructor : .derivedConstructor
            if kind == .derivedConstructor { context.insert(.superCall) }
        }
        let function = FunctionNode(
            kind: kind, name: nil, at: head.start.place,
            range: PlaceRange(start: head.methodStart.start, end: head.methodStart.end))
        function.isAsync = head.isAsync
        function.isGenerator = head.isGenerator
        let firstReference = scopes.referenceCount
        let hasBody = try parseFunctionRest(of: function, context: context, canLackBody: isTypeScript)
        if head.isAbstract || !hasBody {
            scopes.forgetReferences(from: firstReference)
            return
        }
        if isConstructor {
            if builder.node.constructor != nil {
                throw refuse("A class may only have one constructor", at: head.start.place)
            }
            builder.node.constructor = function
            try addParameterProperties(of: function, to: &builder)
            return
        }
        if case .private(let name) = head.name {
            let names: PrivateNames.Kind =
                switch kind {
                case .getter: .getter(isStatic: head.isStatic)
                case .setter: .setter(isStatic: head.isStatic)
                default: .other
                }
            try declarePrivate(name, names, at: head.nameToken.place)
        }
        switch kind {
        case .getter: builder.node.elements.append(.getter(head.name, function, isStatic: head.isStatic))
        case .setter: builder.node.elements.append(.setter(head.name, function, isStatic: head.isStatic))
        default: builder.node.elements.append(.method(head.name, function, isStatic: head.isStatic))
        }
    }

    private func checkMethodName(_ head: ClassElementHead) throws(SyntaxRefusal) {
        let place = head.nameToken.place
        if head.isPrivateConstructor {
            throw refuse("Classes may not have a private field named '#constructor'", at: place)
        }
        guard !head.isComputed, case .name(let name) = head.name else { return }
        if head.isStatic, name == .known(.prototype) {
            throw refuse("Classes may not have a static property named 'prototype'", at: place)
        }
        guard !head.isStatic, name == .known(.constructor) else { return }
        if head.accessor != nil { throw refuse("Class constructor may not be an accessor", at: place) }
        if head.isAsync { throw refuse("Class constructor may not be an async method", at: place) }
        if head.isGenerator { throw refuse("Class constructor may not be a generator", at: place) }
    }

    func declarePrivate(
        _ name: Name, _ kind: PrivateNames.Kind, at place: Place
    ) throws(SyntaxRefusal) {
        guard !classes.isEmpty, classes[classes.count - 1].declare(name, kind) else {
            throw refuse("Identifier '\(lexer.names.text(of: name))' has already been declared", at: place)
        }
    }

    // MARK: Fields

    private func parseField(_ head: ClassElementHead, _ builder: inout ClassBuilder) throws(SyntaxRefusal) {
        let place = head.nameToken.place
        if head.isPrivateConstructor {
            throw refuse("Classes may not have a private field named '#constructor'", at: place)
        }
        if !head.isComputed, case .name(let name) = head.name {
            if name == .known(.constructor) {
                throw refuse("Classes may not have a field named 'constructor'", at: place)
            }
            if head.isStatic, name == .known(.prototype) {
                throw refuse("Classes may not have a static property named 'prototype'", at: place)
            }
        }
        let firstReference = scopes.referenceCount
        if isTypeScript { try skipTypeAnnotation() }
        var initializer: FunctionNode?
        if kind == .assign { initializer = try parseFieldInitializer() }
        try endStatement()
        if head.isAbstract || head.isDeclared || frame.context.contains(.ambient) {
            scopes.forgetReferences(from: firstReference)
            return
        }
        if case .private(let name) = head.name { try declarePrivate(name, .other, at: place) }
        if head.isAutomatic {
            try addAutomaticAccessor(head, initializer, to: &builder)
        } else {
            builder.node.elements.append(.field(head.name, initializer, isStatic: head.isStatic))
        }
    }

    private func parseFieldInitializer() throws(SyntaxRefusal) -> FunctionNode {
        try next()
        let function = FunctionNode(
            kind: .field, name: nil, at: place, range: PlaceRange(start: place.offset, end: place.offset))
        let outer = frame
        frame = Frame()
        frame.context = [.newTarget, .superMember, .noArguments]
        frame.context.formUnion(outer.context.intersection(.ambient))
        frame.firstLabel = labels.count
        scopes.open(isFunction: true, hasLexicalFunctions: false)
        let value = try parseAssignment()
        scopes.close()
        frame = outer
        function.body = [Statement(.return(value), at: value.place)]
        function.range.end = lexer.previousEnd
        return function
    }

    private func parseStaticBlock(from start: Token) throws(SyntaxRefusal) -> FunctionNode {
        let function = FunctionNode(
            kind: .staticBlock, name: nil, at: start.place, range: PlaceRange(start: start.start, end: start.end))
        let outer = frame
        frame = Frame()
        frame.context = [.newTarget, .superMember, .noArguments, .staticBlock]
        frame.firstLabel = labels.count
        scopes.open(isFunction: true, hasLexicalFunctions: false)
        try expect(.openBrace)
        function.body = try parseStatements(until: .closeBrace)
        try next()
        scopes.close()
        frame = outer
        function.range.end = lexer.previousEnd
        return function
    }
}
