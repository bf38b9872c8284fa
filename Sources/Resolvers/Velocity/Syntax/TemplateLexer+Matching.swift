import JSON

/// The longest token at a place. Of two that are as long, the one that is asked first stands.
extension TemplateLexer {
    enum Action: UInt8 {
        case none, dollar, hash, lineComment, documentComment, comment, unparsed, commentEnd, set, openIndex, pop, open,
            close
        case endArguments, enterDirective, literal, number, dot, terminator
    }

    struct Match {
        var kind: TemplateToken.Kind
        var length: Int
        var action: Action
        var endsInDots = false
    }

    func longestMatch() -> Match? {
        var best: Match?
        func offer(_ kind: TemplateToken.Kind, _ length: Int?, _ action: Action = .none) {
            guard let length, length > best?.length ?? 0 else { return }
            best = Match(kind: kind, length: length, action: action)
        }
        /// What can begin anywhere.
        func offerMarks() {
            let slashes = count(from: place) { $0 == UInt8(ascii: "\\") }
            if byte(at: place + slashes) == UInt8(ascii: "$") {
                offer(.more, slashes + 1, .dollar)
                let more = count(from: place + slashes + 1) { $0 == UInt8(ascii: "\\") }
                if byte(at: place + slashes + 1 + more) == UInt8(ascii: "!") {
                    offer(.more, slashes + more + 2, .dollar)
                }
            }
            guard byte(at: place) == UInt8(ascii: "#") else { return }
            offer(.more, length(of: "#[["), .unparsed)
            if length(of: "#**") != nil, let next = byte(at: place + 3), next != UInt8(ascii: "#") {
                offer(.more, 4, .documentComment)
            }
            offer(.more, length(of: "#*"), .comment)
            offer(.more, 1, .hash)
            // Behind a member, and within a method's parentheses, this begins no comment.
            if state == .text || state == .reference || state == .directive {
                offer(.comment, length(of: "##"), .lineComment)
            }
        }
        func offerSet() {
            let blanks = count(from: place) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard byte(at: place + blanks) == UInt8(ascii: "#"),
                let word = length(of: "#set", at: place + blanks) ?? length(of: "#{set}", at: place + blanks)
            else { return }
            let more = count(from: place + blanks + word) { $0 == UInt8(ascii: " ") }
            if byte(at: place + blanks + word + more) == UInt8(ascii: "(") {
                offer(.setDirective, blanks + word + more + 1, .set)
            }
        }
        func offerLiterals() {
            let spaces = count(from: place, Self.isSpace)
            offer(.space, spaces == 0 ? nil : spaces)
            offer(.string, lengthOfString(), .literal)
            offer(.yes, length(of: "true"))
            offer(.no, length(of: "false"))
        }
        func offerNumbers() {
            guard let integer = lengthOfInteger() else {
                return offer(.decimal, lengthOfDecimal(), .number)
            }
            if length(of: "..", at: place + integer) != nil {
                offer(.integer, integer + 2, .number)
                if let found = best, found.kind == .integer { best?.endsInDots = true }
            } else {
                offer(.integer, integer, .number)
            }
            offer(.decimal, lengthOfDecimal(), .number)
        }
        func offerDot() {
            if byte(at: place) == UInt8(ascii: "."), let next = byte(at: place + 1), next.isLetter {
                offer(.dot, 2, .dot)
            }
        }
        func offerWords() {
            offer(.word, lengthOfWord(at: place))
            offer(.bracketedWord, lengthOfBracketedWord(at: place))
        }
        func offer(_ text: StaticString, _ kind: TemplateToken.Kind, _ action: Action = .none) {
            offer(kind, length(of: text), action)
        }
        func offerBrackets() {
            offer("[", .leftBracket)
            offer("]", .rightBracket)
            offer(",", .comma)
            offer("..", .twoDots)
            offer(":", .colon)
            offer("{", .leftCurly)
            offer("}", .rightCurly)
        }

        switch state {
        case .text:
            offerEscapedDirective()
            offerSet()
            offerMarks()
            offer("\\\\", .doubleEscape)
            offer("\\", .escape)
            let text = count(from: place) {
                $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\")
            }
            offer(.text, text == 0 ? nil : text)
            offerEmptyIndex()
        case .reference, .member:
            offer("[", .leftIndex, .openIndex)
            if state == .member { offer("(", .leftParenthesis, .open) }
            offerSet()
            offerMarks()
            offer("true", .yes)
            offer("false", .no)
            offer(.identifier, lengthOfIdentifier(at: place))
            offerDot()
            offer("{", .leftBrace)
            offer("}", .rightBrace, .pop)
            offer(.terminator, 1, .terminator)
            if state == .reference { offerEmptyIndex() }
        case .arguments:
            offerBrackets()
            offer(")", .methodEnd, .endArguments)
            offerSet()
            offerMarks()
            offerLiterals()
            offerNumbers()
            offer(.identifier, lengthOfIdentifier(at: place))
            offerDot()
        case .index:
            offer("]", .rightIndex, .pop)
            offerMarks()
            offerLiterals()
            offerNumbers()
        case .directive:
            offerBrackets()
            offer("(", .leftParenthesis, .open)
            if byte(at: place) == UInt8(ascii: ")") {
                offer(.rightParenthesis, 1 + lengthOfLineEnd(at: place + 1), .close)
            }
            offerMarks()
            offerLiterals()
            offer("null", .null)
            for (text, kind) in Self.operators { offer(text, kind) }
            offerNumbers()
            offerWords()
        case .mark:
            offerMarks()
            for text in ["end", "{end}"] as [StaticString] {
                if let length = length(of: text) {
                    offer(.endDirective, length + lengthOfLineEnd(at: place + length), .pop)
                }
            }
            for text in ["if", "{if}"] as [StaticString] { offer(text, .ifDirective, .enterDirective) }
            for text in ["elseif", "{elseif}"] as [StaticString] { offer(text, .elseIfDirective, .enterDirective) }
            for text in ["else", "{else}"] as [StaticString] {
                if let length = length(of: text) {
                    offer(.elseDirective, length + lengthOfLineEnd(at: place + length), .pop)
                }
            }
            offerNumbers()
            offerWords()
            offer(.terminator, 1, .terminator)
        case .lineComment:
            offerMarks()
            let lineEnd = length(of: "\r\n") ?? length(of: "\n") ?? length(of: "\r")
            offer(.comment, lineEnd, .commentEnd)
            offer(.skipped, 1)
        case .documentComment, .comment:
            offerMarks()
            offer("*#", .comment, .commentEnd)
            offer(.skipped, 1)
        case .unparsed:
            offerMarks()
            offer("]]#", .unparsed, .commentEnd)
            offer(.more, 1)
        }
        return best

        func offerEscapedDirective() {
            let slashes = count(from: place) { $0 == UInt8(ascii: "\\") }
            guard slashes % 2 == 1, byte(at: place + slashes) == UInt8(ascii: "#") else { return }
            let start = place + slashes + 1
            if let word = lengthOfWord(at: start) ?? lengthOfBracketedWord(at: start) {
                offer(.escapedDirective, slashes + 1 + word)
            }
        }
        func offerEmptyIndex() {
            for text in ["$[", "$![", "$\\![", "$."] as [StaticString] { offer(text, .emptyIndex) }
        }
    }

