import JSON

/// Reads a template by Velocity's grammar.
///
/// Tokens are cut when they are needed, and kept: where the grammar has to look ahead, the parser goes back to one that it has.
struct TemplateParser {
    var lexer: TemplateLexer
    var names = TemplateNames()
    var tokens: [TemplateToken] = []
    var index = 0
    /// Brackets at these tokens begin a range, or do not.
    var ranges: [Int: Bool] = [:]
    /// How the latest operand was written.
    var words = 0..<0
    /// Where the text begins in the template that it stands in.
    var base = 0
    private var depth = 0

    init(_ bytes: [UInt8]) {
        lexer = TemplateLexer(bytes)
    }

    /// A text within a template, which has the same names.
    init(_ bytes: [UInt8], within parser: TemplateParser, at offset: Int) {
        lexer = TemplateLexer(bytes)
        base = parser.base + offset
        names = parser.names
        depth = parser.depth
    }

    mutating func template() throws(TemplateFault) -> [TemplateNode] {
        let nodes = try statements()
        guard try peek().kind == .end else { throw try unexpected() }
        return nodes
    }

    // MARK: - Tokens

    mutating func peek(_ ahead: Int = 0) throws(TemplateFault) -> TemplateToken {
        while index + ahead >= tokens.count {
            if let last = tokens.last, last.kind == .end { return last }
            tokens.append(try lexer.next())
        }
        return tokens[index + ahead]
    }

    @discardableResult
    mutating func take() throws(TemplateFault) -> TemplateToken {
        let token = try peek()
        if token.kind != .end { index += 1 }
        return token
    }

    @discardableResult
    mutating func take(_ kind: TemplateToken.Kind) throws(TemplateFault) -> TemplateToken {
        guard try peek().kind == kind else { throw try unexpected() }
        return try take()
    }

    mutating func skipSpace() throws(TemplateFault) {
        if try peek().kind == .space { try take() }
    }

    func image(_ token: TemplateToken) -> ArraySlice<UInt8> { lexer.bytes[token.start..<token.end] }

    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    mutating func unexpected() throws(TemplateFault) -> TemplateFault {
        let token = try peek()
        let found = token.kind == .end ? "the end of the template" : "\"\(text(image(token).prefix(40)))\""
        return TemplateFault("Encountered \(found), which stands for nothing here.", at: token.start)
    }

    mutating func descend() throws(TemplateFault) {
        depth += 1
        guard depth <= VelocityLimits.syntaxNestingMax else {
            throw TemplateFault(
                "A template is nested at most \(VelocityLimits.syntaxNestingMax) deep.", at: try peek().start)
        }
    }

    mutating func ascend() { depth -= 1 }

    // MARK: - Statements

    /// Statements up to what is none.
    mutating func statements() throws(TemplateFault) -> [TemplateNode] {
        try descend()
        defer { ascend() }
        var nodes: [TemplateNode] = []
        while let node = try statement() { Self.append(node, to: &nodes) }
        return nodes
    }

    /// Texts that follow each other are one.
    private static func append(_ node: TemplateNode, to nodes: inout [TemplateNode]) {
        guard case .text(let bytes) = node else { return nodes.append(node) }
        if bytes.isEmpty { return }
        if case .text(let before)? = nodes.last {
            nodes[nodes.count - 1] = .text(before + bytes)
        } else {
            nodes.append(node)
        }
    }

    private mutating func statement() throws(TemplateFault) -> TemplateNode? {
        let token = try peek()
        switch token.kind {
        case .ifDirective:
            return try branch()
        case .identifier:
            return try statementOfReference()
        case .leftBrace:
            return try peek(1).kind == .identifier ? try statementOfReference() : try printed()
        case .comment:
            try take()
            return .text(comment(token))
        case .unparsed:
            try take()
            return .text(Array(image(token).dropFirst(3).dropLast(3)))
        case .setDirective:
            return try assignment()
        case .escapedDirective:
            try take()
            return .text(escaped(token))
        case .doubleEscape:
            return try escapes()
        case .word, .bracketedWord:
            return try directive()
        case .text, .dot, .rightParenthesis, .leftParenthesis, .integer, .decimal, .string, .escape, .rightBrace,
            .emptyIndex:
            return try printed()
        default:
            return nil
        }
    }

    /// What is text after all.
    private mutating func printed() throws(TemplateFault) -> TemplateNode {
        let token = try take()
        return .text(token.marks + image(token))
    }

    private mutating func statementOfReference() throws(TemplateFault) -> TemplateNode {
        let token = try peek()
        let reference = try reference()
        // A name behind a call's parenthesis, without a mark of its own, is that name.
        guard image(token).contains(UInt8(ascii: "$")) else { return .text(Array(image(token))) }
        return .reference(reference)
    }

    /// What stood before a comment's sign.
    private func comment(_ token: TemplateToken) -> [UInt8] {
        let image = Array(image(token))
        for index in image.indices.dropLast() where image[index] == UInt8(ascii: "#") {
            if image[index + 1] == UInt8(ascii: "#") || image[index + 1] == UInt8(ascii: "*") {
                return Array(image[..<index])
            }
        }
        return []
    }

    private func escaped(_ token: TemplateToken) -> [UInt8] {
        let image = Array(image(token))
        let slashes = image.prefix { $0 == UInt8(ascii: "\\") }.count
        let word = image[slashes...].dropFirst()
        let name = word.first == UInt8(ascii: "{") ? word.dropFirst().dropLast() : word
        guard TemplateDirective.isKnown(text(name)) else { return image }
        return Array(image[..<((slashes - 1) / 2)] + image[slashes...])
    }

    private mutating func escapes() throws(TemplateFault) -> TemplateNode {
        var count = 0
        while try peek().kind == .doubleEscape {
            try take()
            count += 1
        }
        let next = try peek()
        let isBeforeDirective =
            switch next.kind {
            case .ifDirective, .elseDirective, .elseIfDirective, .endDirective: true
            default: TemplateDirective(rawValue: text(image(next).dropFirst())) != nil
            }
        return .text(Array(repeating: UInt8(ascii: "\\"), count: isBeforeDirective ? count : 2 * count))
    }

    private mutating func assignment() throws(TemplateFault) -> TemplateNode {
        try take(.setDirective)
        try skipSpace()
        guard [.identifier, .leftBrace].contains(try peek().kind) else { throw try unexpected() }
        let target = try reference()
        try skipSpace()
        try take(.assign)
        let value = try expression()
        try take(.rightParenthesis)
        lexer.isInSet = false
        return .set(target, value)
    }

    private mutating func branch() throws(TemplateFault) -> TemplateNode {
        var branches: [TemplateNode.Branch] = []
        repeat {
            try take()
            try skipSpace()
            try take(.leftParenthesis)
            let condition = try expression()
            try take(.rightParenthesis)
            branches.append(TemplateNode.Branch(condition: condition, body: try statements()))
        } while try peek().kind == .elseIfDirective
        if try peek().kind == .elseDirective {
            try take()
            branches.append(TemplateNode.Branch(condition: nil, body: try statements()))
        }
        try take(.endDirective)
        return .branch(branches)
    }
}
