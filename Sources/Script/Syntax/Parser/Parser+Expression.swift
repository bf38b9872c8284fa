extension Parser {
    func parseExpression() throws(SyntaxRefusal) -> Expression {
        let first = try parseAssignment()
        guard kind == .comma else { return first }
        var parts = [first]
        while try eat(.comma) { parts.append(try parseAssignment()) }
        return Expression(.sequence(parts), at: first.place)
    }

    /// In brackets of any kind, where `in` is an operator again.
    func parseBracketed() throws(SyntaxRefusal) -> Expression {
        let outer = frame.context
        frame.context.subtract(.bracketed)
        let expression = try parseExpression()
        frame.context = outer
        return expression
    }

    /// The specification's AssignmentExpression: everything but a comma.
    func parseAssignment() throws(SyntaxRefusal) -> Expression {
        let outer = cover
        cover = nil
        let expression = try parseCover()
        try requireExpression()
        cover = outer
        return expression
    }

    /// As `parseAssignment`, but what is read may turn out to be a pattern: `cover` says so.
    func parseCover() throws(SyntaxRefusal) -> Expression {
        let outerHeight = try enter()
        let outerCover = cover
        cover = nil
        let expression = try parseAssignmentForm()
        if let outerCover { cover = outerCover }
        try leave(outerHeight)
        return expression
    }

    private func parseAssignmentForm() throws(SyntaxRefusal) -> Expression {
        switch kind {
        case .number, .text, .openBracket, .openBrace: break
        case .openParenthesis, .async: return try parseMaybeArrow()
        case .less, .shiftLeft:
            if isTypeScript { return try parseMaybeArrow() }
        case .yield:
            if frame.context.contains(.generator) { return try parseYield() }
        default:
            if kind.isIdentifier, lexer.isArrowNext() { return try parseSimpleArrow(isAsync: false) }
        }
        let left = try parseConditional()
        return kind.isAssignment ? try parseAssignment(to: left) : left
    }

    /// An expression that begins as an arrow function may.
    private func parseMaybeArrow() throws(SyntaxRefusal) -> Expression {
        guard let head = try parseArrowHead() else {
            let left = try parseConditional()
            return kind.isAssignment ? try parseAssignment(to: left) : left
        }
        if isArrow(head) { return head }
        let left = try parseOperators(after: head)
        return kind.isAssignment ? try parseAssignment(to: left) : left
    }

    /// An arrow function, or what it was taken for until the arrow was missing. Nothing where nothing was read.
    private func parseArrowHead() throws(SyntaxRefusal) -> Expression? {
        switch kind {
        case .openParenthesis: try parseParenthesized(canBeArrow: true)
        case .async: try parseAsyncArrow()
        default: try parseGenericArrow()
        }
    }

    private func isArrow(_ expression: Expression) -> Bool {
        if case .function(let function) = expression.form { return function.kind == .arrow }
        return false
    }

    private func parseAssignment(to left: Expression) throws(SyntaxRefusal) -> Expression {
        let sign = kind
        let form: Expression.Form
        if sign == .assign {
            let target = try assignmentTarget(left, message: "Invalid left-hand side in assignment")
            cover = nil
            try next()
            form = .assign(target, try parseAssignment())
        } else {
            try requireExpression()
            try checkSimpleTarget(left, message: "Invalid left-hand side in assignment")
            try next()
            let value = try parseAssignment()
            form =
                if let sign = Parser.logical(sign) {
                    .assignLogical(sign, left, value)
                } else {
                    .assignWith(Parser.compound(sign), left, value)
                }
        }
        return Expression(form, at: left.place)
    }

    private static func logical(_ kind: TokenKind) -> LogicalOperator? {
        switch kind {
        case .logicalAndAssign: .and
        case .logicalOrAssign: .or
        case .coalesceAssign: .coalesce
        default: nil
        }
    }

    private static func compound(_ kind: TokenKind) -> BinaryOperator {
        switch kind {
        case .subtractAssign: .subtract
        case .multiplyAssign: .multiply
        case .divideAssign: .divide
        case .remainderAssign: .remainder
        case .powerAssign: .power
        case .shiftLeftAssign: .shiftLeft
        case .shiftRightAssign: .shiftRight
        case .shiftRightUnsignedAssign: .shiftRightUnsigned
        case .andAssign: .and
        case .orAssign: .or
        case .xorAssign: .xor
        default: .add
        }
    }

    private func parseYield() throws(SyntaxRefusal) -> Expression {
        let start = place
        if frame.context.contains(.parameters) {
            throw refuse("Yield expression not allowed in formal parameter")
        }
        frame.lastYield = start
        try next()
        if !lexer.token.isAfterLineBreak {
            if try eat(.multiply) { return Expression(.yieldAll(try parseAssignment()), at: start) }
            switch kind {
            case .closeParenthesis, .closeBracket, .closeBrace, .comma, .semicolon, .colon, .end, .in, .of:
                break
            default:
                return Expression(.yield(try parseAssignment()), at: start)
            }
        }
        return Expression(.yield(nil), at: start)
    }

    private func parseConditional() throws(SyntaxRefusal) -> Expression {
        let operand = try parseOperand(minimum: 0)
        return try parseTail(of: operand)
    }

    /// What may follow a primary expression, up to the end of a conditional.
    private func parseOperators(after primary: Expression) throws(SyntaxRefusal) -> Expression {
        let operand = try parsePower(after: try parsePostfix(after: primary))
        return try parseTail(of: operand)
    }

    private func parseTail(of operand: Expression) throws(SyntaxRefusal) -> Expression {
        let test = try parseBinary(operand, minimum: 0)
        guard kind == .question else { return test }
        try requireExpression()
        try next()
        let outer = frame.context
        frame.context.remove(.noIn)
        if isTypeScript { frame.context.insert(.conditional) }
        let then = try parseAssignment()
        frame.context = outer
        try expect(.colon)
        // The other branch is usually one of a long row, which is a chain and no nesting, but is read as one.
        let otherwise = try parseAssignment()
        return Expression(.conditional(test, then: then, otherwise: otherwise), at: test.place)
    }

    // MARK: Binary operators

    private struct Precedence {
        static let coalesce = 1
        static let or = 2
        static let and = 3
        static let relational = 8
    }

    /// How tightly an operator binds; 0 where the token is none.
    private func precedence(of kind: TokenKind) -> Int {
        switch kind {
        case .coalesce: Precedence.coalesce
        case .logicalOr: Precedence.or
        case .logicalAnd: Precedence.and
        case .or: 4
        case .xor: 5
        case .and: 6
        case .equal, .notEqual, .same, .notSame: 7
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .instanceof: Precedence.relational
        case .in: frame.context.contains(.noIn) ? 0 : Precedence.relational
        case .shiftLeft, .shiftRight, .shiftRightUnsigned: 9
        case .add, .subtract: 10
        case .multiply, .divide, .remainder: 11
        case .as, .satisfies: isTypeScript && !lexer.token.isAfterLineBreak ? Precedence.relational : 0
        default: 0
        }
    }

    private static func binary(_ kind: TokenKind) -> BinaryOperator {
        switch kind {
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .remainder
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .shiftRightUnsigned: .shiftRightUnsigned
        case .and: .and
        case .or: .or
        case .xor: .xor
        case .equal: .equal
        case .notEqual: .notEqual
        case .same: .same
        case .notSame: .notSame
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .instanceof: .instanceOf
        case .in: .in
        default: .add
        }
    }

    /// Operators that bind tighter than the minimum, with what follows them.
    private func parseBinary(_ first: Expression, minimum: Int) throws(SyntaxRefusal) -> Expression {
        var left = first
        while true {
            let sign = kind
            let signPlace = place
            let precedence = precedence(of: sign)
            guard precedence > minimum else { return left }
            try requireExpression()
            try rise()
            try next()
            if sign == .as || sign == .satisfies {
                try skipTypeOfAssertion()
                continue
            }
            var right = try parseOperand(minimum: precedence)
            right = try parseBinary(right, minimum: precedence)
            if precedence <= Precedence.and {
                left = try logical(sign, at: signPlace, left, right)
            } else {
                left = Expression(.binary(Parser.binary(sign), left, right), at: left.place)
            }
        }
    }

    /// `??` and the others only mix in parentheses.
    private func logical(
        _ sign: TokenKind, at place: Place, _ left: Expression, _ right: Expression
    ) throws(SyntaxRefusal) -> Expression {
        let form: LogicalOperator = sign == .logicalAnd ? .and : sign == .logicalOr ? .or : .coalesce
        if case .logical(let inner, _, _) = left.form, (inner == .coalesce) != (form == .coalesce) {
            throw refuseMixture(sign, at: place)
        }
        if case .logical(let inner, _, _) = right.form, (inner == .coalesce) != (form == .coalesce) {
            throw refuseMixture(lastLogical.kind, at: lastLogical.place)
        }
        lastLogical = (sign, place)
        return Expression(.logical(form, left, right), at: left.place)
    }

    private func refuseMixture(_ sign: TokenKind, at place: Place) -> SyntaxRefusal {
        let text = sign == .logicalAnd ? "&&" : sign == .logicalOr ? "||" : "??"
        return refuse(
            "Unexpected token '\(text)'", at: place,
            hint: "Put the part with ?? or the part with && and || in parentheses.")
    }

    /// An operand of an operator that binds as tightly as the minimum says.
    private func parseOperand(minimum: Int) throws(SyntaxRefusal) -> Expression {
        switch kind {
        case .privateName: return try parsePrivateIn(minimum: minimum)
        case .not, .subtract, .add, .complement, .typeof, .void, .delete, .await, .increment, .decrement, .less:
            return try parsePower()
        default:
            let base = try parsePostfix(after: try parsePrimary())
            return kind == .power ? try parsePower(after: base) : base
        }
    }

    /// `#name in object`
    private func parsePrivateIn(minimum: Int) throws(SyntaxRefusal) -> Expression {
        let token = lexer.token
        guard minimum < Precedence.relational else { throw unexpected() }
        try usePrivateName(token)
        try next()
        guard kind == .in, !frame.context.contains(.noIn) else { throw unexpected() }
        try next()
        let object = try parseBinary(
            try parseOperand(minimum: Precedence.relational), minimum: Precedence.relational)
        return Expression(.privateIn(token.name, object), at: token.place)
    }

    // MARK: Unary operators

    /// The specification's UnaryExpression: no `**`, which would bind tighter than the operator before it.
    func parseUnary() throws(SyntaxRefusal) -> Expression {
        let sign: UnaryOperator
        switch kind {
        case .not: sign = .not
        case .subtract: sign = .minus
        case .add: sign = .plus
        case .complement: sign = .complement
        case .typeof: sign = .typeOf
        case .void: sign = .void
        case .delete: sign = .delete
        case .increment, .decrement: return try parsePrefixUpdate()
        case .await where isAwaitOperator: return try parseAwait()
        case .less where isTypeScript:
            return try parseTypeAssertion()
        default:
            return try parsePostfix(after: try parsePrimary())
        }
        let start = place
        let outer = try enter()
        try next()
        let operand = try parseUnary()
        try requireExpression()
        if sign == .delete { try checkDelete(operand) }
        try leave(outer)
        return Expression(.unary(sign, operand), at: start)
    }

    /// The specification's ExponentiationExpression. `-a ** b` could mean two things, so it is refused.
    private func parsePower() throws(SyntaxRefusal) -> Expression {
        let isUnary: Bool
        switch kind {
        case .not, .subtract, .add, .complement, .typeof, .void, .delete, .await:
            isUnary = kind != .await || isAwaitOperator
        case .less: isUnary = isTypeScript
        default: isUnary = false
        }
        let base = try parseUnary()
        if isUnary, kind == .power {
            throw refuse(
                "Unary operator used immediately before exponentiation expression."
                    + " Parenthesis must be used to disambiguate operator precedence")
        }
        return try parsePower(after: base)
    }

    private func checkDelete(_ operand: Expression) throws(SyntaxRefusal) {
        switch operand.form {
        case .identifier:
            throw refuse("Delete of an unqualified identifier in strict mode.", at: operand.place)
        case .privateMember:
            throw refuse("Private fields can not be deleted", at: operand.place)
        case .parenthesized(let inner), .chain(let inner):
            try checkDelete(inner)
        default:
            break
        }
    }

    private func parsePrefixUpdate() throws(SyntaxRefusal) -> Expression {
        let start = place
        let step: Double = kind == .increment ? 1 : -1
        let outer = try enter()
        try next()
        let operand = try parseUnary()
        try requireExpression()
        try checkSimpleTarget(operand, message: "Invalid left-hand side expression in prefix operation")
        try leave(outer)
        return Expression(.update(by: step, isPrefix: true, operand), at: start)
    }

    private func parseAwait() throws(SyntaxRefusal) -> Expression {
        let start = place
        if lexer.token.hasEscape { throw refuse("Keyword must not contain escaped characters") }
        if frame.context.contains(.parameters) {
            throw refuse("Illegal await-expression in formal parameters of async function")
        }
        noteTopLevelAwait()
        frame.lastAwait = start
        let outer = try enter()
        try next()
        let operand = try parseUnary()
        try requireExpression()
        try leave(outer)
        return Expression(.await(operand), at: start)
    }

    func noteTopLevelAwait() {
        if frame.context.contains(.topLevel) { program.hasTopLevelAwait = true }
    }

    /// `**`, which binds to the right.
    private func parsePower(after base: Expression) throws(SyntaxRefusal) -> Expression {
        guard kind == .power else { return base }
        try requireExpression()
        let outer = try enter()
        try next()
        let exponent = try parsePower()
        try requireExpression()
        try leave(outer)
        return Expression(.binary(.power, base, exponent), at: base.place)
    }

    private func parsePostfix(after primary: Expression) throws(SyntaxRefusal) -> Expression {
        let operand = try parseSubscripts(of: primary, allowsCalls: true)
        guard kind == .increment || kind == .decrement, !lexer.token.isAfterLineBreak else { return operand }
        try requireExpression()
        try checkSimpleTarget(operand, message: "Invalid left-hand side expression in postfix operation")
        let step: Double = kind == .increment ? 1 : -1
        try rise()
        try next()
        return Expression(.update(by: step, isPrefix: false, operand), at: operand.place)
    }

    /// A target of `++` and of assignments that read it first.
    private func checkSimpleTarget(_ expression: Expression, message: String) throws(SyntaxRefusal) {
        switch expression.form {
        case .identifier(let name):
            if name == .known(.eval) || name == .known(.arguments) {
                throw refuse("Unexpected eval or arguments in strict mode", at: expression.place)
            }
        case .member(_, _, false), .index(_, _, false), .privateMember(_, _, false), .superMember, .superIndex: break
        case .parenthesized(let inner): try checkSimpleTarget(inner, message: message)
        default: throw refuse(message, at: expression.place)
        }
    }
}
