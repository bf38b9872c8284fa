/// Types: only their end is of interest.
extension ScriptParser {
    /// Skips a type: a union, an intersection, a function, a condition, …
    mutating func skipType() throws(TypeScriptError) {
        try nested { parser throws(TypeScriptError) in
            _ = parser.take("|") || parser.take("&")
            repeat { try parser.skipTypeOperand() } while parser.take("|") || parser.take("&")
            if parser.token.isName("extends"), !parser.token.isOnNewLine || parser.peek().kind != .punctuator {
                parser.advance()
                try parser.skipType()
                // `infer U extends X` inside of a condition has no branches of its own.
                if parser.take("?") {
                    try parser.skipType()
                    try parser.expect(":")
                    try parser.skipType()
                }
            }
        }
    }

    private static let typeOperators: Set = ["keyof", "readonly", "unique", "infer"]

    private mutating func skipTypeOperand() throws(TypeScriptError) {
        while token.kind == .name, Self.typeOperators.contains(token.text), startsType(peek()) { advance() }
        if token.isName("asserts"), peek().kind == .name, !peek().isOnNewLine, !peek().isName("is") {
            advance()
            advance()
            if takeName("is") { try skipType() }
            return
        }
        switch token.kind {
        case .string, .number, .template: advance()
        case .templateHead: try skipBrackets()
        case .name: try skipNamedType()
        case .punctuator: try skipPunctuatedType()
        default: throw unexpected("a type")
        }
        while !token.isOnNewLine, token.isPunctuator("[") { try skipBrackets() }
        if token.isName("is"), !token.isOnNewLine {
            advance()
            try skipType()
        }
    }

    private func startsType(_ token: ScriptToken) -> Bool {
        switch token.kind {
        case .name: !token.isName("extends")
        case .punctuator: ["(", "[", "{"].contains(token.text)
        case .string, .number, .template, .templateHead: true
        default: false
        }
    }

    private mutating func skipNamedType() throws(TypeScriptError) {
        if token.isName("new") || (token.isName("abstract") && peek().isName("new")) {
            advance()
            _ = takeName("new")
            return try skipFunctionType()
        }
        _ = takeName("typeof")
        if takeName("import") {
            try skipBrackets()
        } else {
            _ = try name()
        }
        while take(".") { _ = try name() }
        if token.isPunctuator("<"), !token.isOnNewLine { try skipTypeArguments() }
    }

    private mutating func skipPunctuatedType() throws(TypeScriptError) {
        switch token.text {
        case "(":
            if tokenBehindBrackets?.isPunctuator("=>") == true { return try skipFunctionType() }
            try skipBrackets()
        case "[", "{": try skipBrackets()
        case "<": try skipFunctionType()
        case "-":
            advance()
            guard token.kind == .number else { throw unexpected("a number") }
            advance()
        default: throw unexpected("a type")
        }
    }

    private mutating func skipFunctionType() throws(TypeScriptError) {
        if token.isPunctuator("<") { try skipTypeParameters() }
        try skipBrackets()
        try expect("=>")
        try skipType()
    }

    /// `<A, B<C>>`
    mutating func skipTypeArguments() throws(TypeScriptError) {
        try skipAngles { parser throws(TypeScriptError) in try parser.skipType() }
    }

    /// `<const T extends object = {}, U>`
    mutating func skipTypeParameters() throws(TypeScriptError) {
        try skipAngles { parser throws(TypeScriptError) in
            while ["const", "in", "out"].contains(parser.token.text), parser.peek().kind == .name,
                !parser.peek().isName("extends")
            {
                parser.advance()
            }
            _ = try parser.name()
            if parser.takeName("extends") { try parser.skipType() }
            if parser.take("=") { try parser.skipType() }
        }
    }

    private mutating func skipAngles(
        _ part: (inout ScriptParser) throws(TypeScriptError) -> Void
    ) throws(TypeScriptError) {
        try expect("<")
        while !token.isPunctuator(">"), pendingAngles == 0 {
            try part(&self)
            guard take(",") || pendingAngles > 0 || startsAngles else { throw unexpected("\">\"") }
            if pendingAngles > 0 { break }
            if startsAngles, !token.isPunctuator(">") { break }
        }
        try closeAngle()
    }

    /// Whether the token closes at least one angle: `>`, `>>`, `>>>`, `>=`, `>>=`.
    private var startsAngles: Bool {
        token.kind == .punctuator && token.text.utf8.first == UInt8(ascii: ">")
    }

    /// A token such as `>>` closes several lists: it is passed by the last of them.
    private mutating func closeAngle() throws(TypeScriptError) {
        guard startsAngles else { throw unexpected("\">\"") }
        let count = token.text.utf8.prefix { $0 == UInt8(ascii: ">") }.count
        pendingAngles += 1
        if pendingAngles >= count {
            pendingAngles = 0
            advance()
        }
    }
}
