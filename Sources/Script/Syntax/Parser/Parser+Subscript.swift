extension Parser {
    /// Members, calls and tagged templates behind an expression.
    func parseSubscripts(of base: Expression, allowsCalls: Bool) throws(SyntaxRefusal) -> Expression {
        var expression = base
        var isChain = false
        while true {
            switch kind {
            case .dot:
                try beginSubscript()
                try next()
                expression = try parseMember(of: expression, isOptional: false)
            case .optionalDot:
                if !allowsCalls { throw refuse("Invalid optional chain from new expression") }
                isChain = true
                expression = try parseOptional(expression)
            case .openBracket:
                try beginSubscript()
                expression = try parseIndex(of: expression, isOptional: false)
            case .openParenthesis where allowsCalls:
                expression = try parseCall(of: expression, isOptional: false)
            case .backquote:
                if isChain { throw refuse("Invalid tagged template on optional chain") }
                expression = try parseTaggedTemplate(expression)
            case .not where isTypeScript && !lexer.token.isAfterLineBreak:
                try requireExpression()
                try next()
            default:
                if isTypeScript, kind == .less || kind == .shiftLeft, try skipTypeArgumentsInExpression() { continue }
                return isChain ? Expression(.chain(expression), at: expression.place) : expression
            }
        }
    }

    private func parseCall(of callee: Expression, isOptional: Bool) throws(SyntaxRefusal) -> Expression {
        try beginSubscript()
        return Expression(.call(callee, try parseArguments(), isOptional: isOptional), at: callee.place)
    }

    private func parseTaggedTemplate(_ tag: Expression) throws(SyntaxRefusal) -> Expression {
        try beginSubscript()
        return Expression(.taggedTemplate(tag: tag, try parseTemplate(isTagged: true)), at: tag.place)
    }

    private func beginSubscript() throws(SyntaxRefusal) {
        try requireExpression()
        try rise()
    }

    private func parseMember(of object: Expression, isOptional: Bool) throws(SyntaxRefusal) -> Expression {
        let token = lexer.token
        if token.kind == .privateName {
            try usePrivateName(token)
            try next()
            return Expression(.privateMember(object, token.name, isOptional: isOptional), at: token.place)
        }
        guard token.kind.isWord else { throw unexpected() }
        try next()
        return Expression(.member(object, token.name, isOptional: isOptional), at: token.place)
    }

    private func parseIndex(of object: Expression, isOptional: Bool) throws(SyntaxRefusal) -> Expression {
        try next()
        let start = place
        let key = try parseBracketed()
        try expect(.closeBracket)
        return Expression(.index(object, key, isOptional: isOptional), at: start)
    }

    private func parseOptional(_ object: Expression) throws(SyntaxRefusal) -> Expression {
        try beginSubscript()
        try next()
        if isTypeScript, kind == .less || kind == .shiftLeft { try skipTypeArguments() }
        switch kind {
        case .openParenthesis: return try parseCall(of: object, isOptional: true)
        case .openBracket: return try parseIndex(of: object, isOptional: true)
        case .backquote: throw refuse("Invalid tagged template on optional chain")
        default: return try parseMember(of: object, isOptional: true)
        }
    }

    func parseArguments() throws(SyntaxRefusal) -> [ArrayElement] {
        try expect(.openParenthesis)
        let outer = frame.context
        frame.context.subtract(.bracketed)
        var arguments: [ArrayElement] = []
        while kind != .closeParenthesis {
            if try eat(.ellipsis) {
                arguments.append(.spread(try parseAssignment()))
            } else {
                arguments.append(.value(try parseAssignment()))
            }
            if kind == .closeParenthesis { break }
            guard kind == .comma else {
                throw kind == .end ? unexpected() : refuse("missing ) after argument list")
            }
            try next()
        }
        try next()
        frame.context = outer
        return arguments
    }

    /// Notes that a private name is used, which some class around has to declare.
    func usePrivateName(_ token: Token) throws(SyntaxRefusal) {
        guard !classes.isEmpty else { throw undeclaredPrivateName(token.name, at: token.place) }
        classes[classes.count - 1].used.append((token.name, token.place))
    }

    func undeclaredPrivateName(_ name: Name, at place: Place) -> SyntaxRefusal {
        refuse("Private field '\(lexer.names.text(of: name))' must be declared in an enclosing class", at: place)
    }

    func parseTemplate(isTagged: Bool) throws(SyntaxRefusal) -> Template {
        var template = Template(texts: [], expressions: [])
        while true {
            let (text, isLast) = try lexer.scanTemplateText(isTagged: isTagged)
            template.texts.append(text)
            lexer.token.end = Int32(truncatingIfNeeded: lexer.position)
            try next()
            if isLast { return template }
            template.expressions.append(try parseBracketed())
            guard kind == .closeBrace else {
                throw kind == .end
                    ? refuse("Unterminated template literal") : refuse("Missing } in template expression")
            }
        }
    }
}
