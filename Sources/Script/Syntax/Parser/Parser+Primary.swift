extension Parser {
    func parsePrimary() throws(SyntaxRefusal) -> Expression {
        switch kind {
        case .identifier: return try parseIdentifier()
        case .number: return try parseNumber()
        case .text: return try parseText()
        case .openParenthesis: return try parseParenthesized(canBeArrow: false)
        case .openBracket: return try parseArray()
        case .openBrace: return try parseObject()
        case .this: return try parseConstant(.this)
        case .null: return try parseConstant(.null)
        case .true: return try parseConstant(.boolean(true))
        case .false: return try parseConstant(.boolean(false))
        case .function: return try parseFunctionExpression(isAsync: false, at: place)
        case .async: return try parseAsync()
        case .class: return try parseClass()
        case .new: return try parseNew()
        case .super: return try parseSuper()
        case .import: return try parseImportExpression()
        case .backquote: return try parseUntaggedTemplate()
        case .divide, .divideAssign: return try parseRegularExpression()
        case .bigInteger: throw refuseBigInteger()
        default:
            if isIdentifier { return try parseIdentifier() }
            throw unexpectedOperand()
        }
    }

    private func unexpectedOperand() -> SyntaxRefusal {
        if kind == .await, !frame.context.contains(.staticBlock) {
            return refuse("await is only valid in async functions and the top level bodies of modules")
        }
        return unexpected()
    }

    private func parseNumber() throws(SyntaxRefusal) -> Expression {
        let token = lexer.token
        try next()
        return Expression(.number(token.number), at: token.place)
    }

    private func parseText() throws(SyntaxRefusal) -> Expression {
        let start = place
        let value = try lexer.textValue()
        try next()
        return Expression(.text(value), at: start)
    }

    private func parseClass() throws(SyntaxRefusal) -> Expression {
        let start = place
        return Expression(.class(try parseClassExpression()), at: start)
    }

    private func parseUntaggedTemplate() throws(SyntaxRefusal) -> Expression {
        let start = place
        return Expression(.template(try parseTemplate(isTagged: false)), at: start)
    }

    func refuseBigInteger() -> SyntaxRefusal {
        refuse(
            "BigInt literals are not supported", hint: "Numbers are exact up to 9007199254740991 without the n.")
    }

    private func parseConstant(_ form: Expression.Form) throws(SyntaxRefusal) -> Expression {
        let start = place
        try next()
        return Expression(form, at: start)
    }

    private func parseIdentifier() throws(SyntaxRefusal) -> Expression {
        let token = lexer.token
        if token.kind == .await { frame.lastAwaitName = token.place }
        if token.name == .known(.arguments), frame.context.contains(.noArguments) {
            throw refuse("'arguments' is not allowed in class field initializer or static initialization block")
        }
        scopes.refer(to: token.name)
        try next()
        return Expression(.identifier(token.name), at: token.place)
    }

    /// `async function`, or a variable of that name. Arrow functions are found before.
    private func parseAsync() throws(SyntaxRefusal) -> Expression {
        let start = place
        guard try isAsyncFunction() else { return try parseIdentifier() }
        try next()
        return try parseFunctionExpression(isAsync: true, at: start)
    }

    private func parseRegularExpression() throws(SyntaxRefusal) -> Expression {
        let start = place
        let (pattern, flags) = try lexer.scanRegularExpression()
        try checkRegularExpression(pattern, flags, at: start)
        try next()
        return Expression(.regularExpression(pattern: pattern, flags: flags), at: start)
    }

    // MARK: Lists and objects

    private func parseArray() throws(SyntaxRefusal) -> Expression {
        let start = place
        let outer = frame.context
        frame.context.subtract(.bracketed)
        try next()
        var elements: [ArrayElement] = []
        while kind != .closeBracket {
            if try eat(.comma) {
                elements.append(.hole)
                continue
            }
            if try eat(.ellipsis) {
                let value = try parseCover()
                elements.append(.spread(kind == .comma ? withoutPattern(value) : value))
            } else {
                elements.append(.value(try parseCover()))
            }
            if kind != .closeBracket { try expect(.comma) }
        }
        try next()
        frame.context = outer
        return Expression(.array(elements), at: start)
    }

    /// The same expression, but no target any more: a comma may not follow `...rest` in a pattern.
    private func withoutPattern(_ expression: Expression) -> Expression {
        Expression(.sequence([expression]), at: expression.place)
    }

    private func parseObject() throws(SyntaxRefusal) -> Expression {
        let start = place
        let outer = frame.context
        frame.context.subtract(.bracketed)
        try next()
        var properties: [Property] = []
        var hasPrototype = false
        while kind != .closeBrace {
            if try eat(.ellipsis) {
                let value = try parseCover()
                properties.append(.spread(kind == .comma ? withoutPattern(value) : value))
            } else {
                let propertyPlace = place
                let property = try parseProperty()
                if case .prototype = property {
                    if hasPrototype, cover == nil {
                        cover = CoverError(kind: .secondPrototype, place: propertyPlace)
                    }
                    hasPrototype = true
                }
                properties.append(property)
            }
            if kind != .closeBrace { try expect(.comma) }
        }
        try next()
        frame.context = outer
        return Expression(.object(properties), at: start)
    }

    private func parseProperty() throws(SyntaxRefusal) -> Property {
        let token = lexer.token
        switch token.kind {
        case .get, .set:
            try next()
            if !isEndOfPropertyName {
                let name = try parsePropertyName()
                let function = try parseMethod(token.kind == .get ? .getter : .setter, from: token)
                return token.kind == .get ? .getter(name, function) : .setter(name, function)
            }
            return try parseProperty(named: .name(token.name), token)
        case .async:
            try next()
            if !isEndOfPropertyName, !lexer.token.isAfterLineBreak {
                let isGenerator = try eat(.multiply)
                let name = try parsePropertyName()
                return .method(
                    name, try parseMethod(.method, isAsync: true, isGenerator: isGenerator, from: token))
            }
            return try parseProperty(named: .name(token.name), token)
        case .multiply:
            try next()
            let name = try parsePropertyName()
            return .method(name, try parseMethod(.method, isGenerator: true, from: token))
        default:
            return try parseProperty(named: try parsePropertyName(), token)
        }
    }

    /// Whether `get`, `set` or `async` before it was the property's name itself.
    private var isEndOfPropertyName: Bool {
        switch kind {
        case .openParenthesis, .comma, .colon, .closeBrace, .assign, .less: true
        default: false
        }
    }

    private func parseProperty(named name: PropertyName, _ token: Token) throws(SyntaxRefusal) -> Property {
        switch kind {
        case .colon:
            try next()
            let value = try parseCover()
            if token.kind != .openBracket, case .name(.known(.proto)) = name { return .prototype(value) }
            return .value(name, value)
        case .openParenthesis, .less:
            if kind == .less, !isTypeScript { throw unexpected() }
            return .method(name, try parseMethod(.method, from: token))
        default:
            return try parseShorthand(name, token)
        }
    }

    /// `{ name }`, and of patterns `{ name = value }`, which is the same as `{ name: name = value }`.
    private func parseShorthand(_ name: PropertyName, _ token: Token) throws(SyntaxRefusal) -> Property {
        try checkShorthand(token)
        if token.kind == .await { frame.lastAwaitName = token.place }
        if token.name == .known(.arguments), frame.context.contains(.noArguments) {
            throw refuse(
                "'arguments' is not allowed in class field initializer or static initialization block", at: token.place)
        }
        scopes.refer(to: token.name)
        let variable = Expression(.identifier(token.name), at: token.place)
        guard kind == .assign else { return .value(name, variable) }
        let sign = place
        try next()
        let initializer = try parseAssignment()
        let target = try assignmentTarget(variable, message: "")
        if cover == nil { cover = CoverError(kind: .shorthandInitializer, place: sign) }
        return .value(name, Expression(.assign(target, initializer), at: token.place))
    }

    func parsePropertyName() throws(SyntaxRefusal) -> PropertyName {
        let token = lexer.token
        switch token.kind {
        case .text:
            let name = lexer.names.name(of: try lexer.textValue())
            try next()
            return .name(name)
        case .number:
            try next()
            return .number(token.number)
        case .bigInteger: throw refuseBigInteger()
        case .openBracket:
            try next()
            let outer = frame.context
            frame.context.subtract(.bracketed)
            let key = try parseAssignment()
            frame.context = outer
            try expect(.closeBracket)
            return .computed(key)
        default:
            guard token.kind.isWord else { throw unexpected() }
            try next()
            return .name(token.name)
        }
    }

    // MARK: new, super, import

    private func parseNew() throws(SyntaxRefusal) -> Expression {
        let start = place
        let outer = try enter()
        try next()
        if try eat(.dot) {
            guard kind == .target, !lexer.token.hasEscape else { throw unexpected() }
            guard frame.context.contains(.newTarget) else {
                throw refuse("new.target expression is not allowed here", at: start)
            }
            try next()
            try leave(outer)
            return Expression(.newTarget, at: start)
        }
        if kind == .import, try lexer.tokenBehind().kind == .openParenthesis {
            throw refuse("Cannot use new with import")
        }
        let head = kind == .new ? try parseNew() : try parsePrimary()
        let callee = try parseSubscripts(of: head, allowsCalls: false)
        try requireExpression()
        let arguments = kind == .openParenthesis ? try parseArguments() : []
        try leave(outer)
        return Expression(.new(callee, arguments), at: start)
    }

    private func parseSuper() throws(SyntaxRefusal) -> Expression {
        let start = place
        try next()
        switch kind {
        case .openParenthesis where frame.context.contains(.superCall):
            return Expression(.superCall(try parseArguments()), at: start)
        case .dot where frame.context.contains(.superMember):
            try next()
            let token = lexer.token
            if token.kind == .privateName { throw refuse("Unexpected private field") }
            guard token.kind.isWord else { throw unexpected() }
            try next()
            return Expression(.superMember(token.name), at: token.place)
        case .openBracket where frame.context.contains(.superMember):
            try next()
            let key = try parseBracketed()
            try expect(.closeBracket)
            return Expression(.superIndex(key), at: start)
        default:
            throw refuse("'super' keyword unexpected here", at: start)
        }
    }

    /// `import.meta` and `import(...)`.
    private func parseImportExpression() throws(SyntaxRefusal) -> Expression {
        let start = place
        try next()
        if try eat(.dot) {
            guard kind == .meta, !lexer.token.hasEscape else { throw unexpected() }
            guard options.goal == .module else { throw refuse("Cannot use 'import.meta' outside a module", at: start) }
            try next()
            return Expression(.importMeta, at: start)
        }
        guard kind == .openParenthesis else { throw unexpected() }
        let outer = frame.context
        frame.context.subtract(.bracketed)
        try next()
        let specifier = try parseAssignment()
        var importOptions: Expression?
        if try eat(.comma), kind != .closeParenthesis {
            importOptions = try parseAssignment()
            _ = try eat(.comma)
        }
        try expect(.closeParenthesis)
        frame.context = outer
        return Expression(.importCall(specifier, options: importOptions), at: start)
    }

    /// What the language says of a regular expression before it runs. What is compiled for it is found again then.
    private func checkRegularExpression(
        _ pattern: [UInt16], _ flags: [UInt16], at place: Place
    ) throws(SyntaxRefusal) {
        guard let known = RegularExpressionFlags(flags) else {
            throw refuse(
                "Invalid regular expression flags", at: place,
                hint: RegularExpressionFlags.asksForUnicodeSets(flags) ? "The flag v is not supported." : nil)
        }
        do {
            _ = try RegularExpression.known(pattern: pattern, flags: known)
        } catch {
            throw refuse(error.message, at: place)
        }
    }
}
