extension Parser {
    /// `schema @directive { query: Query }`
    mutating func parseSchemaDefinition(_ description: StringValue?) throws(SyntaxFault) -> SchemaDefinition {
        let position = position
        try lexer.advance()
        let directives = try parseDirectives(isConstant: true)
        guard lexer.token.kind == .leftBrace else { throw expected(TokenKind.leftBrace.description) }
        return SchemaDefinition(
            description: description, directives: directives, operationTypes: try parseOperationTypes(),
            position: position)
    }

    private mutating func parseOperationTypes() throws(SyntaxFault) -> [OperationTypeDefinition] {
        guard try skip(.leftBrace) else { return [] }
        var types: [OperationTypeDefinition] = []
        repeat {
            let position = position
            let operation = try parseOperationType()
            try expect(.colon)
            types.append(OperationTypeDefinition(operation: operation, type: try parseName(), position: position))
        } while lexer.token.kind != .rightBrace
        try lexer.advance()
        return types
    }

    /// `type Name …` and its five siblings; the current token is the keyword.
    mutating func parseTypeDefinition(_ description: StringValue?) throws(SyntaxFault) -> TypeDefinition {
        let position = position
        let word = keyword
        try lexer.advance()
        let name = try parseName()
        switch word {
        case .scalar:
            return .scalar(
                ScalarTypeDefinition(
                    description: description, name: name, directives: try parseDirectives(isConstant: true),
                    position: position))
        case .type:
            return .object(
                ObjectTypeDefinition(
                    description: description, name: name, interfaces: try parseImplements(),
                    directives: try parseDirectives(isConstant: true), fields: try parseFieldDefinitions(),
                    position: position))
        case .interface:
            return .interface(
                InterfaceTypeDefinition(
                    description: description, name: name, interfaces: try parseImplements(),
                    directives: try parseDirectives(isConstant: true), fields: try parseFieldDefinitions(),
                    position: position))
        case .union:
            return .union(
                UnionTypeDefinition(
                    description: description, name: name, directives: try parseDirectives(isConstant: true),
                    members: try parseUnionMembers(), position: position))
        case .enum:
            return .enum(
                EnumTypeDefinition(
                    description: description, name: name, directives: try parseDirectives(isConstant: true),
                    values: try parseEnumValues(), position: position))
        default:
            return .inputObject(
                InputObjectTypeDefinition(
                    description: description, name: name, directives: try parseDirectives(isConstant: true),
                    fields: try parseInputFields(), position: position))
        }
    }

    /// `extend …`, which must add something.
    mutating func parseExtension() throws(SyntaxFault) -> Definition {
        let position = position
        try lexer.advance()
        switch lexer.token.kind == .name ? keyword : nil {
        case .schema:
            try lexer.advance()
            let schema = SchemaDefinition(
                directives: try parseDirectives(isConstant: true), operationTypes: try parseOperationTypes(),
                position: position)
            guard !schema.directives.isEmpty || !schema.operationTypes.isEmpty else {
                throw expected("what the extension adds")
            }
            return .schemaExtension(schema)
        case .scalar, .type, .interface, .union, .enum, .input:
            let type = try parseTypeDefinition(nil)
            guard !type.isEmpty else { throw expected("what the extension adds") }
            return .typeExtension(type)
        default:
            throw expected("the keyword of what is extended")
        }
    }

    private mutating func parseImplements() throws(SyntaxFault) -> [Name] {
        guard isKeyword(.implements) else { return [] }
        try lexer.advance()
        return try parseNames(separatedBy: .ampersand)
    }

    private mutating func parseUnionMembers() throws(SyntaxFault) -> [Name] {
        try skip(.equals) ? try parseNames(separatedBy: .verticalBar) : []
    }

    /// Names with a separator between them, and optionally one before the first.
    private mutating func parseNames(separatedBy separator: TokenKind) throws(SyntaxFault) -> [Name] {
        var names: [Name] = []
        _ = try skip(separator)
        repeat { names.append(try parseName()) } while try skip(separator)
        return names
    }

