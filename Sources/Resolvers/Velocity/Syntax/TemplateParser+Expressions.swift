import JSON

extension TemplateParser {
    mutating func expression() throws(TemplateFault) -> TemplateExpression {
        try descend()
        defer { ascend() }
        var left = try conjunction()
        while try peek().kind == .or {
            try take()
            left = .either(left, try conjunction())
        }
        return left
    }

    private mutating func conjunction() throws(TemplateFault) -> TemplateExpression {
        var left = try equality()
        while try peek().kind == .and {
            try take()
            left = .both(left, try equality())
        }
        return left
    }

    private mutating func equality() throws(TemplateFault) -> TemplateExpression {
        var left = try relation()
        while true {
            switch try peek().kind {
            case .equal: left = .compare(.equal, left, try right(Self.relation))
            case .notEqual: left = .compare(.notEqual, left, try right(Self.relation))
            default: return left
            }
        }
    }

    private mutating func relation() throws(TemplateFault) -> TemplateExpression {
        var left = try sum()
        while true {
            switch try peek().kind {
            case .less: left = .compare(.less, left, try right(Self.sum))
            case .lessOrEqual: left = .compare(.lessOrEqual, left, try right(Self.sum))
            case .greater: left = .compare(.greater, left, try right(Self.sum))
            case .greaterOrEqual: left = .compare(.greaterOrEqual, left, try right(Self.sum))
            default: return left
            }
        }
    }

    /// What stands behind an operator.
    private mutating func right(
        _ production: (inout TemplateParser) throws(TemplateFault) -> TemplateExpression
    ) throws(TemplateFault) -> TemplateExpression {
        try take()
        return try production(&self)
    }

    private static func relation(_ parser: inout TemplateParser) throws(TemplateFault) -> TemplateExpression {
        try parser.relation()
    }
    private static func sum(_ parser: inout TemplateParser) throws(TemplateFault) -> TemplateExpression {
        try parser.sum()
    }

    private mutating func sum() throws(TemplateFault) -> TemplateExpression {
        try calculation([.plus: .plus, .minus: .minus]) { parser throws(TemplateFault) in
            try parser.calculation([.times: .times, .divide: .divide, .modulo: .modulo]) {
                parser throws(TemplateFault) in try parser.unary()
            }
        }
    }

    private mutating func calculation(
        _ operators: [TemplateToken.Kind: TemplateExpression.Calculation],
        of operand: (inout TemplateParser) throws(TemplateFault) -> TemplateExpression
    ) throws(TemplateFault) -> TemplateExpression {
        var left = try operand(&self)
        while let calculation = operators[try peek().kind] {
            let leftWords = text(lexer.bytes[words])
            let start = try take().end
            let right = try operand(&self)
            left = .calculate(calculation, left, right, words: (leftWords, text(lexer.bytes[words])))
            words = start..<tokens[index - 1].end
        }
        return left
    }

    private mutating func unary() throws(TemplateFault) -> TemplateExpression {
        let ahead = try peek().kind == .space ? 1 : 0
        guard try peek(ahead).kind == .not else { return try primary() }
        try skipSpace()
        try take()
        try descend()
        defer { ascend() }
        return .not(try unary())
    }

    private mutating func primary() throws(TemplateFault) -> TemplateExpression {
        try skipSpace()
        let found: TemplateExpression
        if try peek().kind == .leftParenthesis {
            let start = try take().end
            found = try expression()
            let end = try take(.rightParenthesis).start
            words = start..<end
        } else {
            let start = try peek().start
            found = try value(canBeDecimal: true)
            words = start..<tokens[index - 1].end
        }
        try skipSpace()
        return found
    }

    /// A value of a method, a list, a map: blanks may stand around it.
    mutating func parameter() throws(TemplateFault) -> TemplateExpression {
        try skipSpace()
        let found = try value(canBeDecimal: true)
        try skipSpace()
        return found
    }

    /// What stands between the brackets of an index.
    mutating func indexParameter() throws(TemplateFault) -> TemplateExpression {
        try skipSpace()
        guard [.string, .integer, .yes, .no, .identifier, .leftBrace].contains(try peek().kind) else {
            throw try unexpected()
        }
        let found = try value(canBeDecimal: false)
        try skipSpace()
        return found
    }

    mutating func value(canBeDecimal: Bool) throws(TemplateFault) -> TemplateExpression {
        try descend()
        defer { ascend() }
        let token = try peek()
        switch token.kind {
        case .string:
            try take()
            return try string(token)
        case .integer:
            try take()
            let digits = text(image(token))
            if let integer = Int64(digits) { return .constant(.integer(integer)) }
            guard let large = Int128(digits) else {
                throw TemplateFault("A number has at most 128 bits.", at: token.start)
            }
            return .constant(.large(large))
        case .decimal where canBeDecimal:
            try take()
            let digits = text(image(token))
            return .constant(.decimal(Double(digits) ?? Double(digits + "0") ?? 0))
        case .yes, .no:
            try take()
            return .constant(.bool(token.kind == .yes))
        case .null:
            try take()
            return .null
        case .identifier, .leftBrace:
            return .reference(try reference())
        case .leftBracket:
            return try isRange() ? try range() : try list()
        case .leftCurly:
            return try map()
        default:
            throw try unexpected()
        }
    }

