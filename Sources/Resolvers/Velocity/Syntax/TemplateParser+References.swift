import JSON

extension TemplateParser {
    /// What begins a name, read from its token: `\\$!{`.
    private struct Marks {
        var isEscaped = false
        var isQuiet = false
        var isFormal = false
        /// The mark at hand was `$`, and not nothing.
        var isName = true
        /// Half of the backslashes, and what stood before the last `$`.
        var slashes: ArraySlice<UInt8> = []
        var before: ArraySlice<UInt8> = []
        /// The rest of the token, from the last `$` on.
        var image: ArraySlice<UInt8>
    }

    mutating func reference() throws(TemplateFault) -> TemplateReference {
        let first = try take()
        let image = image(first)
        if let broken = Self.broken(image) {
            try steps(isFormal: first.kind == .leftBrace)
            return TemplateReference(
                slot: nil, steps: [], function: nil, words: broken, prefix: ([], []), isEscaped: false, isPlain: false,
                offset: base + first.start)
        }
        var marks = Self.marks(image)
        marks.isFormal = first.kind == .leftBrace
        var root = marks.image.drop { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "{") }
        let (inside, steps) = try steps(isFormal: marks.isFormal)
        if let inside { root = inside }
        let name = text(root)
        let words =
            marks.isQuiet && !marks.isEscaped ? [] : marks.image + lexer.bytes[first.end..<tokens[index - 1].end]
        var prefix: (some: [UInt8], none: [UInt8])
        if marks.isEscaped {
            let slashes = Array(marks.slashes)
            prefix = (slashes, slashes + [UInt8(ascii: "\\")])
        } else {
            let (slashes, before) = (Array(marks.slashes), Array(marks.before))
            prefix = (slashes + before, slashes + slashes + before)
        }
        return TemplateReference(
            slot: marks.isName ? names.place(of: name) : nil, steps: steps,
            function: TemplateFunction.called(name, steps), words: Array(words), prefix: prefix,
            isEscaped: marks.isEscaped, isPlain: !marks.isQuiet && !marks.isFormal, offset: base + first.start)
    }

    /// Backslashes between `$` and `!` make it no reference: it is printed with one of them less, and without what follows.
    private static func broken(_ image: ArraySlice<UInt8>) -> [UInt8]? {
        guard let dollar = image.firstIndex(of: UInt8(ascii: "$")) else { return nil }
        let isBroken = image.indices.dropLast().contains {
            image[$0] == UInt8(ascii: "\\") && image[$0 + 1] == UInt8(ascii: "!")
        }
        guard isBroken, let start = image[dollar...].firstIndex(of: UInt8(ascii: "\\")) else { return nil }
        return Array(image[..<start]) + Array(image[(start + 1)...])
    }

    private static func marks(_ image: ArraySlice<UInt8>) -> Marks {
        var marks = Marks(image: image)
        let slashes = image.prefix { $0 == UInt8(ascii: "\\") }
        marks.isEscaped = slashes.count % 2 == 1
        marks.slashes = slashes.prefix(slashes.count / 2)
        marks.image = image[slashes.endIndex...]
        if let dollar = marks.image.lastIndex(of: UInt8(ascii: "$")) {
            marks.before = marks.image[..<dollar]
            marks.image = marks.image[dollar...]
        } else {
            marks.isName = false
        }
        marks.isQuiet = marks.image.dropFirst().first == UInt8(ascii: "!") && marks.isName
        return marks
    }

    /// The name within braces, and what follows a name up to the end of the reference.
    @discardableResult
    private mutating func steps(
        isFormal: Bool
    ) throws(TemplateFault) -> (root: ArraySlice<UInt8>?, steps: [TemplateReference.Step]) {
        try descend()
        defer { ascend() }
        let root = isFormal ? image(try take(.identifier)) : nil
        var steps: [TemplateReference.Step] = []
        try indexes(&steps)
        while try peek().kind == .dot, try peek(1).kind == .identifier {
            try take()
            let name = try take()
            if try isCall() {
                steps.append(.method(try method(name)))
            } else {
                steps.append(.member(text(image(name))))
            }
            try indexes(&steps)
        }
        if isFormal { try take(.rightBrace) }
        return (root, steps)
    }

    private mutating func indexes(_ steps: inout [TemplateReference.Step]) throws(TemplateFault) {
        while try peek().kind == .leftIndex {
            let offset = base + (try take().start)
            steps.append(.index(try indexParameter(), offset: offset))
            try take(.rightIndex)
        }
    }

    /// Whether a parenthesis follows in which something stands that can be an argument, or nothing.
    private mutating func isCall() throws(TemplateFault) -> Bool {
        guard try peek().kind == .leftParenthesis else { return false }
        switch try peek(1).kind {
        case .methodEnd, .space, .string, .integer, .decimal, .leftBracket, .leftCurly, .yes, .no, .null, .identifier,
            .leftBrace:
            return true
        default:
            return false
        }
    }

    private mutating func method(_ name: TemplateToken) throws(TemplateFault) -> TemplateMethod {
        try take(.leftParenthesis)
        var arguments: [TemplateExpression] = []
        if try peek().kind != .methodEnd {
            arguments.append(try argumentOfMethod())
            while try peek().kind == .comma {
                try take()
                arguments.append(try argumentOfMethod())
            }
        }
        try take(.methodEnd)
        let name = (text(image(name)), base + name.start)
        return TemplateMethod(name: name.0, known: MethodName.named(name.0), arguments: arguments, offset: name.1)
    }

    /// A mark too many is a mistake here, where it could not be printed.
    private mutating func argumentOfMethod() throws(TemplateFault) -> TemplateExpression {
        let ahead = try peek().kind == .space ? 1 : 0
        let token = try peek(ahead)
        if token.kind == .identifier || token.kind == .leftBrace,
            image(token).filter({ $0 == UInt8(ascii: "$") }).count > 1
        {
            throw TemplateFault("Encountered \"\(text(image(token)))\", which has a $ too many.", at: token.start)
        }
        return try parameter()
    }
}
