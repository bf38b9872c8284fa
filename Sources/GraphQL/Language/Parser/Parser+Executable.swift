extension Parser {
    /// `query Name($variable: Type) @directive { … }`
    mutating func parseOperationDefinition(
        _ description: StringValue?
    ) throws(SyntaxFault) -> OperationDefinition {
        let position = position
        let operation = try parseOperationType()
        let name = lexer.token.kind == .name ? try parseName() : nil
        return OperationDefinition(
            description: description, operation: operation, name: name,
            variableDefinitions: try parseVariableDefinitions(), directives: try parseDirectives(isConstant: false),
            selectionSet: try parseSelectionSet(), position: position)
    }

    mutating func parseOperationType() throws(SyntaxFault) -> OperationType {
        let operation: OperationType? =
            switch lexer.token.kind == .name ? keyword : nil {
            case .query: .query
            case .mutation: .mutation
            case .subscription: .subscription
            default: nil
            }
        guard let operation else { throw expected("\"query\", \"mutation\" or \"subscription\"") }
        try lexer.advance()
        return operation
    }

    private mutating func parseVariableDefinitions() throws(SyntaxFault) -> [VariableDefinition] {
        guard try skip(.leftParenthesis) else { return [] }
        repeat {
            variableDefinitions.push(try parseVariableDefinition())
        } while lexer.token.kind != .rightParenthesis
        try lexer.advance()
        return variableDefinitions.take(from: 0)
    }

    private mutating func parseVariableDefinition() throws(SyntaxFault) -> VariableDefinition {
        let description = try parseDescription()
        let variable = try parseVariable()
        try expect(.colon)
        let type = try parseTypeReference()
        let defaultValue = try skip(.equals) ? try parseValue(isConstant: true) : nil
        return VariableDefinition(
            description: description, variable: variable, type: type, defaultValue: defaultValue,
            directives: try parseDirectives(isConstant: true))
    }

    /// `$name`; the position is that of the dollar sign.
    mutating func parseVariable() throws(SyntaxFault) -> Name {
        let position = position
        guard lexer.token.kind == .dollar else { throw expected("a variable") }
        try lexer.advance()
        var name = try parseName()
        name.position = position
        return name
    }

    /// `{ field … }`: at least one selection.
    mutating func parseSelectionSet() throws(SyntaxFault) -> [Selection] {
        try expect(.leftBrace)
        try enter()
        let start = selections.count
        repeat {
            switch lexer.token.kind {
            case .name:
                takeBareFields()
                guard lexer.token.kind == .name else { continue }
                let name = takeName()
                try lexer.advance()
                if lexer.token.kind == .leftBrace {
                    selections.push(.field(Field(name: name, selectionSet: try parseSelectionSet())))
                } else {
                    selections.push(.field(try parseField(name)))
                }
            case .spread: selections.push(try parseFragmentSelection())
            default: throw expected("a field or a fragment")
            }
        } while lexer.token.kind != .rightBrace
        leave()
        try lexer.advance()
        return selections.take(from: start)
    }

    /// Takes all fields, from the current token on, that have nothing behind their name, which are most. Afterwards
    /// the current token is the closing brace, or a name with something else behind it.
    ///
    /// Hot path: half of a usual document goes through here, so the state of the lexer stays in local variables.
    private mutating func takeBareFields() {
        let bytes = lexer.bytes
        var (start, end) = (lexer.token.start, lexer.token.end)
        var count = 0
        while true {
            let next = Lexer.skippingSpaces(in: bytes, from: end)
            guard next < bytes.count, Lexer.startsName(bytes[next]) || bytes[next] == UInt8(ascii: "}"),
                lexer.canSpend(count &+ 1)
            else { break }
            selections.push(
                .field(
                    Field(
                        name: Name(
                            names.text(from: start, to: end), at: Position(offset: start, source: sourceNumber)))))
            count &+= 1
            if bytes[next] == UInt8(ascii: "}") {
                return lexer.jump(to: Token(kind: .rightBrace, start: next, end: next &+ 1), spending: count)
            }
            (start, end) = (next, Lexer.endOfName(in: bytes, from: next))
        }
        lexer.jump(to: Token(kind: .name, start: start, end: end), spending: count)
    }

    /// The rest of a field after its first name, which may be its alias.
    private mutating func parseField(_ first: Name) throws(SyntaxFault) -> Field {
        let hasAlias = try skip(.colon)
        let name = hasAlias ? try parseName() : first
        let arguments = try parseArguments(isConstant: false)
        let directives = try parseDirectives(isConstant: false)
        let selectionSet = lexer.token.kind == .leftBrace ? try parseSelectionSet() : []
        return Field(
            alias: hasAlias ? first : nil, name: name, arguments: arguments, directives: directives,
            selectionSet: selectionSet)
    }

    private mutating func parseFragmentSelection() throws(SyntaxFault) -> Selection {
        let position = position
        try expect(.spread)
        if lexer.token.kind == .name, !isKeyword(.on) {
            var name = try parseName()
            name.position = position
            return .fragmentSpread(FragmentSpread(name: name, directives: try parseDirectives(isConstant: false)))
        }
        let typeCondition = isKeyword(.on) ? try parseTypeCondition() : nil
        return .inlineFragment(
            InlineFragment(
                typeCondition: typeCondition, directives: try parseDirectives(isConstant: false),
                selectionSet: try parseSelectionSet(), position: position))
    }

    private mutating func parseTypeCondition() throws(SyntaxFault) -> Name {
        guard isKeyword(.on) else { throw expected("\"on\"") }
        try lexer.advance()
        return try parseName()
    }

    /// `fragment Name on Type @directive { … }`
    mutating func parseFragmentDefinition(_ description: StringValue?) throws(SyntaxFault) -> FragmentDefinition {
        let position = position
        try lexer.advance()
        guard !isKeyword(.on) else { throw expected("the name of the fragment") }
        return FragmentDefinition(
            description: description, name: try parseName(), typeCondition: try parseTypeCondition(),
            directives: try parseDirectives(isConstant: false), selectionSet: try parseSelectionSet(),
            position: position)
    }

    /// `(name: value …)`: at least one argument, or no parentheses at all.
    @inline(__always)
    mutating func parseArguments(isConstant: Bool) throws(SyntaxFault) -> [Argument] {
        guard lexer.token.kind == .leftParenthesis else { return [] }
        return try parseSomeArguments(isConstant: isConstant)
    }

    private mutating func parseSomeArguments(isConstant: Bool) throws(SyntaxFault) -> [Argument] {
        try lexer.advance()
        let start = arguments.count
        repeat {
            let name = try parseName()
            try expect(.colon)
            arguments.push(Argument(name: name, value: try parseValue(isConstant: isConstant)))
        } while lexer.token.kind != .rightParenthesis
        try lexer.advance()
        return arguments.take(from: start)
    }

    /// `@name(argument: value) …`
    @inline(__always)
    mutating func parseDirectives(isConstant: Bool) throws(SyntaxFault) -> [Directive] {
        guard lexer.token.kind == .at else { return [] }
        return try parseSomeDirectives(isConstant: isConstant)
    }

    private mutating func parseSomeDirectives(isConstant: Bool) throws(SyntaxFault) -> [Directive] {
        var directives: [Directive] = []
        while lexer.token.kind == .at {
            let position = position
            try lexer.advance()
            directives.append(
                Directive(
                    name: try parseName(), arguments: try parseArguments(isConstant: isConstant), position: position))
        }
        return directives
    }
}
