extension TemplateParser {
    private enum Argument {
        case word(String)
        case value(TemplateExpression)
    }

    /// A directive with a word of its own, or text that looks like one.
    mutating func directive() throws(TemplateFault) -> TemplateNode {
        let token = try take()
        let name = text(token.kind == .word ? image(token).dropFirst() : image(token).dropFirst(2).dropLast())
        let directive = TemplateDirective(rawValue: name)
        lexer.enterDirective()
        guard lexer.standsBeforeParenthesis else {
            lexer.leaveDirective()
            switch directive {
            case .break: return .leave
            case .stop: return .stop
            case .return: return .end(nil)
            case nil: return .text(Array(image(token)))
            case .some: throw TemplateFault("#\(name) needs parentheses.", at: token.start)
            }
        }
        let arguments = try arguments(of: directive)
        let end = tokens[index - 1].end
        guard let directive else {
            guard name.utf8.first == UInt8(ascii: "@") else { return .text(Array(lexer.bytes[token.start..<end])) }
            // A call with a block, of something that is not there, is printed with its block.
            _ = try statements()
            return .text(Array(lexer.bytes[token.start..<(try take(.endDirective).end)]))
        }
        switch directive {
        case .break: return .leave
        case .stop: return .stop
        case .return: return .end(try returned(arguments, at: token.start))
        case .literal:
            _ = try statements()
            return .text(Array(lexer.bytes[end..<(try take(.endDirective).start)]))
        case .foreach: return try loop(arguments, at: token.start)
        case .define:
            guard case .value(.reference(let name))? = arguments.first, arguments.count == 1, let slot = name.slot
            else {
                throw TemplateFault("#define takes one name.", at: token.start)
            }
            let body = try statements()
            try take(.endDirective)
            return .define(slot: slot, body)
        case .include, .parse, .macro, .evaluate:
            throw TemplateFault("#\(name) is not available in mapping templates.", at: token.start)
        }
    }

    private func returned(_ arguments: [Argument], at offset: Int) throws(TemplateFault) -> TemplateExpression? {
        guard arguments.count <= 1 else { throw TemplateFault("#return takes one value.", at: offset) }
        guard case .value(let value)? = arguments.first else { return nil }
        return value
    }

    /// With two arguments there is nothing to go through.
    private mutating func loop(_ arguments: [Argument], at offset: Int) throws(TemplateFault) -> TemplateNode {
        guard arguments.count > 1 else {
            throw TemplateFault("#foreach is written as #foreach($item in $list).", at: offset)
        }
        var slot = names.place(of: "")
        if case .value(.reference(let name))? = arguments.first { slot = name.slot ?? slot }
        var source = TemplateExpression.null
        if arguments.count > 2, case .value(let value) = arguments[2] { source = value }
        var body = try statements()
        try take(.endDirective)
        // A value too many is taken for the block.
        if arguments.count > 3 {
            body = []
            if case .value(.reference(let reference)) = arguments[3] { body = [.reference(reference)] }
        }
        return .loop(TemplateNode.Loop(slot: slot, source: source, body: body, offset: base + offset))
    }

    private mutating func arguments(of directive: TemplateDirective?) throws(TemplateFault) -> [Argument] {
        try skipSpace()
        try take(.leftParenthesis)
        var arguments: [Argument] = []
        while true {
            try skipSpace()
            if try peek().kind == .rightParenthesis { break }
            if try peek().kind == .comma {
                try take()
                try skipSpace()
            }
            arguments.append(try argument())
            if case .word? = arguments.last, directive != nil, directive != .foreach || arguments.count != 2,
                directive != .macro
            {
                throw TemplateFault("A word is no argument of this directive.", at: tokens[index - 1].start)
            }
        }
        try take(.rightParenthesis)
        return arguments
    }

    private mutating func argument() throws(TemplateFault) -> Argument {
        let token = try peek()
        if token.kind == .word {
            try take()
            return .word(text(image(token)))
        }
        return .value(try value(canBeDecimal: true))
    }
}
