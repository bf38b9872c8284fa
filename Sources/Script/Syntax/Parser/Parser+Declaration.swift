extension Parser {
    func parseVariableStatement(_ kind: Declaration.Kind) throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let declaration = try parseDeclaration(kind, isForHead: false)
        try endStatement()
        return Statement(.declaration(declaration), at: start)
    }

    /// What follows `var`, `let` or `const`. In the head of a `for`, whether initializers may be missing shows later.
    func parseDeclaration(_ kind: Declaration.Kind, isForHead: Bool) throws(SyntaxRefusal) -> Declaration {
        var parts: [ElementPattern] = []
        repeat {
            let start = place
            let pattern = try parseBindingTarget(kind == .var ? .var : .lexical)
            if isTypeScript {
                if self.kind == .not, !lexer.token.isAfterLineBreak { try next() }
                try skipTypeAnnotation()
            }
            var part = ElementPattern(pattern)
            if try eat(.assign) {
                part.initializer = try parseAssignment()
            } else if !isForHead {
                try checkInitializer(of: part, kind, at: start)
            }
            parts.append(part)
        } while try eat(.comma)
        return Declaration(kind: kind, parts: parts)
    }

    func checkInitializer(of part: ElementPattern, _ kind: Declaration.Kind, at start: Place) throws(SyntaxRefusal) {
        guard part.initializer == nil, !frame.context.contains(.ambient) else { return }
        if case .binding = part.pattern {
            if kind == .const { throw refuse("Missing initializer in const declaration") }
        } else {
            throw refuse("Missing initializer in destructuring declaration")
        }
    }

    /// A name or a pattern of new names.
    func parseBindingTarget(_ kind: ScopeStack.Kind) throws(SyntaxRefusal) -> Pattern {
        switch self.kind {
        case .openBracket: return try parseArrayBinding(kind)
        case .openBrace: return try parseObjectBinding(kind)
        case .let where kind == .lexical:
            throw refuse("let is disallowed as a lexically bound name")
        default:
            let (name, place) = try bindingIdentifier()
            try declareBinding(name, kind, at: place)
            return .binding(name, place)
        }
    }

    func declareBinding(_ name: Name, _ kind: ScopeStack.Kind, at place: Place) throws(SyntaxRefusal) {
        if kind == .parameter, !frame.context.contains(.ambient) {
            if !scopes.declare(name, .parameter) {
                throw refuse("Duplicate parameter name not allowed in this context", at: place)
            }
        } else {
            try declare(name, kind, at: place)
        }
    }

    func parseBindingElement(_ kind: ScopeStack.Kind) throws(SyntaxRefusal) -> ElementPattern {
        let pattern = try parseBindingTarget(kind)
        return ElementPattern(pattern, initializer: try parseInitializer())
    }

    /// `= value`, or nothing.
    func parseInitializer() throws(SyntaxRefusal) -> Expression? {
        guard try eat(.assign) else { return nil }
        let outer = frame.context
        frame.context.remove(.noIn)
        let value = try parseAssignment()
        frame.context = outer
        return value
    }

    private func parseArrayBinding(_ kind: ScopeStack.Kind) throws(SyntaxRefusal) -> Pattern {
        let outer = try enter()
        let start = place
        try next()
        var elements: [ElementPattern?] = []
        var rest: Pattern?
        while self.kind != .closeBracket {
            if try eat(.comma) {
                elements.append(nil)
                continue
            }
            if try eat(.ellipsis) {
                rest = try parseBindingTarget(kind)
                if self.kind == .comma { throw refuse("Rest element must be last element") }
                break
            }
            elements.append(try parseBindingElement(kind))
            if self.kind != .closeBracket { try expect(.comma) }
        }
        try expect(.closeBracket)
        try leave(outer)
        return .array(elements, rest: rest, start)
    }

    private func parseObjectBinding(_ kind: ScopeStack.Kind) throws(SyntaxRefusal) -> Pattern {
        let outer = try enter()
        let start = place
        try next()
        var properties: [PropertyPattern] = []
        var rest: Pattern?
        while self.kind != .closeBrace {
            if try eat(.ellipsis) {
                let (name, place) = try bindingIdentifier()
                try declareBinding(name, kind, at: place)
                rest = .binding(name, place)
                if self.kind == .comma { throw refuse("Rest element must be last element") }
                break
            }
            properties.append(try parsePropertyBinding(kind))
            if self.kind != .closeBrace { try expect(.comma) }
        }
        try expect(.closeBrace)
        try leave(outer)
        return .object(properties, rest: rest, start)
    }

    private func parsePropertyBinding(_ kind: ScopeStack.Kind) throws(SyntaxRefusal) -> PropertyPattern {
        let token = lexer.token
        let name = try parsePropertyName()
        if try eat(.colon) {
            return PropertyPattern(name: name, element: try parseBindingElement(kind))
        }
        // `{ name }` and `{ name = value }`
        try checkShorthand(token)
        if token.name == .known(.eval) || token.name == .known(.arguments) {
            throw refuse("Unexpected eval or arguments in strict mode", at: token.place)
        }
        try declareBinding(token.name, kind, at: token.place)
        let pattern = Pattern.binding(token.name, token.place)
        return PropertyPattern(
            name: name, element: ElementPattern(pattern, initializer: try parseInitializer()))
    }

    /// A property without a `:` has to be a name of a variable. The token behind it is looked at.
    func checkShorthand(_ token: Token) throws(SyntaxRefusal) {
        guard token.kind.isIdentifier, token.kind != .await || !isAwaitReserved else {
            switch token.kind {
            case .text, .number, .bigInteger, .openBracket, .privateName: throw unexpected()
            default: throw token.kind.isReservedInStrictCodeOnly ? unexpected(token) : unexpectedShorthand(token)
            }
        }
    }

    private func unexpectedShorthand(_ token: Token) -> SyntaxRefusal {
        token.kind == .escapedWord || token.kind == .await || token.kind == .enum ? unexpected(token) : unexpected()
    }

    /// All names that a pattern declares.
    func names(in pattern: Pattern, _ take: (Name, Place) -> Void) {
        switch pattern {
        case .binding(let name, let place): take(name, place)
        case .target: break
        case .object(let properties, let rest, _):
            for property in properties { names(in: property.element.pattern, take) }
            if let rest { names(in: rest, take) }
        case .array(let elements, let rest, _):
            for element in elements {
                if let element { names(in: element.pattern, take) }
            }
            if let rest { names(in: rest, take) }
        }
    }
}
