import GraphQL

extension ScriptParser {
    /// An expression without a comma outside of brackets.
    mutating func expression() throws(TypeScriptError) -> ScriptExpression {
        try nested { parser throws(TypeScriptError) in try parser.assignment() }
    }

    func make(
        _ kind: ScriptExpression.Kind, at place: Position, _ children: [ScriptExpression] = []
    ) throws(TypeScriptError) -> ScriptExpression {
        let height = 1 + (children.map(\.height).max() ?? 0)
        guard height <= limits.depthMax else {
            throw TypeScriptError("the expression has more than \(limits.depthMax) parts in each other", at: place)
        }
        return ScriptExpression(kind: kind, position: place, height: height)
    }

    private func unsupported(_ what: String, at place: Position, isValue: Bool) -> ScriptExpression {
        ScriptExpression(kind: .unsupported(what, isValue: isValue), position: place, height: 1)
    }

    private static let assignments: Set = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=",
    ]

    private mutating func assignment() throws(TypeScriptError) -> ScriptExpression {
        if let arrow = try arrowFunction() { return arrow }
        if token.isName("yield") {
            let place = position
            advance()
            if !token.isOnNewLine, !token.isPunctuator(")"), !token.isPunctuator("}"), !token.isPunctuator(";") {
                _ = take("*")
                _ = try expression()
            }
            return unsupported("yield", at: place, isValue: false)
        }
        let left = try conditional()
        guard token.kind == .punctuator, Self.assignments.contains(token.text) else { return left }
        let place = position
        advance()
        _ = try expression()
        return unsupported("assignment", at: place, isValue: false)
    }

    private mutating func conditional() throws(TypeScriptError) -> ScriptExpression {
        let condition = try binary(0)
        guard token.isPunctuator("?") else { return condition }
        advance()
        let yes = try expression()
        try expect(":")
        let no = try expression()
        return try make(.conditional(condition, yes, no), at: condition.position, [condition, yes, no])
    }

    /// How tightly a binary operator binds; nil for what is none.
    private func precedence(_ token: ScriptToken) -> Int? {
        if token.kind == .name {
            switch token.text {
            case "in", "instanceof": return 7
            case "as", "satisfies": return token.isOnNewLine ? nil : 7
            default: return nil
            }
        }
        guard token.kind == .punctuator else { return nil }
        switch token.text {
        case "??", "||": return 1
        case "&&": return 2
        case "|": return 3
        case "^": return 4
        case "&": return 5
        case "==", "!=", "===", "!==": return 6
        case "<", ">", "<=", ">=": return 7
        case "<<", ">>", ">>>": return 8
        case "+", "-": return 9
        case "*", "/", "%": return 10
        case "**": return 11
        default: return nil
        }
    }

    private mutating func binary(_ least: Int) throws(TypeScriptError) -> ScriptExpression {
        var left = try unary()
        while let level = precedence(token), level >= least {
            let sign = token
            if sign.kind == .name, sign.text == "as" || sign.text == "satisfies" {
                advance()
                if !(token.isName("const") && takeName("const")) { try skipType() }
                continue
            }
            advance()
            let right = try nested { parser throws(TypeScriptError) in
                try parser.binary(sign.text == "**" ? level : level + 1)
            }
            switch sign.text {
            case "in", "instanceof", "|", "^", "&", "<<", ">>", ">>>":
                left = unsupported("\"\(sign.text)\"", at: position(sign), isValue: false)
            default: left = try make(.binary(sign.text, left, right), at: left.position, [left, right])
            }
        }
        return left
    }

    private mutating func unary() throws(TypeScriptError) -> ScriptExpression {
        let place = position
        if token.kind == .punctuator {
            switch token.text {
            case "!", "-", "+", "~":
                let sign = token.text
                advance()
                let operand = try nested { parser throws(TypeScriptError) in try parser.unary() }
                return try make(.unary(sign, operand), at: place, [operand])
            case "++", "--":
                let sign = token.text
                advance()
                _ = try nested { parser throws(TypeScriptError) in try parser.unary() }
                return unsupported("\"\(sign)\"", at: place, isValue: false)
            case "<":
                // `<T>x`: a generic arrow function was looked for before.
                try skipTypeArguments()
                return try nested { parser throws(TypeScriptError) in try parser.unary() }
            default: break
            }
        }
        guard token.kind == .name, !peek().isPunctuator("=>") else { return try postfix() }
        switch token.text {
        case "typeof", "void":
            let sign = token.text
            advance()
            let operand = try nested { parser throws(TypeScriptError) in try parser.unary() }
            return try make(.unary(sign, operand), at: place, [operand])
        case "await", "delete":
            let word = token.text
            advance()
            _ = try nested { parser throws(TypeScriptError) in try parser.unary() }
            return unsupported(word, at: place, isValue: word == "await")
        default: return try postfix()
        }
    }

    // MARK: Chains

    private mutating func postfix() throws(TypeScriptError) -> ScriptExpression {
        var value = try primary()
        while true {
            if token.kind == .template || token.kind == .templateHead {
                let place = position
                if token.kind == .template { advance() } else { try skipBrackets() }
                value = unsupported("tagged template", at: place, isValue: true)
                continue
            }
            guard token.kind == .punctuator else { return value }
            let place = position
            switch token.text {
            case "!" where !token.isOnNewLine: advance()
            case "++" where !token.isOnNewLine, "--" where !token.isOnNewLine:
                let sign = token.text
                advance()
                value = unsupported("\"\(sign)\"", at: place, isValue: false)
            case ".", "?.":
                let isOptional = token.text == "?."
                advance()
                if isOptional, token.isPunctuator("(") || token.isPunctuator("[") {
                    value = try token.text == "(" ? call(value, isOptional: true) : element(value, isOptional: true)
                } else {
                    let name = try name()
                    value = try make(
                        .member(value, name: name.text, at: name.position, isOptional: isOptional),
                        at: value.position, [value])
                }
            case "[": value = try element(value, isOptional: false)
            case "(": value = try call(value, isOptional: false)
            case "<":
                let isCall = attempt { parser throws(TypeScriptError) -> Bool? in
                    try parser.skipTypeArguments()
                    return parser.token.isPunctuator("(") ? true : nil
                }
                guard isCall == true else { return value }
            default: return value
            }
        }
    }

    private mutating func element(
        _ object: ScriptExpression, isOptional: Bool
    ) throws(TypeScriptError) -> ScriptExpression {
        try expect("[")
        let index = try expression()
        try expect("]")
        return try make(.element(object, index, isOptional: isOptional), at: object.position, [object, index])
    }

    private mutating func call(
        _ callee: ScriptExpression, isOptional: Bool
    ) throws(TypeScriptError) -> ScriptExpression {
        let (arguments, children) = try elements(until: ")")
        return try make(
            .call(callee, arguments, isOptional: isOptional), at: callee.position, [callee] + children)
    }

    /// The parts of a list or of arguments, from their opening to their closing bracket.
    mutating func elements(
        until close: String
    ) throws(TypeScriptError) -> ([ScriptElement], [ScriptExpression]) {
        advance()
        var parts: [ScriptElement] = []
        var children: [ScriptExpression] = []
        while !take(close) {
            if token.isPunctuator(","), close == "]" {
                parts.append(.hole(position))
                advance()
                continue
            }
            let isSpread = take("...")
            let value = try expression()
            children.append(value)
            parts.append(isSpread ? .spread(value) : .value(value))
            guard take(",") || token.isPunctuator(close) else { throw unexpected("\",\" or \"\(close)\"") }
        }
        return (parts, children)
    }

    // MARK: Operands

    private mutating func primary() throws(TypeScriptError) -> ScriptExpression {
        let place = position
        let token = token
        switch token.kind {
        case .string, .template:
            advance()
            return try make(.string(token.text), at: place)
        case .number:
            advance()
            return try make(.number(token.number), at: place)
        case .regularExpression:
            advance()
            return unsupported("regular expression", at: place, isValue: true)
        case .templateHead: return try template()
        case .name: return try word()
        case .punctuator:
            switch token.text {
            case "[":
                let (parts, children) = try elements(until: "]")
                return try make(.array(parts), at: place, children)
            case "{": return try object()
            case "(":
                advance()
                var value = try expression()
                while take(",") { value = try expression() }
                try expect(")")
                return ScriptExpression(kind: value.kind, position: value.position, height: value.height)
            default: throw unexpected("an expression")
            }
        default: throw unexpected("an expression")
        }
    }

    private mutating func template() throws(TypeScriptError) -> ScriptExpression {
        let place = position
        var texts = [token.text]
        var values: [ScriptExpression] = []
        repeat {
            advance()
            values.append(try expression())
            guard token.kind == .templateMiddle || token.kind == .templateTail else { throw unexpected("\"}\"") }
            texts.append(token.text)
        } while token.kind == .templateMiddle
        advance()
        return try make(.template(texts, values), at: place, values)
    }

    private mutating func word() throws(TypeScriptError) -> ScriptExpression {
        let place = position
        let text = token.text
        switch text {
        case "null":
            advance()
            return try make(.null, at: place)
        case "true", "false":
            advance()
            return try make(.boolean(text == "true"), at: place)
        case "this":
            advance()
            return try make(.this, at: place)
        case "async" where peek().isName("function") && !peek().isOnNewLine, "function":
            guard let function = try function(mayLackBody: false) else { throw unexpected("a function") }
            return try make(.function(function), at: place)
        case "new":
            advance()
            return try construction(at: place)
        case "import":
            advance()
            if take(".") { _ = try name() } else { try skipBrackets() }
            return unsupported("import()", at: place, isValue: true)
        case "class":
            while token.kind != .end, !token.isPunctuator("{") { advance() }
            try skipBrackets()
            return unsupported("class", at: place, isValue: true)
        case _ where Self.reserved.contains(text): throw unexpected("an expression")
        default:
            advance()
            return try make(.name(text), at: place)
        }
    }

    private static let reserved: Set = [
        "break", "case", "catch", "const", "continue", "debugger", "default", "do", "else", "enum", "export", "extends",
        "finally", "for", "if", "in", "instanceof", "return", "switch", "throw", "try", "var", "while", "with",
    ]

    /// `new X<T>(…)`, whose parts are of no interest.
    private mutating func construction(at place: Position) throws(TypeScriptError) -> ScriptExpression {
        if token.isName("class") || token.isPunctuator("(") {
            _ = try nested { parser throws(TypeScriptError) in try parser.primary() }
        } else {
            _ = try name()
        }
        while take(".") { _ = try name() }
        if token.isPunctuator("<") { try skipTypeArguments() }
        if token.isPunctuator("(") { try skipBrackets() }
        return unsupported("new", at: place, isValue: true)
    }
}
