extension Parser {
    /// Types are read for where they end; nothing is made of them.
    func skipType() throws(SyntaxRefusal) {
        let outer = typeScript.hasNoConditionalTypes
        typeScript.hasNoConditionalTypes = false
        try skipTypeForm()
        typeScript.hasNoConditionalTypes = outer
    }

    private func skipTypeForm() throws(SyntaxRefusal) {
        let outer = try enter()
        if try isFunctionType() {
            try skipFunctionType()
        } else {
            try skipUnion()
            if kind == .extends, !lexer.token.isAfterLineBreak, !typeScript.hasNoConditionalTypes {
                try next()
                typeScript.hasNoConditionalTypes = true
                try skipTypeForm()
                typeScript.hasNoConditionalTypes = false
                try expect(.question)
                try skipType()
                try expect(.colon)
                try skipType()
            }
        }
        try leave(outer)
    }

    /// `: Type`, where it is there.
    func skipTypeAnnotation() throws(SyntaxRefusal) {
        if try eat(.colon) { try skipType() }
    }

    /// The type that a function gives, which may be a predicate.
    func skipReturnType() throws(SyntaxRefusal) {
        if kind == .asserts {
            let behind = try lexer.tokenBehind()
            if behind.kind.isIdentifier || behind.kind == .this, !behind.isAfterLineBreak {
                try next()
                try next()
                if kind == .is, !lexer.token.isAfterLineBreak {
                    try next()
                    try skipType()
                }
                return
            }
        }
        try skipType()
    }

    /// Behind `as` and `satisfies`.
    func skipTypeOfAssertion() throws(SyntaxRefusal) {
        if kind == .const { return try next() }
        try skipType()
    }

    // MARK: Operators

    /// Also of intersections: what lies between `|` and `&` need not be told apart.
    private func skipUnion() throws(SyntaxRefusal) {
        if kind == .or || kind == .and { try next() }
        while true {
            if kind == .or || kind == .and { try next() }
            if try isFunctionType() { try skipFunctionType() } else { try skipTypeOperand() }
            guard kind == .or || kind == .and else { return }
            try next()
        }
    }

    private func skipTypeOperand() throws(SyntaxRefusal) {
        let outer = try enter()
        switch kind {
        case .keyof, .unique, .readonly:
            if try startsType(lexer.tokenBehind()) {
                try next()
                try skipTypeOperand()
                return try leave(outer)
            }
        case .infer:
            if try lexer.tokenBehind().kind.isIdentifier {
                try next()
                try next()
                try skipInferConstraint()
                return try leave(outer)
            }
        default: break
        }
        try skipPrimaryType()
        while kind == .openBracket, !lexer.token.isAfterLineBreak {
            try next()
            if kind != .closeBracket { try skipType() }
            try expect(.closeBracket)
        }
        try leave(outer)
    }

    /// `infer U extends X`, unless the `extends` belongs to a conditional type.
    private func skipInferConstraint() throws(SyntaxRefusal) {
        guard kind == .extends, !lexer.token.isAfterLineBreak else { return }
        let trial = beginTrial()
        let outer = typeScript.hasNoConditionalTypes
        try next()
        typeScript.hasNoConditionalTypes = true
        try skipTypeForm()
        typeScript.hasNoConditionalTypes = outer
        if !outer, kind == .question { endTrial(trial) }
    }

    private func startsType(_ token: Token) -> Bool {
        switch token.kind {
        case .openBrace, .openBracket, .openParenthesis, .less, .text, .number, .bigInteger, .backquote, .subtract,
            .void, .null, .this, .true, .false, .typeof, .import, .new:
            true
        default: token.kind.isIdentifier
        }
    }

    // MARK: Primary types

