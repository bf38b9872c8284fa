extension Document {
    /// Parses a document. `sourceNumber` is the source's number among the files of a schema.
    package init(
        parsing source: Source, limits: DocumentLimits = .request, sourceNumber: Int = 0
    ) throws(SyntaxError) {
        self = try source.parsed(limits: limits, sourceNumber: sourceNumber) { parser throws(SyntaxFault) in
            try parser.parseDocument()
        }
    }

    /// Parses a document.
    package init(parsing text: String, limits: DocumentLimits = .request) throws(SyntaxError) {
        try self.init(parsing: Source(text), limits: limits)
    }
}

extension Value {
    /// Parses a value without variables, such as a default value.
    package init(parsing text: String, limits: DocumentLimits = .request) throws(SyntaxError) {
        self = try Source(text).parsed(limits: limits, sourceNumber: 0) { parser throws(SyntaxFault) in
            try parser.parseWhole { parser throws(SyntaxFault) in try parser.parseValue(isConstant: true) }
        }
    }
}

extension TypeReference {
    /// Parses a type such as `[String!]!`.
    package init(parsing text: String, limits: DocumentLimits = .request) throws(SyntaxError) {
        self = try Source(text).parsed(limits: limits, sourceNumber: 0) { parser throws(SyntaxFault) in
            try parser.parseWhole { parser throws(SyntaxFault) in try parser.parseTypeReference() }
        }
    }
}

extension Parser {
    /// Parses something that must be all there is.
    fileprivate mutating func parseWhole<Node>(
        _ parse: (inout Parser) throws(SyntaxFault) -> Node
    ) throws(SyntaxFault) -> Node {
        let node = try parse(&self)
        guard lexer.token.kind == .endOfFile else { throw expected(TokenKind.endOfFile.description) }
        return node
    }
}

extension Source {
    fileprivate func parsed<Node>(
        limits: DocumentLimits, sourceNumber: Int, _ parse: (inout Parser) throws(SyntaxFault) -> Node
    ) throws(SyntaxError) -> Node {
        do throws(SyntaxFault) {
            guard bytes.count <= limits.bytesMax else {
                throw SyntaxFault(
                    kind: .limit, message: "the document has more than \(limits.bytesMax) bytes", offset: 0)
            }
            return try bytes.withUnsafeBufferPointer { bytes throws(SyntaxFault) in
                var parser = Parser(bytes, limits: limits, sourceNumber: sourceNumber)
                try parser.lexer.advance()
                return try parse(&parser)
            }
        } catch {
            throw SyntaxError(
                error.kind, error.message, at: Position(offset: error.offset, source: sourceNumber), in: self)
        }
    }
}
