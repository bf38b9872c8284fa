extension Parser {
    /// Statements up to a token that ends them, which is left.
    func parseStatements(until end: TokenKind) throws(SyntaxRefusal) -> [Statement] {
        var statements: [Statement] = []
        while kind != end {
            if kind == .end { throw unexpected() }
            try parseListItem(into: &statements)
        }
        return statements
    }

    /// A statement or a declaration of a list. TypeScript's types make none, its enums several.
    func parseListItem(into statements: inout [Statement]) throws(SyntaxRefusal) {
        let outer = try enter()
        let start = place
        switch kind {
        case .function:
            if let function = try parseFunctionDeclaration(isAsync: false, at: start) {
                statements.append(Statement(.function(function), at: start))
            }
        case .async:
            if try isAsyncFunction() {
                try next()
                if let function = try parseFunctionDeclaration(isAsync: true, at: start) {
                    statements.append(Statement(.function(function), at: start))
                }
            } else {
                statements.append(try parseStatementForm())
            }
        case .class:
            statements.append(try parseClassDeclaration())
        case .const where isTypeScript:
            if try lexer.tokenBehind().kind == .enum {
                try next()
                try parseEnum(isExported: false, into: &statements)
            } else {
                statements.append(try parseVariableStatement(.const))
            }
        case .const:
            statements.append(try parseVariableStatement(.const))
        case .let:
            statements.append(try parseVariableStatement(.let))
        case .enum where isTypeScript:
            try parseEnum(isExported: false, into: &statements)
        case .import, .export:
            try parseModuleItem(into: &statements)
        default:
            if isTypeScript, kind.isIdentifier || kind == .interface,
                try parseTypeScriptStatement(into: &statements)
            {
                break
            }
            statements.append(try parseStatementForm())
        }
        try leave(outer)
    }

    /// `async function` on one line.
    func isAsyncFunction() throws(SyntaxRefusal) -> Bool {
        let behind = try lexer.tokenBehind()
        return behind.kind == .function && !behind.isAfterLineBreak
    }

    /// A statement where a declaration can't be: behind `if`, `while`, a label.
    func parseStatement() throws(SyntaxRefusal) -> Statement {
        let outer = try enter()
        switch kind {
        case .function:
            throw refuse(
                "In strict mode code, functions can only be declared at top level or inside a block.")
        case .async where try isAsyncFunction():
            throw refuse("Async functions can only be declared at the top level or inside a block.")
        case .class:
            throw unexpected()
        case .const, .let:
            throw refuse("Lexical declaration cannot appear in a single-statement context")
        default:
            break
        }
        let statement = try parseStatementForm()
        try leave(outer)
        return statement
    }

    private func parseStatementForm() throws(SyntaxRefusal) -> Statement {
        let start = place
        switch kind {
        case .openBrace: return Statement(.block(try parseBlock()), at: start)
        case .var: return try parseVariableStatement(.var)
        case .semicolon:
            try next()
            return Statement(.empty, at: start)
        case .if: return try parseIf()
        case .for: return try parseFor()
        case .while: return try parseWhile()
        case .do: return try parseDoWhile()
        case .continue, .break: return try parseJump()
        case .return: return try parseReturn()
        case .switch: return try parseSwitch()
        case .throw: return try parseThrow()
        case .try: return try parseTry()
        case .debugger:
            try next()
            try endStatement()
            return Statement(.debugger, at: start)
        case .with:
            throw refuse("Strict mode code may not include a with statement")
        case .import:
            // `import(...)` and `import.meta` begin expressions.
            return try parseExpressionStatement()
        default:
            if kind.isIdentifier, isColonNext() { return try parseLabeled() }
            return try parseExpressionStatement()
        }
    }

    /// Returns whether a `:` follows the word that is looked at.
    private func isColonNext() -> Bool {
        var index = lexer.position
        while lexer.unit(at: index) == 0x20 { index += 1 }
        let unit = lexer.unit(at: index)
        if unit == 0x3A { return true }
        guard unit == 0x2F || unit <= 0x20 || unit >= 0x80 else { return false }
        let mark = lexer.mark
        defer { lexer.goBack(to: mark) }
        guard (try? lexer.next()) != nil else {
            lexer.failure = nil
            return false
        }
        return kind == .colon
    }

    private func parseExpressionStatement() throws(SyntaxRefusal) -> Statement {
        let start = place
        let expression = try parseExpression()
        try endStatement()
        return Statement(.expression(expression), at: start)
    }

    func parseBlock() throws(SyntaxRefusal) -> [Statement] {
        try expect(.openBrace)
        scopes.openBlock()
        let statements = try parseStatements(until: .closeBrace)
        scopes.close()
        try next()
        return statements
    }

    private func parseCondition() throws(SyntaxRefusal) -> Expression {
        try expect(.openParenthesis)
        let condition = try parseExpression()
        try expect(.closeParenthesis)
        return condition
    }

    /// A chain of `else if` is read in a loop, however long it is.
    private func parseIf() throws(SyntaxRefusal) -> Statement {
        var branches: [(test: Expression, body: Statement, place: Place)] = []
        var otherwise: Statement?
        repeat {
            let start = place
            try next()
            let test = try parseCondition()
            branches.append((test, try parseStatement(), start))
            try rise()
            guard try eat(.else) else { break }
            if kind != .if { otherwise = try parseStatement() }
        } while otherwise == nil
        for branch in branches.reversed() {
            otherwise = Statement(.if(branch.test, then: branch.body, otherwise: otherwise), at: branch.place)
        }
        return otherwise ?? Statement(.empty, at: place)
    }

    private func parseWhile() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let test = try parseCondition()
        return Statement(.while(test, body: try parseLoopBody()), at: start)
    }

    private func parseDoWhile() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let body = try parseLoopBody()
        try expect(.while)
        let test = try parseCondition()
        // Here a `;` may be left out even on the same line.
        _ = try eat(.semicolon)
        return Statement(.doWhile(body: body, test), at: start)
    }

    func parseLoopBody() throws(SyntaxRefusal) -> Statement {
        frame.loops += 1
        let body = try parseStatement()
        frame.loops -= 1
        return body
    }

    private func parseJump() throws(SyntaxRefusal) -> Statement {
        let start = place
        let isBreak = kind == .break
        try next()
        guard kind.isIdentifier, !canEndStatement else {
            try endStatement()
            if isBreak {
                if frame.loops + frame.switches == 0 { throw refuse("Illegal break statement", at: start) }
                return Statement(.break(nil), at: start)
            }
            if frame.loops == 0 {
                throw refuse("Illegal continue statement: no surrounding iteration statement", at: start)
            }
            return Statement(.continue(nil), at: start)
        }
        guard isIdentifier else { throw unexpected() }
        let name = lexer.token.name
        guard let label = labels[frame.firstLabel...].last(where: { $0.name == name }) else {
            throw refuse("Undefined label '\(lexer.names.text(of: name))'")
        }
        if !isBreak, !label.isLoop {
            throw refuse(
                "Illegal continue statement: '\(lexer.names.text(of: name))' does not denote an iteration statement")
        }
        try next()
        try endStatement()
        return Statement(isBreak ? .break(name) : .continue(name), at: start)
    }

    private func parseReturn() throws(SyntaxRefusal) -> Statement {
        let start = place
        guard frame.context.contains(.return) else { throw refuse("Illegal return statement") }
        try next()
        var value: Expression?
        if !canEndStatement { value = try parseExpression() }
        try endStatement()
        return Statement(.return(value), at: start)
    }

    private func parseThrow() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        if lexer.token.isAfterLineBreak { throw refuse("Illegal newline after throw") }
        let value = try parseExpression()
        try endStatement()
        return Statement(.throw(value), at: start)
    }

    private func parseLabeled() throws(SyntaxRefusal) -> Statement {
        let start = place
        let firstLabel = labels.count
        var names: [(name: Name, place: Place)] = []
        repeat {
            guard isIdentifier else { throw unexpected() }
            let name = lexer.token.name
            if labels[frame.firstLabel...].contains(where: { $0.name == name }) {
                throw refuse("Label '\(lexer.names.text(of: name))' has already been declared")
            }
            names.append((name, place))
            labels.append(Label(name: name, isLoop: false))
            try rise()
            try next()
            try expect(.colon)
        } while kind.isIdentifier && isColonNext()
        if kind == .for || kind == .while || kind == .do {
            for index in firstLabel..<labels.count { labels[index].isLoop = true }
        }
        var statement = try parseStatement()
        labels.removeLast(labels.count - firstLabel)
        for label in names.reversed() {
            statement = Statement(.labeled(label.name, statement), at: label.place)
        }
        statement.place = start
        return statement
    }

    private func parseSwitch() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let value = try parseCondition()
        try expect(.openBrace)
        scopes.openBlock()
        frame.switches += 1
        var cases: [SwitchCase] = []
        var hasDefault = false
        while kind != .closeBrace {
            let casePlace = place
            var test: Expression?
            if kind == .default {
                if hasDefault { throw refuse("More than one default clause in switch statement") }
                hasDefault = true
                try next()
            } else {
                try expect(.case)
                test = try parseExpression()
            }
            try expect(.colon)
            var body: [Statement] = []
            while kind != .case, kind != .default, kind != .closeBrace {
                if kind == .end { throw unexpected() }
                try parseListItem(into: &body)
            }
            cases.append(SwitchCase(test: test, body: body, at: casePlace))
        }
        try next()
        frame.switches -= 1
        scopes.close()
        return Statement(.switch(value, cases), at: start)
    }

    private func parseTry() throws(SyntaxRefusal) -> Statement {
        let start = place
        try next()
        let block = try parseBlock()
        var handler: Catch?
        if try eat(.catch) {
            // The parameter is in the scope of the block's declarations, since they may not repeat it.
            scopes.openBlock()
            var parameter: Pattern?
            if try eat(.openParenthesis) {
                if kind == .openBrace || kind == .openBracket {
                    parameter = try parseBindingTarget(.catchPattern)
                } else {
                    parameter = try parseBindingTarget(.catchName)
                }
                if isTypeScript { try skipTypeAnnotation() }
                try expect(.closeParenthesis)
            }
            try expect(.openBrace)
            let body = try parseStatements(until: .closeBrace)
            try next()
            scopes.close()
            handler = Catch(parameter: parameter, body: body)
        }
        var finally: [Statement]?
        if try eat(.finally) { finally = try parseBlock() }
        if handler == nil, finally == nil { throw refuse("Missing catch or finally after try") }
        return Statement(.try(block, handler, finally: finally), at: start)
    }
}
