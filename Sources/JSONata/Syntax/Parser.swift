import JSON

/// Reads an expression by the binding powers of its operators, as the reference does (top down operator precedence).
struct Parser {
    private var lexer: Lexer
    private var token = Token(kind: .end, text: "(end)", position: 0)
    private var nestingLeft = JSONataLimits.nestingMax
    private var nodesLeft = JSONataLimits.nodesMax
    private let stack = StackUse(bytesMax: JSONataLimits.stackBytesMax)

    static func tree(of text: String) throws(JSONataError) -> Node {
        guard text.utf8.count <= JSONataLimits.textBytesMax else { throw tooLarge(JSONataLimits.textBytesMax) }
        var parser = Parser(lexer: Lexer(text))
        try parser.advance()
        let node = try parser.expression(0)
        guard parser.token.kind == .end else {
            throw JSONataError("S0201", at: parser.token.position, token: parser.token.text)
        }
        var builder = TreeBuilder()
        return try builder.root(node)
    }

    private init(lexer: Lexer) { self.lexer = lexer }

    private static func tooLarge(_ limit: Int) -> JSONataError { JSONataError("S0500", at: 0, value: "\(limit)") }

    private static let powers: [ByteText: Int] = [
        ".": 75, "[": 80, "{": 70, "(": 80, "@": 80, "#": 80, "?": 20, "+": 50, "-": 50, "*": 60, "/": 60, "%": 60,
        "=": 40, "<": 40, ">": 40, "^": 40, ":=": 10, "!=": 40, "<=": 40, ">=": 40, "~>": 40, "?:": 40, "??": 40,
        "and": 30, "or": 25, "in": 40, "&": 50,
    ]

    private var power: Int { token.kind == .symbol ? Self.powers[token.text] ?? 0 : 0 }

    private mutating func advance(_ wanted: String? = nil, isInfix: Bool = false) throws(JSONataError) {
        if let wanted, !token.isSymbol(wanted) {
            throw JSONataError(
                token.kind == .end ? "S0203" : "S0202", at: token.position, token: token.text,
                value: JSONWriter.text(of: .string(wanted)))
        }
        token = try lexer.next(isInfix: isInfix)
        if token.isSymbol("!") || token.isSymbol("~") {
            throw JSONataError("S0204", at: token.position, token: token.text)
        }
    }

    private mutating func node(_ kind: Node.Kind, _ text: String, _ position: Int) throws(JSONataError) -> Node {
        nodesLeft -= 1
        guard nodesLeft >= 0 else { throw Self.tooLarge(JSONataLimits.nodesMax) }
        return Node(kind, text, at: position)
    }

    private mutating func expression(_ rightPower: Int) throws(JSONataError) -> Node {
        nestingLeft -= 1
        defer { nestingLeft += 1 }
        guard nestingLeft >= 0, !stack.isExhausted else { throw Self.tooLarge(JSONataLimits.nestingMax) }
        var operand = token
        try advance(isInfix: true)
        var left = try measured(try prefix(operand))
        while rightPower < power {
            operand = token
            try advance()
            left = try measured(try infix(operand, left))
        }
        return left
    }

    /// Long chains of operators are as deep as they are long.
    private func measured(_ node: Node) throws(JSONataError) -> Node {
        var below = 0
        for inner in [node.lhs, node.rhs, node.other] { below = max(below, inner?.height ?? 0) }
        for inner in node.parts { below = max(below, inner.height) }
        for (key, value) in node.pairs { below = max(below, key.height, value.height) }
        node.height = below + 1
        guard node.height <= JSONataLimits.chainMax else { throw Self.tooLarge(JSONataLimits.chainMax) }
        return node
    }

    // MARK: What begins an expression

    private mutating func prefix(_ token: Token) throws(JSONataError) -> Node {
        switch token.kind {
        case .end: return try node(.end, token.text, token.position)
        case .name: return try node(.name, token.text, token.position)
        case .variable: return try node(.variable, token.text, token.position)
        case .string: return try node(.string, token.text, token.position)
        case .number:
            let node = try node(.number, token.text, token.position)
            node.number = token.number
            return node
        case .literal:
            let node = try node(.literal, token.text, token.position)
            node.literal = token.text == "null" ? .null : .bool(token.text == "true")
            return node
        case .regex:
            let node = try node(.regex, token.text, token.position)
            node.pattern = token.pattern
            return node
        case .symbol: return try prefixSymbol(token)
        }
    }

    private mutating func prefixSymbol(_ token: Token) throws(JSONataError) -> Node {
        let position = token.position
        switch token.text {
        case "and", "or", "in": return try node(.name, token.text, position)
        case "*": return try node(.wildcard, token.text, position)
        case "**": return try node(.descendant, token.text, position)
        case "%": return try node(.parent, token.text, position)
        case "-":
            let node = try node(.unary, "-", position)
            node.rhs = try expression(70)
            return node
        case "(":
            let node = try node(.block, "(", position)
            while !self.token.isSymbol(")") {
                node.parts.append(try expression(0))
                guard self.token.isSymbol(";") else { break }
                try advance(";")
            }
            try advance(")", isInfix: true)
            return node
        case "[": return try list(position)
        case "{":
            let node = try node(.unary, "{", position)
            node.pairs = try members()
            return node
        case "|":
            let node = try node(.transform, "|", position)
            node.lhs = try expression(0)
            try advance("|")
            node.rhs = try expression(0)
            if self.token.isSymbol(",") {
                try advance(",")
                node.other = try expression(0)
            }
            try advance("|")
            return node
        default: throw JSONataError("S0211", at: position, token: token.text)
        }
    }

