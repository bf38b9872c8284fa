import GraphQL

extension ScriptParser {
    /// A statement, or nil for one that only means something to the type checker.
    mutating func statement(isExported: Bool = false) throws(TypeScriptError) -> ScriptStatement? {
        let start = index
        let place = position
        if take(";") { return nil }
        if token.kind == .string, peek().isPunctuator(";") || peek().isOnNewLine || peek().kind == .end {
            // A directive such as 'use strict'; with a chain on the next line it would be an expression.
            if !Self.goesOn.contains(peek().text) || peek().kind != .punctuator {
                advance()
                try endStatement()
                return nil
            }
        }
        guard token.kind == .name else { return try expressionStatement(from: start) }
        if try skipDeclarationOfTypes() { return nil }
        switch token.text {
        case "const" where peek().isName("enum"):
            advance()
            return try enumeration(from: start, isExported: isExported)
        case "const", "var", "let":
            guard peek().kind == .name || peek().isPunctuator("{") || peek().isPunctuator("[") else { break }
            return try declaration(from: start, isExported: isExported)
        case "enum" where peek().kind == .name: return try enumeration(from: start, isExported: isExported)
        case "function": return try functionDeclaration(from: start, isExported: isExported)
        case "async" where peek().isName("function") && !peek().isOnNewLine:
            return try functionDeclaration(from: start, isExported: isExported)
        case "return":
            advance()
            var value: ScriptExpression?
            if !token.isPunctuator(";"), !token.isPunctuator("}"), token.kind != .end, !token.isOnNewLine {
                value = try expression()
            }
            try endStatement()
            return item(.returned(value), at: place, from: start)
        default: break
        }
        if let keyword = unsupportedKeyword {
            let names = try nested { parser throws(TypeScriptError) in try parser.skipUnsupported() }
            return item(.unsupported(keyword, declares: names), at: place, from: start, isExported: isExported)
        }
        return try expressionStatement(from: start)
    }

    private static let goesOn: Set = [".", "?.", "(", "[", "?", ",", "+"]

    private mutating func expressionStatement(from start: Int) throws(TypeScriptError) -> ScriptStatement? {
        let place = position
        let value = try expression()
        while take(",") { _ = try expression() }
        try endStatement()
        return item(.expression(value), at: place, from: start)
    }

    // MARK: Declarations

    private mutating func declaration(from start: Int, isExported: Bool) throws(TypeScriptError) -> ScriptStatement {
        let place = position
        advance()
        var parts: [(binding: ScriptBinding, value: ScriptExpression?)] = []
        repeat {
            let binding = try binding()
            _ = take("!")
            if take(":") { try skipType() }
            parts.append((binding, take("=") ? try expression() : nil))
        } while take(",")
        try endStatement()
        return item(.declaration(parts), at: place, from: start, isExported: isExported)
    }

    mutating func binding() throws(TypeScriptError) -> ScriptBinding {
        try nested { parser throws(TypeScriptError) in
            if parser.token.isPunctuator("{") { return try parser.objectBinding() }
            if parser.token.isPunctuator("[") { return try parser.arrayBinding() }
            let name = try parser.name()
            return .name(name.text, name.position)
        }
    }

    private mutating func objectBinding() throws(TypeScriptError) -> ScriptBinding {
        try expect("{")
        var parts: [(key: ScriptKey, binding: ScriptBinding, standard: ScriptExpression?)] = []
        var rest: (String, Position)?
        while !take("}") {
            if take("...") {
                let name = try name()
                rest = (name.text, name.position)
            } else {
                let place = token
                let key = try key()
                let binding: ScriptBinding =
                    take(":") ? try binding() : .name(place.text, position(place))
                parts.append((key, binding, take("=") ? try expression() : nil))
            }
            guard take(",") || token.isPunctuator("}") else { throw unexpected("\",\" or \"}\"") }
        }
        return .object(parts, rest: rest)
    }

    private mutating func arrayBinding() throws(TypeScriptError) -> ScriptBinding {
        try expect("[")
        var parts: [(binding: ScriptBinding, standard: ScriptExpression?, isRest: Bool)?] = []
        while !take("]") {
            if take(",") {
                parts.append(nil)
                continue
            }
            let isRest = take("...")
            let binding = try binding()
            parts.append((binding, take("=") ? try expression() : nil, isRest))
            guard take(",") || token.isPunctuator("]") else { throw unexpected("\",\" or \"]\"") }
        }
        return .array(parts)
    }