    private mutating func parseFieldDefinitions() throws(SyntaxFault) -> [FieldDefinition] {
        guard try skip(.leftBrace) else { return [] }
        let start = fieldDefinitions.count
        repeat {
            let description = try parseDescription()
            let name = try parseName()
            let arguments = try parseInputValues(.leftParenthesis, .rightParenthesis)
            try expect(.colon)
            let type = try parseTypeReference()
            fieldDefinitions.push(
                FieldDefinition(
                    description: description, name: name, arguments: arguments, type: type,
                    directives: try parseDirectives(isConstant: true)))
        } while lexer.token.kind != .rightBrace
        try lexer.advance()
        return fieldDefinitions.take(from: start)
    }

    private mutating func parseInputFields() throws(SyntaxFault) -> [InputValueDefinition] {
        try parseInputValues(.leftBrace, .rightBrace)
    }

    private mutating func parseInputValues(
        _ open: TokenKind, _ close: TokenKind
    ) throws(SyntaxFault) -> [InputValueDefinition] {
        guard try skip(open) else { return [] }
        let start = inputValueDefinitions.count
        repeat {
            let description = try parseDescription()
            let name = try parseName()
            try expect(.colon)
            let type = try parseTypeReference()
            let defaultValue = try skip(.equals) ? try parseValue(isConstant: true) : nil
            inputValueDefinitions.push(
                InputValueDefinition(
                    description: description, name: name, type: type, defaultValue: defaultValue,
                    directives: try parseDirectives(isConstant: true)))
        } while lexer.token.kind != close
        try lexer.advance()
        return inputValueDefinitions.take(from: start)
    }

    private mutating func parseEnumValues() throws(SyntaxFault) -> [EnumValueDefinition] {
        guard try skip(.leftBrace) else { return [] }
        let start = enumValueDefinitions.count
        repeat {
            let description = try parseDescription()
            switch lexer.token.kind == .name ? keyword : nil {
            case .true, .false, .null: throw expected("the name of an enum value")
            default: break
            }
            let name = try parseName()
            enumValueDefinitions.push(
                EnumValueDefinition(
                    description: description, name: name, directives: try parseDirectives(isConstant: true)))
        } while lexer.token.kind != .rightBrace
        try lexer.advance()
        return enumValueDefinitions.take(from: start)
    }

    /// `directive @name(argument: Type) repeatable on LOCATION | LOCATION`
    mutating func parseDirectiveDefinition(_ description: StringValue?) throws(SyntaxFault) -> DirectiveDefinition {
        let position = position
        try lexer.advance()
        try expect(.at)
        let name = try parseName()
        let arguments = try parseInputValues(.leftParenthesis, .rightParenthesis)
        let isRepeatable = isKeyword(.repeatable)
        if isRepeatable { try lexer.advance() }
        guard isKeyword(.on) else { throw expected("\"on\"") }
        try lexer.advance()
        _ = try skip(.verticalBar)
        var locations: [DirectiveLocation] = []
        repeat {
            guard lexer.token.kind == .name, let location = DirectiveLocation(rawValue: tokenText) else {
                throw expected("the location of a directive, such as FIELD or OBJECT")
            }
            locations.append(location)
            try lexer.advance()
        } while try skip(.verticalBar)
        return DirectiveDefinition(
            description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
            locations: locations, position: position)
    }
}

extension TypeDefinition {
    /// True if it says nothing beyond a name.
    fileprivate var isEmpty: Bool {
        switch self {
        case .scalar(let type): type.directives.isEmpty
        case .object(let type): type.interfaces.isEmpty && type.directives.isEmpty && type.fields.isEmpty
        case .interface(let type): type.interfaces.isEmpty && type.directives.isEmpty && type.fields.isEmpty
        case .union(let type): type.directives.isEmpty && type.members.isEmpty
        case .enum(let type): type.directives.isEmpty && type.values.isEmpty
        case .inputObject(let type): type.directives.isEmpty && type.fields.isEmpty
        }
    }
}
