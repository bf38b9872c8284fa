extension Parser {
    func parseFor() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        var isAwait = false
        if kind == .await {
            guard isAwaitOperator, !lexer.token.hasEscape else { throw unexpected() }
            noteTopLevelAwait()
            isAwait = true
            try next()
        }
        try expect(.openParenthesis)
        scopes.openBlock()
        let form = try parseForHead(isAwait: isAwait)
        scopes.close()
        return Statement(form, at: start)
    }

    private func parseForHead(isAwait: Bool) throws(SyntaxRefusal) -> Statement.Form {
        switch kind {
        case .semicolon where !isAwait:
            return try parseForRest(nil)
        case .var: return try parseForDeclaration(.var, isAwait: isAwait)
        case .const: return try parseForDeclaration(.const, isAwait: isAwait)
        case .let: return try parseForDeclaration(.let, isAwait: isAwait)
        default: return try parseForExpression(isAwait: isAwait)
        }
    }

    private func parseForDeclaration(
        _ declarationKind: Declaration.Kind, isAwait: Bool
    ) throws(SyntaxRefusal) -> Statement.Form {
        let start = place
        try next()
        let outer = frame.context
        frame.context.insert(.noIn)
        let declaration = try parseDeclaration(declarationKind, isForHead: true)
        frame.context = outer
        if kind == .of || kind == .in {
            let loop = kind == .of ? "for-of" : "for-in"
            guard declaration.parts.count == 1, let part = declaration.parts.first else {
                throw refuse("Invalid left-hand side in \(loop) loop: Must have a single binding.", at: start)
            }
            if part.initializer != nil {
                throw refuse("\(loop) loop variable declaration may not have an initializer.", at: start)
            }
            return try parseForEach(.declaration(declarationKind, part.pattern), isAwait: isAwait)
        }
        for part in declaration.parts {
            try checkInitializer(of: part, declarationKind, at: start)
        }
        if isAwait { throw unexpected() }
        return try parseForRest(.declaration(declaration))
    }

    private func parseForExpression(isAwait: Bool) throws(SyntaxRefusal) -> Statement.Form {
        let start = lexer.token
        // `async` can begin an arrow function here, so `for (async of` is refused.
        let isAsyncOf = start.kind == .async ? try lexer.tokenBehind().kind == .of : false
        let outer = frame.context
        frame.context.insert(.noIn)
        let expression = try parseForStart()
        frame.context = outer
        if kind == .of || kind == .in {
            if kind == .of, !isAwait, isAsyncOf, case .identifier = expression.form {
                throw refuse("The left-hand side of a for-of loop may not be 'async'.", at: start.place)
            }
            cover = nil
            let target = try assignmentTarget(
                expression,
                message: kind == .of ? "Invalid left-hand side in for-loop" : "Invalid left-hand side in for-in loop")
            return try parseForEach(.assignment(target), isAwait: isAwait)
        }
        try requireExpression()
        if isAwait { throw unexpected() }
        return try parseForRest(.expression(expression))
    }

    /// An expression that may turn out to be a pattern.
    private func parseForStart() throws(SyntaxRefusal) -> Expression {
        let first = try parseCover()
        guard kind == .comma else { return first }
        try requireExpression()
        var parts = [first]
        while try eat(.comma) { parts.append(try parseAssignment()) }
        return Expression(.sequence(parts), at: first.place)
    }

    private func parseForEach(_ head: ForHead, isAwait: Bool) throws(SyntaxRefusal) -> Statement.Form {
        let isOf = kind == .of
        if isAwait, !isOf { throw unexpected() }
        if isOf, lexer.token.hasEscape { throw unexpected() }
        try next()
        let list = isOf ? try parseAssignment() : try parseExpression()
        try expect(.closeParenthesis)
        let body = try parseLoopBody()
        return isOf ? .forOf(head, list, body: body, isAwait: isAwait) : .forIn(head, list, body: body)
    }

    private func parseForRest(_ start: ForStart?) throws(SyntaxRefusal) -> Statement.Form {
        try expect(.semicolon)
        var test: Expression?
        var update: Expression?
        if kind != .semicolon { test = try parseExpression() }
        try expect(.semicolon)
        if kind != .closeParenthesis { update = try parseExpression() }
        try expect(.closeParenthesis)
        return .for(start, test: test, update: update, body: try parseLoopBody())
    }
}