    private mutating func enumeration(from start: Int, isExported: Bool) throws(TypeScriptError) -> ScriptStatement {
        let place = position
        advance()
        let name = try name()
        try expect("{")
        var members: [(name: String, at: Position, value: ScriptExpression?)] = []
        while !take("}") {
            guard token.kind == .name || token.kind == .string else { throw unexpected("a name") }
            let (text, at) = (token.text, position)
            advance()
            members.append((text, at, take("=") ? try expression() : nil))
            guard take(",") || token.isPunctuator("}") else { throw unexpected("\",\" or \"}\"") }
        }
        return item(.enumeration(name.text, members), at: place, from: start, isExported: isExported)
    }

    private mutating func functionDeclaration(
        from start: Int, isExported: Bool
    ) throws(TypeScriptError) -> ScriptStatement? {
        let place = position
        guard let function = try function(mayLackBody: true), let name = function.name else { return nil }
        return item(.function(name, function), at: place, from: start, isExported: isExported)
    }

    // MARK: What is skipped

    /// `type`, `interface`, `declare`, `namespace`: dropped, when this is one.
    private mutating func skipDeclarationOfTypes() throws(TypeScriptError) -> Bool {
        let next = peek()
        guard next.kind == .name || next.kind == .string, !next.isOnNewLine else { return false }
        switch token.text {
        case "type" where next.kind == .name && (peek(2).isPunctuator("=") || peek(2).isPunctuator("<")):
            advance()
            advance()
            if token.isPunctuator("<") { try skipTypeParameters() }
            try expect("=")
            try skipType()
            try endStatement()
        case "interface":
            advance()
            while token.kind != .end, !token.isPunctuator("{") { advance() }
            try skipBrackets()
        case "declare":
            advance()
            try skipDeclared()
        case "namespace", "module", "global":
            while token.kind != .end, !token.isPunctuator("{") { advance() }
            try skipBrackets()
        default: return false
        }
        return true
    }

    /// What `declare` declares has no value: up to its block, or to the end of its line.
    private mutating func skipDeclared() throws(TypeScriptError) {
        if token.isName("const") || token.isName("let") || token.isName("var") {
            advance()
            repeat {
                _ = try binding()
                if take(":") { try skipType() }
            } while take(",")
            return try endStatement()
        }
        if try skipDeclarationOfTypes() { return }
        while token.kind != .end, !token.isPunctuator("{"), !token.isPunctuator(";") {
            advance()
            if token.isOnNewLine, !token.isPunctuator("{") { return }
        }
        if token.isPunctuator("{") { try skipBrackets() } else { try endStatement() }
    }

    private static let unsupportedKeywords: Set = [
        "if", "for", "while", "do", "switch", "try", "throw", "class", "with", "break", "continue", "debugger",
    ]

    private var unsupportedKeyword: String? {
        if token.isName("abstract"), peek().isName("class") { return "class" }
        if token.kind == .name, peek().isPunctuator(":") { return "label" }
        return token.kind == .name && Self.unsupportedKeywords.contains(token.text) ? token.text : nil
    }

    /// Skips a statement of those, and gives the names that it declares.
    private mutating func skipUnsupported() throws(TypeScriptError) -> [String] {
        let keyword = token.text
        advance()
        switch keyword {
        case "if":
            try skipBrackets()
            _ = try nestedStatement()
            if takeName("else") { _ = try nestedStatement() }
        case "for", "while", "with":
            _ = takeName("await")
            try skipBrackets()
            _ = try nestedStatement()
        case "do":
            _ = try nestedStatement()
            guard takeName("while") else { throw unexpected("\"while\"") }
            try skipBrackets()
            _ = take(";")
        case "switch":
            try skipBrackets()
            try skipBrackets()
        case "try":
            try skipBrackets()
            if takeName("catch") {
                if token.isPunctuator("(") { try skipBrackets() }
                try skipBrackets()
            }
            if takeName("finally") { try skipBrackets() }
        case "throw":
            _ = try expression()
            try endStatement()
        case "class", "abstract":
            _ = takeName("class")
            let name = token.kind == .name ? token.text : nil
            while token.kind != .end, !token.isPunctuator("{") { advance() }
            try skipBrackets()
            return name.map { [$0] } ?? []
        case "break", "continue", "debugger":
            if token.kind == .name, !token.isOnNewLine { advance() }
            try endStatement()
        default:
            try expect(":")
            _ = try nestedStatement()
        }
        return []
    }

    private mutating func nestedStatement() throws(TypeScriptError) -> ScriptStatement? {
        if token.isPunctuator("{") {
            try skipBrackets()
            return nil
        }
        return try nested { parser throws(TypeScriptError) in try parser.statement() }
    }
}