    private func skipPrimaryType() throws(SyntaxRefusal) {
        switch kind {
        case .openBrace: try skipObjectType()
        case .openBracket: try skipTuple()
        case .openParenthesis:
            try next()
            try skipType()
            try expect(.closeParenthesis)
        case .text, .number, .bigInteger, .void, .null, .true, .false:
            try next()
        case .subtract:
            try next()
            guard kind == .number || kind == .bigInteger else { throw unexpected() }
            try next()
        case .backquote: try skipTemplateType()
        case .typeof:
            try next()
            if kind == .import {
                try skipImportType()
            } else {
                guard kind.isWord else { throw unexpected() }
                try skipQualifiedName()
            }
        case .import: try skipImportType()
        case .this:
            try next()
            try skipPredicate()
        default:
            guard kind.isIdentifier else { throw unexpected() }
            let isAssertion = kind == .asserts
            if isAssertion {
                let behind = try lexer.tokenBehind()
                if behind.kind.isIdentifier, behind.kind != .is, !behind.isAfterLineBreak { try next() }
            }
            try skipQualifiedName()
            try skipPredicate()
        }
    }

    /// `name is Type`
    private func skipPredicate() throws(SyntaxRefusal) {
        guard kind == .is, !lexer.token.isAfterLineBreak else { return }
        try next()
        try skipType()
    }

    /// `a.b.c<T>`
    func skipQualifiedName() throws(SyntaxRefusal) {
        try next()
        while kind == .dot {
            try next()
            guard kind.isWord || kind == .privateName else { throw unexpected() }
            try next()
        }
        if kind == .less || kind == .shiftLeft, !lexer.token.isAfterLineBreak { try skipTypeArguments() }
    }

    /// `import("module", { with: {} }).Name<T>`
    private func skipImportType() throws(SyntaxRefusal) {
        try next()
        try expect(.openParenthesis)
        try skipType()
        if try eat(.comma), kind != .closeParenthesis {
            try skipType()
            _ = try eat(.comma)
        }
        guard kind == .closeParenthesis else { throw unexpected() }
        try skipQualifiedName()
    }

    private func skipTemplateType() throws(SyntaxRefusal) {
        while true {
            let isLast = try lexer.scanTemplateText(isTagged: true).isLast
            lexer.token.end = Int32(truncatingIfNeeded: lexer.position)
            try next()
            if isLast { return }
            try skipType()
            guard kind == .closeBrace else { throw unexpected() }
        }
    }

    private func skipTuple() throws(SyntaxRefusal) {
        try next()
        while kind != .closeBracket {
            _ = try eat(.ellipsis)
            if kind.isWord, try isTupleName() {
                try next()
                _ = try eat(.question)
                try expect(.colon)
            }
            try skipType()
            _ = try eat(.question)
            if kind != .closeBracket { try expect(.comma) }
        }
        try next()
    }

    /// `name: Type` or `name?: Type`
    private func isTupleName() throws(SyntaxRefusal) -> Bool {
        let mark = lexer.mark
        defer { lexer.goBack(to: mark) }
        try next()
        if kind == .question { try next() }
        return kind == .colon
    }

    // MARK: Objects

    func skipObjectType() throws(SyntaxRefusal) {
        try expect(.openBrace)
        while kind != .closeBrace {
            if kind == .comma || kind == .semicolon {
                try next()
                continue
            }
            try skipTypeMember()
        }
        try next()
    }

    /// A property, method or signature of a type, or all of a mapped type's inside.
    func skipTypeMember() throws(SyntaxRefusal) {
        let outer = try enter()
        if kind == .add || kind == .subtract { try next() }
        while kind == .readonly || kind == .get || kind == .set || kind == .static || kind == .new {
            let behind = try lexer.tokenBehind()
            switch behind.kind {
            case .openParenthesis, .less, .colon, .question, .comma, .semicolon, .closeBrace, .end:
                guard kind == .new, behind.kind == .openParenthesis || behind.kind == .less else {
                    try skipTypeMemberRest()
                    return try leave(outer)
                }
            default:
                if behind.isAfterLineBreak {
                    try skipTypeMemberRest()
                    return try leave(outer)
                }
            }
            try next()
        }
        try skipTypeMemberRest()
        try leave(outer)
    }

