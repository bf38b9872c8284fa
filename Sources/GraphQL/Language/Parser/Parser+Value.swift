extension Parser {
    /// A value; one that is constant holds no variables. Specification: section 2.9.
    mutating func parseValue(isConstant: Bool) throws(SyntaxFault) -> Value {
        let position = position
        switch lexer.token.kind {
        case .leftBracket: return .list(try parseListValue(isConstant: isConstant))
        case .leftBrace: return .object(try parseObjectValue(isConstant: isConstant))
        case .int: return .int(NumberValue(try takeTokenText(), position: position))
        case .float: return .float(NumberValue(try takeTokenText(), position: position))
        case .string, .blockString: return .string(try parseStringValue())
        case .name: return try parseNamedValue()
        case .dollar where !isConstant: return .variable(try parseVariable())
        default: throw expected(isConstant ? "a constant value" : "a value")
        }
    }

    private mutating func takeTokenText() throws(SyntaxFault) -> String {
        let text = tokenText
        try lexer.advance()
        return text
    }

    private mutating func parseNamedValue() throws(SyntaxFault) -> Value {
        let position = position
        let word = keyword
        let name = try parseName()
        return switch word {
        case .true: .boolean(BooleanValue(true, position: position))
        case .false: .boolean(BooleanValue(false, position: position))
        case .null: .null(NullValue(position: position))
        default: .enum(name)
        }
    }

    mutating func parseStringValue() throws(SyntaxFault) -> StringValue {
        let token = lexer.token
        let value = StringValue(
            try lexer.stringValue(of: token), isBlock: token.kind == .blockString, position: position)
        try lexer.advance()
        return value
    }

    private mutating func parseListValue(isConstant: Bool) throws(SyntaxFault) -> ListValue {
        let position = position
        try lexer.advance()
        try enter()
        let start = values.count
        while lexer.token.kind != .rightBracket {
            values.push(try parseValue(isConstant: isConstant))
        }
        leave()
        try lexer.advance()
        return ListValue(values.take(from: start), position: position)
    }

    private mutating func parseObjectValue(isConstant: Bool) throws(SyntaxFault) -> ObjectValue {
        let position = position
        try lexer.advance()
        try enter()
        let start = objectFields.count
        while lexer.token.kind != .rightBrace {
            let name = try parseName()
            try expect(.colon)
            objectFields.push(ObjectField(name: name, value: try parseValue(isConstant: isConstant)))
        }
        leave()
        try lexer.advance()
        return ObjectValue(objectFields.take(from: start), position: position)
    }

    /// `Name`, `[Type]`, `Type!`. Specification: section 2.11.
    ///
    /// Not recursive: the brackets are counted on the way in and matched on the way out.
    mutating func parseTypeReference() throws(SyntaxFault) -> TypeReference {
        var brackets = 0
        while try skip(.leftBracket) {
            brackets += 1
            if brackets > TypeWrapping.listDepthMax {
                throw SyntaxFault(
                    kind: .limit, message: "a type has more than \(TypeWrapping.listDepthMax) lists around it",
                    offset: lexer.token.start)
            }
        }
        guard lexer.token.kind == .name else { throw expected("a type") }
        var type = TypeReference(try parseName())
        if try skip(.exclamationMark) { type.wrapping = type.wrapping.nonNull }
        for _ in 0..<brackets {
            try expect(.rightBracket)
            type.wrapping = type.wrapping.list
            if try skip(.exclamationMark) { type.wrapping = type.wrapping.nonNull }
        }
        return type
    }

    /// The text before a definition that explains it, if there is one. Specification: section 2.2 and 3.1.
    @inline(__always)
    mutating func parseDescription() throws(SyntaxFault) -> StringValue? {
        guard lexer.token.kind == .string || lexer.token.kind == .blockString else { return nil }
        return try parseStringValue()
    }
}
