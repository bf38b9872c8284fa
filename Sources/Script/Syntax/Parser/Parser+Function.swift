extension Parser {
    /// From `function` on. Nothing where TypeScript only declares it.
    func parseFunctionDeclaration(
        isAsync: Bool, at start: Place, isDefaultExport: Bool = false
    ) throws(SyntaxRefusal) -> FunctionNode? {
        try next()
        let isGenerator = try eat(.multiply)
        var name = Name.known(.starDefault)
        var namePlace = start
        if !isDefaultExport || (kind != .openParenthesis && kind != .less) {
            (name, namePlace) = try bindingIdentifier()
        }
        let function = FunctionNode(
            kind: .normal, name: name, at: start, range: PlaceRange(start: start.offset, end: start.offset))
        function.isAsync = isAsync
        function.isGenerator = isGenerator
        let firstReference = scopes.referenceCount
        guard try parseFunctionRest(of: function, context: [.return, .newTarget], canLackBody: isTypeScript) else {
            scopes.forgetReferences(from: firstReference)
            return nil
        }
        try declare(name, scopes.hasLexicalFunctions ? .lexicalFunction : .function, at: namePlace)
        return function
    }

    func parseFunctionExpression(isAsync: Bool, at start: Place) throws(SyntaxRefusal) -> Expression {
        try next()
        let isGenerator = try eat(.multiply)
        let function = FunctionNode(
            kind: .normal, name: nil, at: start, range: PlaceRange(start: start.offset, end: start.offset))
        function.isAsync = isAsync
        function.isGenerator = isGenerator
        scopes.openBlock()
        if kind != .openParenthesis, kind != .less {
            // Its name is one of its own code: `await` may be the name of an outer one only.
            let outer = frame.context
            frame.context.subtract([.async, .staticBlock])
            if isAsync { frame.context.insert(.async) }
            let (name, _) = try bindingIdentifier()
            frame.context = outer
            function.name = name
            _ = scopes.declare(name, .own)
        }
        _ = try parseFunctionRest(of: function, context: [.return, .newTarget])
        scopes.close()
        return Expression(.function(function), at: start)
    }

    /// A method of an object or class, from its parameters on.
    func parseMethod(
        _ kind: FunctionNode.Kind, isAsync: Bool = false, isGenerator: Bool = false, from start: Token
    ) throws(SyntaxRefusal) -> FunctionNode {
        let function = FunctionNode(
            kind: kind, name: nil, at: start.place, range: PlaceRange(start: start.start, end: start.end))
        function.isAsync = isAsync
        function.isGenerator = isGenerator
        _ = try parseFunctionRest(of: function, context: [.return, .newTarget, .superMember])
        return function
    }

    /// Parameters and body. False where there is no body, which TypeScript's declarations lack.
    func parseFunctionRest(
        of function: FunctionNode, context: Context, canLackBody: Bool = false
    ) throws(SyntaxRefusal) -> Bool {
        let outer = frame
        let outerCover = cover
        cover = nil
        frame = Frame()
        frame.context = context.union(outer.context.intersection(.ambient))
        if function.isAsync { frame.context.insert(.async) }
        if function.isGenerator { frame.context.insert(.generator) }
        frame.firstLabel = labels.count
        let mark = scopes.mark
        scopes.open(isFunction: true, hasLexicalFunctions: false)
        if isTypeScript { try skipTypeParameters() }
        frame.context.insert(.parameters)
        try parseParameters(of: function)
        frame.context.remove(.parameters)
        if isTypeScript, kind == .colon {
            try next()
            try skipReturnType()
        }
        if canLackBody, kind != .openBrace, canEndStatement {
            _ = try eat(.semicolon)
            scopes.goBack(to: mark)
            frame = outer
            cover = outerCover
            return false
        }
        try parseFunctionBody(of: function)
        scopes.close()
        frame = outer
        cover = outerCover
        function.range.end = lexer.previousEnd
        return true
    }

    private func parseParameters(of function: FunctionNode) throws(SyntaxRefusal) {
        let start = place
        try expect(.openParenthesis)
        while kind != .closeParenthesis {
            if try eat(.ellipsis) {
                function.rest = try parseBindingTarget(.parameter)
                if isTypeScript { try skipTypeAnnotation() }
                if kind == .assign { throw refuse("Rest parameter may not have a default initializer") }
                if kind == .comma { throw refuse("Rest parameter must be last formal parameter") }
                break
            }
            if isTypeScript {
                try parseTypedParameter(of: function)
            } else {
                function.parameters.append(try parseBindingElement(.parameter))
            }
            if kind == .closeParenthesis { break }
            try expect(.comma)
        }
        try expect(.closeParenthesis)
        switch function.kind {
        case .getter where !function.parameters.isEmpty || function.rest != nil:
            throw refuse("Getter must not have any formal parameters.", at: start)
        case .setter where function.rest != nil:
            throw refuse("Setter function argument must not be a rest parameter", at: start)
        case .setter where function.parameters.count != 1:
            throw refuse("Setter must have exactly one formal parameter.", at: start)
        default: break
        }
    }

    /// A block of statements, whose first ones may be directives. The scope is the one of the parameters.
    func parseFunctionBody(of function: FunctionNode) throws(SyntaxRefusal) {
        try expect(.openBrace)
        try parseDirectives(into: &function.body, of: function)
        while kind != .closeBrace {
            if kind == .end { throw unexpected() }
            try parseListItem(into: &function.body)
        }
        try next()
    }

    /// `"use strict"` changes nothing, but not every function may have it.
    private func parseDirectives(
        into statements: inout [Statement], of function: FunctionNode
    ) throws(SyntaxRefusal) {
        while kind == .text {
            let token = lexer.token
            let text = lexer.units[Int(token.start) + 1..<Int(token.end) - 1]
            let isStrict = text.elementsEqual("use strict".utf16)
            try parseListItem(into: &statements)
            guard isStrict, case .expression(let expression)? = statements.last?.form, case .text = expression.form
            else { continue }
            let isSimple =
                function.rest == nil
                && function.parameters.allSatisfy { parameter in
                    guard case .binding = parameter.pattern else { return false }
                    return parameter.initializer == nil
                }
            if !isSimple {
                throw refuse(
                    "Illegal 'use strict' directive in function with non-simple parameter list", at: token.place)
            }
        }
    }
}
