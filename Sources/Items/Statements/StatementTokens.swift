import JSON

/// The words and signs of a statement of PartiQL, one after the other.
struct StatementTokens {
    enum Token: Equatable {
        /// A word, as it is written: a keyword, or a name.
        case word(String)
        /// `"name"`
        case quoted(String)
        /// `'text'`
        case text(String)
        /// A number, as it is written.
        case number(String)
        /// `=`, `<>`, `<<`, `(` and so on; `?` is a parameter.
        case sign(String)
        case end

        static func == (left: Token, right: Token) -> Bool {
            switch (left, right) {
            case (.word(let one), .word(let other)), (.quoted(let one), .quoted(let other)),
                (.text(let one), .text(let other)), (.number(let one), .number(let other)),
                (.sign(let one), .sign(let other)):
                one.compareBytes(to: other) == 0
            case (.end, .end): true
            default: false
            }
        }
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private static let long = ["<<", ">>", "<=", ">=", "<>", "!="].map { Array($0.utf8) }
    private static let short = Set("=<>+-,.()[]{}:*?;".utf8)

    mutating func next() throws(ItemError) -> Token {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
        guard place < bytes.count else { return .end }
        let byte = bytes[place]
        switch byte {
        case UInt8(ascii: "'"): return .text(try quoted(byte))
        case UInt8(ascii: "\""): return .quoted(try quoted(byte))
        case _ where byte.isDigit: return .number(number())
        case _ where Self.isWordStart(byte): return .word(word { Self.isWordStart($0) || $0.isDigit })
        default: break
        }
        for sign in Self.long where bytes[place...].starts(with: sign) {
            place += sign.count
            return .sign(String(decoding: sign, as: UTF8.self))
        }
        guard Self.short.contains(byte) else {
            throw Statement.refusal("Unexpected term: \(String(decoding: [byte], as: UTF8.self))")
        }
        place += 1
        return .sign(String(decoding: [byte], as: UTF8.self))
    }

    /// The name of a table or an index, which may have points and dashes where it is within quotes, and dashes without them.
    mutating func tableName() throws(ItemError) -> String {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
        if place < bytes.count, bytes[place] == UInt8(ascii: "\"") { return try quoted(bytes[place]) }
        let name = word {
            Self.isWordStart($0) || $0.isDigit || $0 == UInt8(ascii: "-")
        }
        guard !name.isEmpty else { throw Statement.refusal("The name of a table is expected") }
        return name
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    private mutating func word(_ belongs: (UInt8) -> Bool) -> String {
        let start = place
        while place < bytes.count, belongs(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The text within quotes; a quote within them is written twice.
    private mutating func quoted(_ quote: UInt8) throws(ItemError) -> String {
        place += 1
        var text: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            guard byte == quote else {
                text.append(byte)
                continue
            }
            guard place < bytes.count, bytes[place] == quote else { return String(decoding: text, as: UTF8.self) }
            text.append(quote)
            place += 1
        }
        throw Statement.refusal("A quote is not closed")
    }

    private mutating func number() -> String {
        let start = place
        func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
        while place < bytes.count {
            let byte = bytes[place]
            let goesOn =
                byte.isDigit || byte == UInt8(ascii: ".") || isExponent(byte)
                || (isSign(byte) && isExponent(bytes[place - 1]) && place > start)
            guard goesOn else { break }
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}