    // MARK: - Lists and maps

    /// Whether `[a..b]` stands here. It is tried once for each bracket, since each within it would be tried again.
    private mutating func isRange() throws(TemplateFault) -> Bool {
        if let known = ranges[index] { return known }
        let start = index
        var isRange = false
        let saved = self.names
        do throws(TemplateFault) {
            try descend()
            defer { ascend() }
            try take(.leftBracket)
            try skipSpace()
            switch try peek().kind {
            case .integer: try take()
            case .identifier, .leftBrace: _ = try reference()
            default: throw try unexpected()
            }
            try skipSpace()
            isRange = try peek().kind == .twoDots
        } catch {
            names = saved
        }
        index = start
        ranges[start] = isRange
        return isRange
    }

    private mutating func range() throws(TemplateFault) -> TemplateExpression {
        try take(.leftBracket)
        let first = try bound()
        try take(.twoDots)
        let last = try bound()
        try take(.rightBracket)
        return .range(first, last)
    }

    private mutating func bound() throws(TemplateFault) -> TemplateExpression {
        try skipSpace()
        guard [.integer, .identifier, .leftBrace].contains(try peek().kind) else { throw try unexpected() }
        let bound = try value(canBeDecimal: false)
        try skipSpace()
        return bound
    }

    private mutating func list() throws(TemplateFault) -> TemplateExpression {
        try take(.leftBracket)
        guard try peek().kind != .rightBracket else {
            try take()
            return .list([])
        }
        var elements = [try parameter()]
        while try peek().kind == .comma {
            try take()
            elements.append(try parameter())
        }
        try take(.rightBracket)
        return .list(elements)
    }

    private mutating func map() throws(TemplateFault) -> TemplateExpression {
        try take(.leftCurly)
        var members: [(TemplateExpression, TemplateExpression)] = []
        let first = try peek().kind == .space ? try peek(1).kind : try peek().kind
        if first != .rightCurly, first != .rightBrace {
            repeat {
                if !members.isEmpty { try take(.comma) }
                let key = try key()
                try take(.colon)
                members.append((key, try parameter()))
            } while try peek().kind == .comma
        }
        try skipSpace()
        guard [.rightCurly, .rightBrace].contains(try peek().kind) else { throw try unexpected() }
        try take()
        return .map(members)
    }

    /// AppSync's templates write keys also without quotes.
    private mutating func key() throws(TemplateFault) -> TemplateExpression {
        let ahead = try peek().kind == .space ? 1 : 0
        let token = try peek(ahead)
        let isBare = token.kind == .word || (token.kind == .identifier && image(token).first != UInt8(ascii: "$"))
        guard isBare, !image(token).contains(UInt8(ascii: "$")) else { return try parameter() }
        try skipSpace()
        try take()
        try skipSpace()
        return .constant(.text(text(image(token))))
    }

    // MARK: - Texts

    /// Single quotes take a text as it is; in double ones references and directives are run.
    private mutating func string(_ token: TemplateToken) throws(TemplateFault) -> TemplateExpression {
        let image = lexer.bytes[token.start..<token.end]
        guard let quote = image.first else { return .constant(.text("")) }
        var content: [UInt8] = []
        var index = image.startIndex + 1
        while index < image.endIndex - 1 {
            content.append(image[index])
            index += image[index] == quote ? 2 : 1
        }
        guard quote == UInt8(ascii: "\"") else { return .constant(.text(text(content))) }
        let isRun = content.contains(UInt8(ascii: "$")) || content.contains(UInt8(ascii: "#"))
        content = try Self.unescaped(content, at: token.start)
        guard isRun else { return .constant(.text(text(content))) }
        let hasLineComment = image.indices.dropLast().contains {
            image[$0] == UInt8(ascii: "#") && image[$0 + 1] == UInt8(ascii: "#")
        }
        if !hasLineComment { content.append(UInt8(ascii: " ")) }
        var parser = TemplateParser(content, within: self, at: token.start + 1)
        do throws(TemplateFault) {
            let nodes = try parser.template()
            names = parser.names
            return .interpolated(nodes, cuts: !hasLineComment)
        } catch {
            throw TemplateFault(error.message, at: token.start)
        }
    }

    /// `\u0041` is the character of that number.
    private static func unescaped(_ content: [UInt8], at offset: Int) throws(TemplateFault) -> [UInt8] {
        guard content.contains(UInt8(ascii: "\\")) else { return content }
        var units: [UInt16] = []
        let text = Array(String(decoding: content, as: UTF8.self).utf16)
        var index = 0
        while index < text.count {
            guard text[index] == 0x5C, index + 1 < text.count, text[index + 1] == 0x75, index + 6 <= text.count else {
                units.append(text[index])
                index += 1
                continue
            }
            guard let unit = UInt16(String(decoding: text[(index + 2)..<(index + 6)], as: UTF16.self), radix: 16) else {
                throw TemplateFault("\\u takes four hexadecimal digits.", at: offset)
            }
            units.append(unit)
            index += 6
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
