/// Builds the tree of a document from its tokens, by recursive descent. Specification: section 2 and appendix B.
///
/// Hot path: see `Lexer` and `NodeStack`. Its depth is bounded by `DocumentLimits.nestingMax`.
struct Parser: ~Copyable {
    var lexer: Lexer
    let sourceNumber: Int
    private let nestingMax: Int
    private var nesting = 0
    var names: NameCache

    var selections = SelectionNodes()
    /// Where the selections will be, when all are there.
    let selectionTree = SelectionTree()
    var arguments = NodeStack<Argument>()
    var values = NodeStack<Value>()
    var objectFields = NodeStack<ObjectField>()
    var fieldDefinitions = NodeStack<FieldDefinition>()
    var inputValueDefinitions = NodeStack<InputValueDefinition>()
    var enumValueDefinitions = NodeStack<EnumValueDefinition>()

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DocumentLimits, sourceNumber: Int) {
        lexer = Lexer(bytes, limits: limits)
        names = NameCache(bytes)
        nestingMax = limits.nestingMax
        self.sourceNumber = sourceNumber
    }

    mutating func parseDocument() throws(SyntaxFault) -> Document {
        var definitions: [Definition] = []
        definitions.reserveCapacity(4)
        repeat {
            definitions.append(try parseDefinition())
        } while lexer.token.kind != .endOfFile
        selectionTree.fill(with: &selections)
        return Document(definitions: definitions)
    }

    private mutating func parseDefinition() throws(SyntaxFault) -> Definition {
        if lexer.token.kind == .leftBrace {
            let position = position
            return .operation(OperationDefinition(selectionSet: try parseSelectionSet(), position: position))
        }
        let description = try parseDescription()
        guard lexer.token.kind == .name else { throw expected("a definition") }
        switch keyword {
        case .query, .mutation, .subscription: return .operation(try parseOperationDefinition(description))
        case .fragment: return .fragment(try parseFragmentDefinition(description))
        case .schema: return .schema(try parseSchemaDefinition(description))
        case .scalar, .type, .interface, .union, .enum, .input: return .type(try parseTypeDefinition(description))
        case .directive: return .directive(try parseDirectiveDefinition(description))
        case .extend where description == nil: return try parseExtension()
        default: throw expected("a definition")
        }
    }
}

extension Parser {
    /// Where the current token starts.
    @inline(__always)
    var position: Position { Position(offset: lexer.token.start, source: sourceNumber) }

    /// Takes a token of that kind.
    @inline(__always)
    mutating func expect(_ kind: TokenKind) throws(SyntaxFault) {
        guard lexer.token.kind == kind else { throw expected(kind.description) }
        try lexer.advance()
    }

    /// Takes a token of that kind if it is there.
    @inline(__always)
    mutating func skip(_ kind: TokenKind) throws(SyntaxFault) -> Bool {
        guard lexer.token.kind == kind else { return false }
        try lexer.advance()
        return true
    }

    @inline(__always)
    mutating func parseName() throws(SyntaxFault) -> Name {
        guard lexer.token.kind == .name else { throw expected(TokenKind.name.description) }
        let name = takeName()
        try lexer.advance()
        return name
    }

    /// The current token, a name. It stays the current token.
    @inline(__always)
    mutating func takeName() -> Name {
        Name(names.text(from: lexer.token.start, to: lexer.token.end), at: position)
    }

    /// The bytes of the current token.
    @inline(__always)
    var tokenBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: lexer.bytes[lexer.token.start..<lexer.token.end])
    }

    /// The text of the current token, which is ASCII for all tokens but strings.
    @inline(__always)
    var tokenText: String { String(decoding: tokenBytes, as: UTF8.self) }

    /// Goes one level down; every call is paired with one of `leave`.
    @inline(__always)
    mutating func enter() throws(SyntaxFault) {
        nesting &+= 1
        if nesting > nestingMax { throw tooDeep() }
    }

    @inline(__always)
    mutating func leave() {
        nesting &-= 1
    }

    func tooDeep() -> SyntaxFault {
        SyntaxFault(
            kind: .limit, message: "the document nests more than \(nestingMax) levels deep", offset: lexer.token.start)
    }

    /// The error for a current token that cannot stand here.
    @inline(never)
    func expected(_ what: String) -> SyntaxFault {
        SyntaxFault(message: "expected \(what), found \(foundText)", offset: lexer.token.start)
    }

    private var foundText: String {
        switch lexer.token.kind {
        case .name: "the name \"\(clipped)\""
        case .int, .float: "the number \(clipped)"
        default: lexer.token.kind.description
        }
    }

    /// The text of the current token, of a length that is fit for a message.
    private var clipped: String {
        let bytes = tokenBytes
        return bytes.count <= 64 ? tokenText : String(decoding: bytes.prefix(64), as: UTF8.self) + "…"
    }
}