    private func skipTypeMemberRest() throws(SyntaxRefusal) {
        switch kind {
        case .openParenthesis, .less: break
        case .openBracket: try skipBracketedMember()
        case .text, .number, .bigInteger, .privateName: try next()
        default:
            guard kind.isWord else { throw unexpected() }
            try next()
        }
        if kind == .add || kind == .subtract { try next() }
        if kind == .question { try next() }
        if kind == .openParenthesis || kind == .less {
            try skipTypeParameters()
            try skipTypeParameterList()
            if try eat(.colon) { try skipReturnType() }
        } else {
            try skipTypeAnnotation()
        }
        switch kind {
        case .comma, .semicolon: try next()
        case .closeBrace: break
        default:
            if !lexer.token.isAfterLineBreak { throw unexpected() }
        }
    }

    /// `[key: Type]`, `[Key in Type as Type]` or `[expression]`
    private func skipBracketedMember() throws(SyntaxRefusal) {
        try next()
        let behind = kind.isWord ? try lexer.tokenBehind().kind : .end
        switch behind {
        case .colon, .question, .comma:
            try next()
            _ = try eat(.question)
            try skipTypeAnnotation()
        case .in:
            try next()
            try next()
            try skipType()
            if try eat(.as) { try skipType() }
        default:
            let firstReference = scopes.referenceCount
            _ = try parseAssignment()
            scopes.forgetReferences(from: firstReference)
        }
        try expect(.closeBracket)
    }

    /// `[key: Type]: Type` in a class, where a computed name may stand too.
    func isIndexSignature() throws(SyntaxRefusal) -> Bool {
        let mark = lexer.mark
        defer { lexer.goBack(to: mark) }
        try next()
        guard kind.isWord else { return false }
        try next()
        return kind == .colon
    }

    // MARK: Functions

    private func isFunctionType() throws(SyntaxRefusal) -> Bool {
        switch kind {
        case .less, .new: return true
        case .abstract: return try lexer.tokenBehind().kind == .new
        case .openParenthesis:
            let mark = lexer.mark
            defer { lexer.goBack(to: mark) }
            return try isParameterListHere()
        default: return false
        }
    }

    /// Looks at no more than the first parameter.
    private func isParameterListHere() throws(SyntaxRefusal) -> Bool {
        try next()
        if kind == .closeParenthesis || kind == .ellipsis { return true }
        switch kind {
        case .openBrace, .openBracket: try skipBalanced()
        default:
            guard kind.isWord else { return false }
            try next()
        }
        switch kind {
        case .colon, .comma, .question, .assign: return true
        case .closeParenthesis:
            try next()
            return kind == .arrow
        default: return false
        }
    }

    /// A pattern in a type's parameters, whose names matter to nobody.
    private func skipBalanced() throws(SyntaxRefusal) {
        var open = 0
        repeat {
            switch kind {
            case .openBrace, .openBracket, .openParenthesis: open += 1
            case .closeBrace, .closeBracket, .closeParenthesis: open -= 1
            case .end: throw unexpected()
            default: break
            }
            try next()
        } while open > 0
    }

    private func skipFunctionType() throws(SyntaxRefusal) {
        if kind == .abstract { try next() }
        _ = try eat(.new)
        try skipTypeParameters()
        try skipTypeParameterList()
        try expect(.arrow)
        try skipReturnType()
    }

    private func skipTypeParameterList() throws(SyntaxRefusal) {
        try expect(.openParenthesis)
        while kind != .closeParenthesis {
            _ = try eat(.ellipsis)
            switch kind {
            case .openBrace, .openBracket: try skipBalanced()
            default:
                guard kind.isWord else { throw unexpected() }
                try next()
                // A word like `public` before the name.
                if kind.isWord { try next() }
            }
            _ = try eat(.question)
            try skipTypeAnnotation()
            if kind != .closeParenthesis { try expect(.comma) }
        }
        try next()
    }

    // MARK: Parameters and arguments

