import GraphQL

/// Turns the text of a module into tokens, with the partner of each bracket.
///
/// Hot path: it works on bytes.
struct ScriptLexer {
    struct Output {
        let tokens: [ScriptToken]
        /// By the number of an opening bracket, the number of the one that closes it; -1 for all other tokens.
        let partners: [Int]
    }

    let bytes: [UInt8]
    let sourceNumber: Int
    let limits: TypeScriptLimits
    var offset = 0
    var tokens: [ScriptToken] = []
    private var partners: [Int] = []
    private var isOnNewLine = false
    /// The open brackets, by their token. A template with a substitution is open like a bracket.
    private var open: [Int] = []

    init(_ source: Source, sourceNumber: Int, limits: TypeScriptLimits) {
        bytes = source.bytes
        self.sourceNumber = sourceNumber
        self.limits = limits
        tokens.reserveCapacity(bytes.count / 5)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    static func tokens(
        of source: Source, sourceNumber: Int, limits: TypeScriptLimits
    ) throws(TypeScriptError) -> Output {
        guard source.bytes.count <= limits.bytesMax else {
            throw TypeScriptError(
                "the file has more than \(limits.bytesMax) bytes", at: Position(offset: 0, source: sourceNumber))
        }
        var lexer = ScriptLexer(source, sourceNumber: sourceNumber, limits: limits)
        return try lexer.run()
    }

    private mutating func run() throws(TypeScriptError) -> Output {
        if byte(0) == UInt8(ascii: "#"), byte(1) == UInt8(ascii: "!") { skipLine() }
        while true {
            try skipBlanks()
            guard offset < bytes.count else { break }
            guard tokens.count < limits.tokensMax else {
                throw error("the file has more than \(limits.tokensMax) tokens", at: offset)
            }
            try readToken()
        }
        if let last = open.last {
            throw error("\(tokens[last].description) is never closed", at: tokens[last].start)
        }
        add(.end, from: offset, text: "")
        return Output(tokens: tokens, partners: partners)
    }

    func error(_ message: String, at offset: Int) -> TypeScriptError {
        TypeScriptError(message, at: Position(offset: offset, source: sourceNumber))
    }

    /// The byte so far ahead; 0 beyond the end.
    func byte(_ ahead: Int = 0) -> UInt8 {
        offset + ahead < bytes.count ? bytes[offset + ahead] : 0
    }

    mutating func add(_ kind: ScriptToken.Kind, from start: Int, text: String, number: Double = 0) {
        tokens.append(
            ScriptToken(
                kind: kind, start: start, end: offset, isOnNewLine: isOnNewLine, text: text, number: number))
        partners.append(-1)
        isOnNewLine = false
    }

    // MARK: Blanks and comments

    private mutating func skipBlanks() throws(TypeScriptError) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x0A, 0x0D:
                isOnNewLine = true
                offset += 1
            case 0x20, 0x09, 0x0B, 0x0C: offset += 1
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): try skipComment()
            case 0xC2 where byte(1) == 0xA0: offset += 2
            case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: offset += 3
            case 0xE2 where byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9):
                isOnNewLine = true
                offset += 3
            default: return
            }
        }
    }

    private mutating func skipLine() {
        while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
    }

    private mutating func skipComment() throws(TypeScriptError) {
        let start = offset
        offset += 2
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                offset += 2
                return
            }
            if bytes[offset] == 0x0A || bytes[offset] == 0x0D { isOnNewLine = true }
            offset += 1
        }
        throw error("the comment has no end", at: start)
    }

    // MARK: Tokens

    private mutating func readToken() throws(TypeScriptError) {
        let start = offset
        let first = bytes[offset]
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 0x80...:
            readName()
        case UInt8(ascii: "#") where Self.continuesName(byte(1)):
            offset += 1
            readName()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        case UInt8(ascii: ".") where byte(1) >= UInt8(ascii: "0") && byte(1) <= UInt8(ascii: "9"): try readNumber()
        case UInt8(ascii: "'"), UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "`"):
            offset += 1
            let isWhole = try readTemplatePart(from: start, last: .template, other: .templateHead)
            if !isWhole { open.append(tokens.count - 1) }
        case UInt8(ascii: "}"): try readClosingBrace()
        case UInt8(ascii: "/") where isOperandExpected: try readRegularExpression()
        default: try readPunctuator(first)
        }
    }

    /// A brace may go on with the template whose substitution it ends.
    private mutating func readClosingBrace() throws(TypeScriptError) {
        let start = offset
        guard let last = open.last, tokens[last].kind == .templateHead else {
            return try readPunctuator(UInt8(ascii: "}"))
        }
        offset += 1
        if try readTemplatePart(from: start, last: .templateTail, other: .templateMiddle) {
            open.removeLast()
            partners[last] = tokens.count - 1
        }
    }

    private mutating func readName() {
        let start = offset
        while offset < bytes.count, Self.continuesName(bytes[offset]) { offset += 1 }
        add(.name, from: start, text: String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private static func continuesName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    /// Whether a slash here begins a regular expression: behind an operand it divides.
    private var isOperandExpected: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .name: return Self.wordsBeforeOperands.contains(last.text)
        case .punctuator: return ![")", "]", "}", "++", "--"].contains(last.text)
        case .templateHead, .templateMiddle: return true
        default: return false
        }
    }

    private static let wordsBeforeOperands: Set = [
        "return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new", "instanceof", "await",
        "yield",
    ]

    private static let punctuators: [String] = [
        ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=",
        "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", "**",
        "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":",
        "=", ".", "@",
    ]

    /// By their first byte, the longest first.
    private static let punctuatorsByByte: [[(text: String, bytes: [UInt8])]] = {
        var table = [[(text: String, bytes: [UInt8])]](repeating: [], count: 128)
        for text in punctuators {
            let bytes = Array(text.utf8)
            table[Int(bytes[0])].append((text, bytes))
        }
        return table
    }()

    private mutating func readPunctuator(_ first: UInt8) throws(TypeScriptError) {
        let start = offset
        let candidates = first < 128 ? Self.punctuatorsByByte[Int(first)] : []
        for (text, bytes) in candidates where self.bytes[offset...].starts(with: bytes) {
            // `a?.5:1` divides no chain.
            if text == "?.", byte(2) >= UInt8(ascii: "0"), byte(2) <= UInt8(ascii: "9") { continue }
            offset += bytes.count
            add(.punctuator, from: start, text: text)
            return try match(text)
        }
        let character = String(decoding: bytes[start..<min(start + 4, bytes.count)], as: UTF8.self).prefix(1)
        throw error("unexpected character \"\(character)\"", at: start)
    }

    private static let closers: [String: String] = ["(": ")", "[": "]", "{": "}", "`": "}"]

    private mutating func match(_ text: String) throws(TypeScriptError) {
        let number = tokens.count - 1
        switch text {
        case "(", "[", "{": open.append(number)
        case ")", "]", "}":
            guard let last = open.popLast() else { throw error("unexpected \"\(text)\"", at: tokens[number].start) }
            let opener = tokens[last].kind == .punctuator ? tokens[last].text : "`"
            let expected = Self.closers[opener] ?? "}"
            guard opener != "`", expected == text else {
                // At the end of the line before, if that is where it is missing.
                let place = tokens[number].isOnNewLine && number > 0 ? tokens[number - 1] : tokens[number]
                throw error(
                    "expected \"\(expected)\" to close the \"\(opener)\" before, found \"\(text)\"", at: place.start)
            }
            partners[last] = number
        default: return
        }
    }
}
