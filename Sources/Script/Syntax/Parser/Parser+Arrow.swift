extension Parser {
    /// What stands in parentheses, while it may be an expression, arguments, or the parameters of an arrow function.
    final class Parenthesized {
        var parts: [ArrayElement] = []
        /// The first part that an expression in parentheses can't have, though arguments can.
        var notExpression: Token?
        /// The first part that only parameters have.
        var parametersOnly: Token?
        /// The first part that only arguments have: something behind `...rest`.
        var argumentsOnly: Token?
        var firstReference = 0
        var outerAwait: Place?
        var outerYield: Place?
        var outerAwaitName: Place?
    }

    /// From `(` on. With an arrow behind it, the answer is its function.
    func parseParenthesized(canBeArrow: Bool) throws(SyntaxRefusal) -> Expression {
        let start = lexer.token
        let outerCover = cover
        cover = nil
        let list = try parseParenthesizedList()
        if canBeArrow, let arrow = try parseArrowRest(list, isAsync: false, at: start) {
            cover = outerCover
            return arrow
        }
        let expression = try expression(of: list, at: start.place)
        cover = outerCover
        return expression
    }

    /// What stands in parentheses, as no arrow follows.
    private func expression(of list: Parenthesized, at place: Place) throws(SyntaxRefusal) -> Expression {
        if let token = list.parametersOnly ?? list.notExpression { throw unexpected(token) }
        try requireExpression()
        var values: [Expression] = []
        for case .value(let value) in list.parts { values.append(value) }
        guard let first = values.first else { throw unexpected() }
        let inner = values.count == 1 ? first : Expression(.sequence(values), at: first.place)
        return Expression(.parenthesized(inner), at: place)
    }

    private func parseParenthesizedList() throws(SyntaxRefusal) -> Parenthesized {
        let list = Parenthesized()
        let outerHeight = try enter()
        list.firstReference = scopes.referenceCount
        list.outerAwait = frame.lastAwait
        list.outerYield = frame.lastYield
        list.outerAwaitName = frame.lastAwaitName
        let outer = frame.context
        frame.context.subtract(.bracketed)
        try expect(.openParenthesis)
        while kind != .closeParenthesis {
            let isRest = kind == .ellipsis
            if isRest { try parseParenthesizedRest(into: list) } else { try parseParenthesizedPart(into: list) }
            if kind == .closeParenthesis { break }
            if isRest, list.argumentsOnly == nil { list.argumentsOnly = lexer.token }
            try expect(.comma)
            if kind == .closeParenthesis { noteEnd(of: list) }
        }
        if list.parts.isEmpty { noteEnd(of: list) }
        frame.context = outer
        try next()
        // Without an arrow, `()` is refused at its end, or at what should have been the arrow.
        if list.parts.isEmpty, kind == .end { list.notExpression = lexer.token }
        try leave(outerHeight)
        return list
    }

    /// An expression in parentheses has to end otherwise.
    private func noteEnd(of list: Parenthesized) {
        if list.notExpression == nil { list.notExpression = lexer.token }
    }

    private func parseParenthesizedRest(into list: Parenthesized) throws(SyntaxRefusal) {
        if list.notExpression == nil { list.notExpression = lexer.token }
        try next()
        list.parts.append(.spread(try parseCover()))
        if isTypeScript, kind == .colon {
            if list.parametersOnly == nil { list.parametersOnly = lexer.token }
            try skipTypeAnnotation()
        }
    }

    private func parseParenthesizedPart(into list: Parenthesized) throws(SyntaxRefusal) {
        if isTypeScript, kind.isIdentifier || kind == .this, try parseTypedName(into: list) { return }
        let value = try parseCover()
        if isTypeScript, kind == .colon {
            if list.parametersOnly == nil { list.parametersOnly = lexer.token }
            try skipTypeAnnotation()
            try appendTyped(value, to: list)
        } else {
            list.parts.append(.value(value))
        }
    }

    /// `(name: Type)`, `(name?: Type)`, `(name?)`, `(this: Type)`. False where it is none of them.
    private func parseTypedName(into list: Parenthesized) throws(SyntaxRefusal) -> Bool {
        guard let sign = try annotationBehind() else { return false }
        if list.parametersOnly == nil { list.parametersOnly = sign }
        let token = lexer.token
        try next()
        _ = try eat(.question)
        try skipTypeAnnotation()
        if token.kind == .this {
            guard list.parts.isEmpty else { throw unexpected(token) }
            return true
        }
        guard token.kind != .await || !isAwaitReserved else { throw unexpected(token) }
        if token.kind == .await { frame.lastAwaitName = token.place }
        scopes.refer(to: token.name)
        try appendTyped(Expression(.identifier(token.name), at: token.place), to: list)
        return true
    }

    /// The sign behind a name that makes it a parameter: `:`, or `?` before `:`, `,`, `)` or `=`.
    private func annotationBehind() throws(SyntaxRefusal) -> Token? {
        let mark = lexer.mark
        defer { lexer.goBack(to: mark) }
        try next()
        let sign = lexer.token
        if sign.kind == .colon { return sign }
        guard sign.kind == .question else { return nil }
        try next()
        switch kind {
        case .colon, .comma, .closeParenthesis, .assign: return sign
        default: return nil
        }
    }

    private func appendTyped(_ value: Expression, to list: Parenthesized) throws(SyntaxRefusal) {
        guard kind == .assign else {
            list.parts.append(.value(value))
            return
        }
        let target = try assignmentTarget(value, message: "Invalid destructuring assignment target")
        cover = nil
        try next()
        list.parts.append(.value(Expression(.assign(target, try parseAssignment()), at: value.place)))
    }

    /// The arrow and the body, where parentheses are followed by an arrow.
    private func parseArrowRest(
        _ list: Parenthesized, isAsync: Bool, at start: Token
    ) throws(SyntaxRefusal) -> Expression? {
        if kind == .arrow, !lexer.token.isAfterLineBreak {
            return try parseArrowFunction(list, isAsync: isAsync, at: start)
        }
        guard isTypeScript, kind == .colon else { return nil }
        return try parseArrowWithReturnType(list, isAsync: isAsync, at: start)
    }

    /// `(a): Type => body`. Behind a `?` the `:` may also be the one that belongs to it; it does unless another follows.
    private func parseArrowWithReturnType(
        _ list: Parenthesized, isAsync: Bool, at start: Token
    ) throws(SyntaxRefusal) -> Expression? {
        let colon = lexer.token.start
        if typeScript.colonsWithoutType.contains(colon) { return nil }
        let trial = beginTrial()
        if skipArrowReturnType() {
            guard frame.context.contains(.conditional) else {
                return try parseArrowFunction(list, isAsync: isAsync, at: start)
            }
            if let arrow = try? parseArrowFunction(list, isAsync: isAsync, at: start), kind == .colon {
                return arrow
            }
        }
        endTrial(trial)
        typeScript.colonsWithoutType.insert(colon)
        return nil
    }

    private func skipArrowReturnType() -> Bool {
        do {
            try next()
            try skipReturnType()
            return kind == .arrow && !lexer.token.isAfterLineBreak
        } catch {
            return false
        }
    }

    /// From the arrow on.
    private func parseArrowFunction(
        _ list: Parenthesized, isAsync: Bool, at start: Token
    ) throws(SyntaxRefusal) -> Expression {
        let noted = (frame.lastAwait, frame.lastYield, frame.lastAwaitName)
        if noted.0 != list.outerAwait, let place = noted.0 {
            throw refuse("Illegal await-expression in formal parameters of async function", at: place)
        }
        if noted.1 != list.outerYield, let place = noted.1 {
            throw refuse("Yield expression not allowed in formal parameter", at: place)
        }
        if isAsync || frame.context.contains(.staticBlock), noted.2 != list.outerAwaitName, let place = noted.2 {
            throw refuse("Unexpected reserved word", at: place)
        }
        cover = nil
        let function = beginArrow(isAsync: isAsync, at: start)
        scopes.open(isFunction: true, hasLexicalFunctions: false, referencesFrom: list.firstReference)
        if let token = list.argumentsOnly {
            throw refuse("Rest parameter must be last formal parameter", at: token.place)
        }
        for part in list.parts {
            switch part {
            case .value(let value): function.parameters.append(try parameter(value))
            case .spread(let rest): function.rest = try parameterTarget(rest)
            case .hole: break
            }
        }
        return try parseArrowBody(function, isAsync: isAsync)
    }

    private func beginArrow(isAsync: Bool, at start: Token) -> FunctionNode {
        let function = FunctionNode(
            kind: .arrow, name: nil, at: start.place, range: PlaceRange(start: start.start, end: start.end))
        function.isAsync = isAsync
        return function
    }

    private func parseArrowBody(_ function: FunctionNode, isAsync: Bool) throws(SyntaxRefusal) -> Expression {
        let outer = frame
        let outerCover = cover
        let outerHeight = try enter()
        frame = Frame()
        frame.context = outer.context.intersection([
            .superMember, .superCall, .newTarget, .noArguments, .ambient, .noIn, .conditional,
        ])
        frame.context.insert(.return)
        if isAsync { frame.context.insert(.async) }
        frame.firstLabel = labels.count
        try expect(.arrow)
        if kind == .openBrace {
            frame.context.subtract(.bracketed)
            try parseFunctionBody(of: function)
            scopes.close()
        } else {
            let value = try parseAssignment()
            function.body = [Statement(.return(value), at: value.place)]
            scopes.close()
        }
        frame = outer
        cover = outerCover
        try leave(outerHeight)
        function.range.end = lexer.previousEnd
        return Expression(.function(function), at: function.place)
    }

    /// `name => body`; with `async`, the word before it is taken already.
    func parseSimpleArrow(isAsync: Bool, from start: Token? = nil) throws(SyntaxRefusal) -> Expression {
        let function = beginArrow(isAsync: isAsync, at: start ?? lexer.token)
        let outer = frame.context
        if isAsync { frame.context.insert(.async) }
        if kind == .await { frame.lastAwaitName = lexer.token.place }
        let (name, place) = try bindingIdentifier()
        frame.context = outer
        scopes.open(isFunction: true, hasLexicalFunctions: false)
        try declareBinding(name, .parameter, at: place)
        function.parameters = [ElementPattern(.binding(name, place))]
        guard kind == .arrow, !lexer.token.isAfterLineBreak else { throw unexpected() }
        return try parseArrowBody(function, isAsync: isAsync)
    }

    /// `async` as the beginning of an arrow function, or a call of a function of that name. Nothing where it is neither.
    func parseAsyncArrow() throws(SyntaxRefusal) -> Expression? {
        let start = lexer.token
        if start.hasEscape { return nil }
        let behind = try lexer.tokenBehind()
        if behind.kind == .arrow { return behind.isAfterLineBreak ? nil : try parseSimpleArrow(isAsync: false) }
        if behind.isAfterLineBreak { return nil }
        if behind.kind.isIdentifier {
            // `async of => 1`, but `for (async of list)`.
            let mark = lexer.mark
            try next()
            if lexer.isArrowNext() { return try parseSimpleArrow(isAsync: true, from: start) }
            lexer.goBack(to: mark)
            return nil
        }
        if isTypeScript, behind.kind == .less {
            let trial = beginTrial()
            if skipTypeParametersOfAsync() { return try parseAsyncParenthesized(start) }
            endTrial(trial)
            return nil
        }
        guard behind.kind == .openParenthesis else { return nil }
        try next()
        return try parseAsyncParenthesized(start)
    }

    private func skipTypeParametersOfAsync() -> Bool {
        do {
            try next()
            try skipTypeParameters()
            return kind == .openParenthesis
        } catch {
            return false
        }
    }

    private func parseAsyncParenthesized(_ start: Token) throws(SyntaxRefusal) -> Expression {
        let outerCover = cover
        cover = nil
        let list = try parseParenthesizedList()
        if let arrow = try parseArrowRest(list, isAsync: true, at: start) {
            cover = outerCover
            return arrow
        }
        if let token = list.parametersOnly { throw unexpected(token) }
        try requireExpression()
        cover = outerCover
        scopes.refer(to: start.name)
        try rise()
        let callee = Expression(.identifier(start.name), at: start.place)
        return Expression(.call(callee, list.parts, isOptional: false), at: start.place)
    }
}