    /// `<T extends X = Y>`, where it is there.
    func skipTypeParameters() throws(SyntaxRefusal) {
        guard kind == .less else { return }
        try next()
        while kind != .greater {
            while kind == .const || kind == .in || kind == .out || kind == .public {
                if kind == .out {
                    let behind = try lexer.tokenBehind()
                    if !behind.kind.isIdentifier { break }
                }
                try next()
            }
            guard kind.isIdentifier else { throw unexpected() }
            try next()
            if try eat(.extends) { try skipType() }
            if try eat(.assign) { try skipType() }
            if kind == .comma { try next() } else { break }
        }
        try expectGreater()
    }

    /// `<A, B>`
    func skipTypeArguments() throws(SyntaxRefusal) {
        if kind == .shiftLeft { try lexer.splitToken() } else { try expect(.less) }
        repeat {
            try skipType()
        } while try eat(.comma)
        try expectGreater()
    }

    /// A `>`, also as the beginning of `>>` or `>=`.
    func expectGreater() throws(SyntaxRefusal) {
        switch kind {
        case .greater: try next()
        case .greaterOrEqual, .shiftRight, .shiftRightUnsigned, .shiftRightAssign, .shiftRightUnsignedAssign:
            try lexer.splitToken()
        default: throw unexpected()
        }
    }

    /// `A, B<T>`
    func skipTypeList() throws(SyntaxRefusal) {
        repeat {
            try skipType()
        } while try eat(.comma)
    }

    /// Type arguments in an expression, where `<` may also compare. Decided as TypeScript does, by what follows the `>`.
    func skipTypeArgumentsInExpression() throws(SyntaxRefusal) -> Bool {
        let trial = beginTrial()
        if trySkippingTypeArguments() { return true }
        endTrial(trial)
        return false
    }

    private func trySkippingTypeArguments() -> Bool {
        do {
            // Only the last `>` counts, or `a<b>>c` would lose its shift.
            if kind == .shiftLeft { try lexer.splitToken() } else { try expect(.less) }
            repeat {
                try skipType()
            } while try eat(.comma)
            guard kind == .greater else { return false }
            try next()
        } catch {
            return false
        }
        switch kind {
        case .openParenthesis, .backquote: return true
        case .less, .greater, .add, .subtract: return false
        default: return lexer.token.isAfterLineBreak || isBinaryOperator || !startsExpression
        }
    }

    private var isBinaryOperator: Bool {
        switch kind {
        case .as, .satisfies, .in, .instanceof: true
        default: kind.rawValue >= TokenKind.coalesce.rawValue && kind.rawValue <= TokenKind.power.rawValue
        }
    }

    private var startsExpression: Bool {
        switch kind {
        case .number, .bigInteger, .text, .privateName, .openBrace, .openParenthesis, .openBracket, .at, .backquote,
            .increment, .decrement, .not, .complement, .add, .subtract, .divide, .divideAssign, .less,
            .class, .delete, .false, .function, .import, .new, .null, .super, .this, .true, .typeof, .void, .yield:
            true
        default: kind.isIdentifier
        }
    }

    // MARK: Expressions

    /// `<Type>value`
    func parseTypeAssertion() throws(SyntaxRefusal) -> Expression {
        let outer = try enter()
        try next()
        try skipTypeOfAssertion()
        try expectGreater()
        let value = try parseUnary()
        try leave(outer)
        return value
    }

    /// `<T>(a: T) => a`. Where no arrow follows, `<T>(a)` is an assertion. Nothing where what stands in `<>` is no
    /// parameter.
    func parseGenericArrow() throws(SyntaxRefusal) -> Expression? {
        guard kind == .less else { return nil }
        let start = lexer.token
        let trial = beginTrial()
        guard trySkippingTypeParameters() else {
            endTrial(trial)
            return nil
        }
        let head = try parseParenthesized(canBeArrow: true)
        if case .function(let function) = head.form, function.kind == .arrow {
            function.place = start.place
            function.range.start = start.start
        }
        return head
    }

    private func trySkippingTypeParameters() -> Bool {
        do {
            try skipTypeParameters()
            return kind == .openParenthesis
        } catch {
            return false
        }
    }
}