    private static let operators: [(StaticString, TemplateToken.Kind)] = [
        ("-", .minus), ("+", .plus), ("*", .times), ("/", .divide), ("%", .modulo),
        ("&&", .and), ("and", .and), ("||", .or), ("or", .or),
        ("<", .less), ("lt", .less), ("<=", .lessOrEqual), ("le", .lessOrEqual),
        (">", .greater), ("gt", .greater), (">=", .greaterOrEqual), ("ge", .greaterOrEqual),
        ("==", .equal), ("eq", .equal), ("!=", .notEqual), ("ne", .notEqual), ("!", .not), ("not", .not),
        ("=", .assign),
    ]

    // MARK: - Lengths

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func count(from start: Int, _ belongs: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, belongs(bytes[index]) { index += 1 }
        return max(0, index - start)
    }

    private func length(of text: StaticString, at start: Int? = nil) -> Int? {
        let start = start ?? place
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return nil }
        for offset in 0..<count where bytes[start + offset] != text.utf8Start[offset] { return nil }
        return count
    }

    /// Blanks up to the end of the line, with it; nothing if something else stands there.
    private func lengthOfLineEnd(at start: Int) -> Int {
        let blanks = count(from: start) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let end = start + blanks
        guard let ending = length(of: "\r\n", at: end) ?? length(of: "\n", at: end) ?? length(of: "\r", at: end) else {
            return 0
        }
        return blanks + ending
    }

    private func lengthOfWord(at start: Int) -> Int? {
        guard let first = byte(at: start),
            first.isLetter || first == UInt8(ascii: "_") || first == UInt8(ascii: "@")
        else { return nil }
        return count(from: start, Self.isOfWord)
    }

    private func lengthOfBracketedWord(at start: Int) -> Int? {
        guard byte(at: start) == UInt8(ascii: "{"), let first = byte(at: start + 1),
            first.isLetter || first == UInt8(ascii: "_")
        else { return nil }
        let word = count(from: start + 1, Self.isOfWord)
        return byte(at: start + 1 + word) == UInt8(ascii: "}") ? word + 2 : nil
    }

    private func lengthOfIdentifier(at start: Int) -> Int? {
        guard let first = byte(at: start), first.isLetter || first == UInt8(ascii: "_") else { return nil }
        return count(from: start) {
            $0.isWord || $0 == UInt8(ascii: "-")
        }
    }

    /// A text in quotes, in which a quote is doubled and a backslash is nothing special.
    private func lengthOfString() -> Int? {
        guard let quote = byte(at: place), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var longest: Int?
        var index = place + 1
        while let next = bytes[min(index, bytes.count)...].firstIndex(of: quote) {
            longest = next + 1 - place
            guard byte(at: next + 1) == quote else { break }
            index = next + 2
        }
        return longest
    }

    private func lengthOfInteger() -> Int? {
        let sign = byte(at: place) == UInt8(ascii: "-") ? 1 : 0
        let digits = count(from: place + sign, \.isDigit)
        return digits == 0 ? nil : sign + digits
    }

    private func lengthOfDecimal() -> Int? {
        let sign = byte(at: place) == UInt8(ascii: "-") ? 1 : 0
        let whole = count(from: place + sign, \.isDigit)
        var end = place + sign + whole
        let hasPoint = byte(at: end) == UInt8(ascii: ".")
        if hasPoint {
            let fraction = count(from: end + 1, \.isDigit)
            guard whole + fraction > 0 else { return nil }
            end += 1 + fraction
        }
        guard whole > 0 || hasPoint else { return nil }
        if let mark = byte(at: end), mark | 0x20 == UInt8(ascii: "e") {
            let sign = byte(at: end + 1) == UInt8(ascii: "-") || byte(at: end + 1) == UInt8(ascii: "+") ? 1 : 0
            let digits = count(from: end + 1 + sign, \.isDigit)
            if digits > 0 { return end + 1 + sign + digits - place }
        }
        return hasPoint ? end - place : nil
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    static func isOfWord(_ byte: UInt8) -> Bool { byte.isWord || byte == UInt8(ascii: "@") }
}
