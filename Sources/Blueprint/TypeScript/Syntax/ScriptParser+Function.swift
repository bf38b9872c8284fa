import GraphQL

/// Functions and object literals.
extension ScriptParser {
    /// An arrow function, when one starts here.
    mutating func arrowFunction() throws(TypeScriptError) -> ScriptExpression? {
        let place = position
        let start = index
        var refusal: TypeScriptError?
        if token.isName("async"), !peek().isOnNewLine,
            peek().isPunctuator("(") || peek().isPunctuator("<") || (peek().kind == .name && peek(2).isPunctuator("=>"))
        {
            refusal = TypeScriptError("async functions are not evaluated", at: place)
            advance()
        }
        let parameters: [ScriptParameter]
        if token.kind == .name, peek().isPunctuator("=>"), !peek().isOnNewLine {
            parameters = [ScriptParameter(binding: .name(token.text, position), standard: nil, isRest: false)]
            advance()
        } else if isArrowAhead() {
            if token.isPunctuator("<") { try skipTypeParameters() }
            parameters = try self.parameters()
            if take(":") { try skipType() }
        } else {
            index = start
            return nil
        }
        try expect("=>")
        let body: ScriptFunction.Body =
            token.isPunctuator("{") ? try block() : .expression(try expression())
        return try make(
            .function(
                ScriptFunction(
                    name: nil, parameters: parameters, body: body, isArrow: true, refusal: refusal, position: place)),
            at: place)
    }

    /// Whether parameters and an arrow stand here: looked at without reading the parameters.
    private mutating func isArrowAhead() -> Bool {
        let (start, angles) = (index, pendingAngles)
        defer { (index, pendingAngles) = (start, angles) }
        if token.isPunctuator("<") {
            guard
                attempt({ parser throws(TypeScriptError) -> Bool? in
                    try parser.skipTypeParameters()
                    return true
                }) == true
            else { return false }
        }
        guard token.isPunctuator("("), let next = tokenBehindBrackets else { return false }
        if next.isPunctuator("=>") { return true }
        guard next.isPunctuator(":") else { return false }
        // A return type, or the other branch of a condition.
        return attempt { parser throws(TypeScriptError) -> Bool? in
            try parser.skipBrackets()
            parser.advance()
            try parser.skipType()
            return parser.token.isPunctuator("=>") ? true : nil
        } == true
    }

    /// `function name<T>(…): T { … }`; nil for an overload, which has no body.
    mutating func function(mayLackBody: Bool) throws(TypeScriptError) -> ScriptFunction? {
        let place = position
        var refusal: TypeScriptError?
        if takeName("async") { refusal = TypeScriptError("async functions are not evaluated", at: place) }
        advance()
        if take("*") { refusal = TypeScriptError("generators are not evaluated", at: place) }
        let name = token.kind == .name ? try self.name().text : nil
        return try functionRest(name: name, refusal: refusal, at: place, mayLackBody: mayLackBody)
    }

    private mutating func functionRest(
        name: String?, refusal: TypeScriptError?, at place: Position, mayLackBody: Bool = false
    ) throws(TypeScriptError) -> ScriptFunction? {
        if token.isPunctuator("<") { try skipTypeParameters() }
        let parameters = try parameters()
        if take(":") { try skipType() }
        guard token.isPunctuator("{") else {
            guard mayLackBody else { throw unexpected("\"{\"") }
            try endStatement()
            return nil
        }
        return ScriptFunction(
            name: name, parameters: parameters, body: try block(), isArrow: false, refusal: refusal, position: place)
    }

    private mutating func parameters() throws(TypeScriptError) -> [ScriptParameter] {
        guard token.isPunctuator("(") else { throw unexpected("\"(\"") }
        advance()
        var found: [ScriptParameter] = []
        while !take(")") {
            if token.isName("this"), peek().isPunctuator(":") {
                advance()
                advance()
                try skipType()
            } else {
                let isRest = take("...")
                let binding = try binding()
                _ = take("?")
                if take(":") { try skipType() }
                found.append(
                    ScriptParameter(binding: binding, standard: take("=") ? try expression() : nil, isRest: isRest))
            }
            guard take(",") || token.isPunctuator(")") else { throw unexpected("\",\" or \")\"") }
        }
        return found
    }

    /// The body of a function. One that cannot be read matters only to who calls it.
    private mutating func block() throws(TypeScriptError) -> ScriptFunction.Body {
        let start = index
        do throws(TypeScriptError) {
            return .block(
                try nested { parser throws(TypeScriptError) in
                    try parser.expect("{")
                    var statements: [ScriptStatement] = []
                    while !parser.take("}") {
                        if let statement = try parser.statement() { statements.append(statement) }
                    }
                    return statements
                })
        } catch {
            index = start
            pendingAngles = 0
            try skipBrackets()
            return .unreadable(error)
        }
    }

    // MARK: Object literals

    mutating func key() throws(TypeScriptError) -> ScriptKey {
        let place = position
        if take("[") {
            let value = try expression()
            try expect("]")
            return .computed(value)
        }
        switch token.kind {
        case .name, .string:
            let text = token.text
            advance()
            return .name(text, place)
        case .number:
            let text = NumberText.text(of: token.number)
            advance()
            return .name(text, place)
        default: throw unexpected("a property")
        }
    }

    mutating func object() throws(TypeScriptError) -> ScriptExpression {
        let place = position
        try expect("{")
        var parts: [ScriptProperty] = []
        var children: [ScriptExpression] = []
        while !take("}") {
            let part = try property()
            switch part {
            case .value(.computed(let key), let value): children += [key, value]
            case .value(_, let value), .spread(let value): children.append(value)
            case .getter: break
            }
            parts.append(part)
            guard take(",") || token.isPunctuator("}") else { throw unexpected("\",\" or \"}\"") }
        }
        return try make(.object(parts), at: place, children)
    }

    private mutating func property() throws(TypeScriptError) -> ScriptProperty {
        if take("...") { return .spread(try expression()) }
        let place = position
        let endsName = [",", ":", "(", "}", "<"].contains(peek().text) && peek().kind == .punctuator
        if token.isName("get") || token.isName("set"), !endsName {
            let isGetter = token.isName("get")
            advance()
            let key = try key()
            guard let function = try functionRest(name: nil, refusal: nil, at: place) else { throw unexpected("\"{\"") }
            if isGetter { return .getter(key, function) }
            let setter = ScriptExpression(kind: .unsupported("setter", isValue: true), position: place, height: 1)
            return .value(key, setter)
        }
        var refusal: TypeScriptError?
        if token.isName("async"), !endsName {
            refusal = TypeScriptError("async functions are not evaluated", at: place)
            advance()
        }
        if take("*") { refusal = TypeScriptError("generators are not evaluated", at: place) }
        let first = token
        let key = try key()
        if take(":") { return .value(key, try expression()) }
        if token.isPunctuator("(") || token.isPunctuator("<") {
            guard let function = try functionRest(name: nil, refusal: refusal, at: place) else {
                throw unexpected("\"{\"")
            }
            return .value(key, try make(.function(function), at: place))
        }
        guard first.kind == .name, case .name(let text, let at) = key else { throw unexpected("\":\"") }
        return .value(key, try make(.name(text), at: at))
    }
}