    private mutating func list(_ position: Int) throws(JSONataError) -> Node {
        let made = try node(.unary, "[", position)
        if !token.isSymbol("]") {
            while true {
                var item = try expression(0)
                if token.isSymbol("..") {
                    let range = try node(.binary, "..", token.position)
                    range.lhs = item
                    try advance("..")
                    range.rhs = try expression(0)
                    item = range
                }
                made.parts.append(item)
                guard token.isSymbol(",") else { break }
                try advance(",")
            }
        }
        try advance("]", isInfix: true)
        return made
    }

    private mutating func members() throws(JSONataError) -> [(key: Node, value: Node)] {
        var pairs: [(key: Node, value: Node)] = []
        if !token.isSymbol("}") {
            while true {
                let key = try expression(0)
                try advance(":")
                pairs.append((key, try expression(0)))
                guard token.isSymbol(",") else { break }
                try advance(",")
            }
        }
        try advance("}", isInfix: true)
        return pairs
    }

    // MARK: What goes on with an expression

    private mutating func infix(_ symbol: Token, _ left: Node) throws(JSONataError) -> Node {
        let position = symbol.position
        switch symbol.text {
        case "(": return try call(left, position)
        case "[":
            guard token.isSymbol("]") else {
                let made = try node(.binary, "[", position)
                made.lhs = left
                made.rhs = try expression(0)
                try advance("]", isInfix: true)
                return made
            }
            var step = left
            while step.kind == .binary, step.text == "[", let inner = step.lhs { step = inner }
            step.keepsArray = true
            try advance("]")
            return left
        case "{":
            let made = try node(.binary, "{", position)
            made.lhs = left
            made.pairs = try members()
            return made
        case "^": return try order(left, position)
        case ":=":
            guard left.kind == .variable else { throw JSONataError("S0212", at: left.position, token: left.text) }
            return try binary(symbol, left, 9)
        case "@", "#":
            let made = try binary(symbol, left, 80)
            guard made.rhs?.kind == .variable else {
                throw JSONataError("S0214", at: made.rhs?.position, token: symbol.text)
            }
            return made
        case "?":
            let made = try node(.condition, "?", position)
            made.lhs = left
            made.rhs = try expression(0)
            if token.isSymbol(":") {
                try advance(":")
                made.other = try expression(0)
            }
            return made
        case "?:", "??":
            let made = try node(symbol.text == "??" ? .coalesce : .otherwise, symbol.text, position)
            made.lhs = left
            made.rhs = try expression(0)
            return made
        default: return try binary(symbol, left, Self.powers[symbol.text] ?? 0)
        }
    }

    private mutating func binary(_ symbol: Token, _ left: Node, _ power: Int) throws(JSONataError) -> Node {
        let made = try node(.binary, symbol.text, symbol.position)
        made.lhs = left
        made.rhs = try expression(power)
        return made
    }

    private mutating func call(_ left: Node, _ position: Int) throws(JSONataError) -> Node {
        let made = try node(.function, "(", position)
        made.lhs = left
        if !token.isSymbol(")") {
            while true {
                if token.isSymbol("?") {
                    made.kind = .partial
                    made.parts.append(try node(.placeholder, "?", token.position))
                    try advance("?")
                } else {
                    made.parts.append(try expression(0))
                }
                guard token.isSymbol(",") else { break }
                try advance(",")
            }
        }
        try advance(")", isInfix: true)
        guard left.kind == .name, left.text == "function" || left.text == "\u{03BB}" else { return made }
        for (number, argument) in made.parts.enumerated() where argument.kind != .variable {
            throw JSONataError("S0208", at: argument.position, token: argument.text, value: "\(number + 1)")
        }
        made.kind = .lambda
        made.parameters = made.parts.map(\.text)
        made.parts = []
        made.lhs = nil
        if token.isSymbol("<") { made.signature = try signature() }
        try advance("{")
        made.rhs = try expression(0)
        try advance("}")
        return made
    }

    private mutating func signature() throws(JSONataError) -> Signature {
        let position = token.position
        var depth = 1
        var text = "<"
        while depth > 0, !token.isSymbol("{"), token.kind != .end {
            try advance()
            if token.isSymbol(">") { depth -= 1 }
            if token.isSymbol("<") { depth += 1 }
            text += token.text
        }
        try advance(">")
        return try Signature(text, at: position)
    }

    private mutating func order(_ left: Node, _ position: Int) throws(JSONataError) -> Node {
        let made = try node(.binary, "^", position)
        made.lhs = left
        try advance("(")
        while true {
            let descends = token.isSymbol(">")
            if descends || token.isSymbol("<") { try advance() }
            made.parts.append(try expression(0))
            made.descends.append(descends)
            guard token.isSymbol(",") else { break }
            try advance(",")
        }
        try advance(")")
        return made
    }
}
