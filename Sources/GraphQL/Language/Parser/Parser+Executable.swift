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
        var definitions: [VariableDefinition] = []
        definitions.reserveCapacity(4)
        repeat {
            definitions.append(try parseVariableDefinition())
        } while lexer.token.kind != .rightParenthesis
        try lexer.advance()
        return definitions
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
    mutating func parseSelectionSet() throws(SyntaxFault) -> SelectionSet {
        SelectionSet(selectionTree, try parseSelections())
    }

    /// Parses braces and all braces in them.
    ///
    /// Hot path: not recursive, since nearly all of a usual document goes through here. The tree knows what is open.
    private mutating func parseSelections() throws(SyntaxFault) -> SelectionRange {
        guard lexer.token.kind == .leftBrace else { throw expected(TokenKind.leftBrace.description) }
        try lexer.advance()
        try enter()
        let start = UInt32(truncatingIfNeeded: selections.count)
        let outside = UInt32.max
        var parent = outside
        while true {
            var mayOpen = true
            switch lexer.token.kind {
            case .name: try parseField()
            case .spread: mayOpen = try parseFragmentSelection()
            default: throw expected("a field or a fragment")
            }
            if lexer.token.kind == .leftBrace, mayOpen {
                parent = selections.open(in: parent)
                try lexer.step()
                try enter()
                continue
            }
            while lexer.token.kind == .rightBrace {
                leave()
                try lexer.step()
                if parent == outside {
                    return SelectionRange(start: start, end: UInt32(truncatingIfNeeded: selections.count))
                }
                parent = selections.close(parent)
            }
        }
    }

    /// A field up to its selection set, if it has one.
    @inline(__always)
    private mutating func parseField() throws(SyntaxFault) {
        let (start, end) = (lexer.token.start, lexer.token.end)
        try lexer.step()
        switch lexer.token.kind {
        case .name, .leftBrace, .rightBrace, .spread: addSelection(.field, nameFrom: start, to: end, at: start)
        default: try parseFieldParts(nameFrom: start, to: end)
        }
    }

    /// The same after its first name, which is its alias when a colon follows.
    @inline(never)
    private mutating func parseFieldParts(nameFrom first: Int, to firstEnd: Int) throws(SyntaxFault) {
        var (start, end) = (first, firstEnd)
        var alias: Name?
        if try skip(.colon) {
            alias = Name(names.text(from: start, to: end), at: Position(offset: start, source: sourceNumber))
            guard lexer.token.kind == .name else { throw expected(TokenKind.name.description) }
            (start, end) = (lexer.token.start, lexer.token.end)
            try lexer.advance()
        }
        let arguments = try parseArguments(isConstant: false)
        let directives = try parseDirectives(isConstant: false)
        let details = selections.keep(.of(name: alias, arguments: arguments, directives: directives))
        addSelection(.field, nameFrom: start, to: end, at: start, details: details)
    }

    /// A fragment, used by name or written in its place, up to the selection set of the latter. Says whether that follows.
    @inline(__always)
    private mutating func parseFragmentSelection() throws(SyntaxFault) -> Bool {
        let position = lexer.token.start
        try lexer.step()
        guard lexer.token.kind == .name, !isKeyword(.on) else {
            try parseInlineFragment(at: position)
            return true
        }
        let (start, end) = (lexer.token.start, lexer.token.end)
        try lexer.step()
        let directives = try parseDirectives(isConstant: false)
        let details = directives.isEmpty ? 0 : selections.keep(.of(directives: directives))
        addSelection(.fragmentSpread, nameFrom: start, to: end, at: position, details: details)
        return false
    }

    @inline(never)
    private mutating func parseInlineFragment(at start: Int) throws(SyntaxFault) {
        let typeCondition = isKeyword(.on) ? try parseTypeCondition() : nil
        let directives = try parseDirectives(isConstant: false)
        guard lexer.token.kind == .leftBrace else { throw expected(TokenKind.leftBrace.description) }
        let details = selections.keep(.of(name: typeCondition, directives: directives))
        selections.add(
            SelectionNode(
                name: .empty, position: Position(offset: start, source: sourceNumber), details: details,
                kind: .inlineFragment), expected: selectionsExpected)
    }

    @inline(__always)
    private mutating func addSelection(
        _ kind: SelectionNode.Kind, nameFrom start: Int, to end: Int, at position: Int, details: UInt32 = 0
    ) {
        let name = names.smallText(from: start, to: end) ?? keepName(from: start, to: end)
        let position = Position(offset: position, source: sourceNumber)
        selections.add(
            SelectionNode(name: name, position: position, details: details, kind: kind), expected: selectionsExpected)
    }

    @inline(never)
    private mutating func keepName(from start: Int, to end: Int) -> SmallText {
        selections.keep(names.text(from: start, to: end))
    }

    /// About how many selections the document has: one a line, as they are usually written.
    private var selectionsExpected: Int { lexer.bytes.count / 20 + 8 }

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
