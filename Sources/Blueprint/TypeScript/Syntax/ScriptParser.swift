import GraphQL

/// Parses a module of TypeScript. Types are parsed and dropped; what is outside of the subset is kept as such.
struct ScriptParser {
    let tokens: [ScriptToken]
    let partners: [Int]
    let sourceNumber: Int
    let limits: TypeScriptLimits
    var index = 0
    /// How many expressions, types and blocks are being parsed in each other.
    private var nesting = 0
    /// How many of the angles of the token here, such as `>>`, have been taken as closing ones.
    var pendingAngles = 0

    static func module(
        _ source: Source, sourceNumber: Int, limits: TypeScriptLimits
    ) throws(TypeScriptError) -> ScriptModule {
        let output = try ScriptLexer.tokens(of: source, sourceNumber: sourceNumber, limits: limits)
        var parser = ScriptParser(output, sourceNumber: sourceNumber, limits: limits)
        var statements: [ScriptStatement] = []
        while parser.token.kind != .end {
            if let statement = try parser.moduleItem() { statements.append(statement) }
        }
        return ScriptModule(statements: statements, tokens: output.tokens)
    }

    /// A text that is one expression, such as a JSON file with comments.
    static func expression(
        _ source: Source, sourceNumber: Int, limits: TypeScriptLimits
    ) throws(TypeScriptError) -> ScriptExpression {
        let output = try ScriptLexer.tokens(of: source, sourceNumber: sourceNumber, limits: limits)
        var parser = ScriptParser(output, sourceNumber: sourceNumber, limits: limits)
        return try parser.expression()
    }

    private init(_ output: ScriptLexer.Output, sourceNumber: Int, limits: TypeScriptLimits) {
        tokens = output.tokens
        partners = output.partners
        self.sourceNumber = sourceNumber
        self.limits = limits
    }

    // MARK: Tokens

    var token: ScriptToken { tokens[index] }

    /// The token so far ahead; the end beyond it.
    func peek(_ ahead: Int = 1) -> ScriptToken { tokens[min(index + ahead, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    func position(_ token: ScriptToken) -> Position { Position(offset: token.start, source: sourceNumber) }
    var position: Position { position(token) }

    func unexpected(_ expected: String) -> TypeScriptError {
        TypeScriptError("expected \(expected), found \(token.description)", at: position)
    }

    mutating func take(_ punctuator: String) -> Bool {
        guard token.isPunctuator(punctuator) else { return false }
        advance()
        return true
    }

    mutating func takeName(_ name: String) -> Bool {
        guard token.isName(name) else { return false }
        advance()
        return true
    }

    mutating func expect(_ punctuator: String) throws(TypeScriptError) {
        guard take(punctuator) else { throw unexpected("\"\(punctuator)\"") }
    }

    mutating func name() throws(TypeScriptError) -> (text: String, position: Position) {
        guard token.kind == .name else { throw unexpected("a name") }
        let found = (token.text, position)
        advance()
        return found
    }

    /// Behind the bracket that closes the one here.
    mutating func skipBrackets() throws(TypeScriptError) {
        let partner = partners[index]
        guard partner > index else { throw unexpected("a bracket") }
        index = partner
        advance()
    }

    /// The token behind the bracket that closes the one here.
    var tokenBehindBrackets: ScriptToken? {
        let partner = partners[index]
        return partner > index && partner + 1 < tokens.count ? tokens[partner + 1] : nil
    }

    /// Runs a part of the parser one level deeper.
    mutating func nested<Result>(
        _ body: (inout ScriptParser) throws(TypeScriptError) -> Result
    ) throws(TypeScriptError) -> Result {
        guard nesting < limits.nestingMax else {
            throw TypeScriptError("more than \(limits.nestingMax) parts are nested here", at: position)
        }
        nesting += 1
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// Runs a part of the parser, and goes back to where it was if that finds nothing.
    mutating func attempt<Result>(
        _ body: (inout ScriptParser) throws(TypeScriptError) -> Result?
    ) -> Result? {
        let (start, depth, angles) = (index, nesting, pendingAngles)
        do throws(TypeScriptError) {
            if let result = try body(&self) { return result }
        } catch {}
        (index, nesting, pendingAngles) = (start, depth, angles)
        return nil
    }

    /// The end of a statement: a semicolon, or a place where one may be left out.
    mutating func endStatement() throws(TypeScriptError) {
        if take(";") || token.kind == .end || token.isPunctuator("}") || token.isOnNewLine { return }
        throw unexpected("the end of the statement")
    }
}
