extension Lexer {
    /// Reads an integer or a float. Specification: sections 2.9.1 and 2.9.2.
    mutating func readNumber() throws(SyntaxFault) {
        let start = index
        var place = index
        var kind = TokenKind.int
        if bytes[place] == UInt8(ascii: "-") { place += 1 }
        if place < bytes.count, bytes[place] == UInt8(ascii: "0") {
            place += 1
            if place < bytes.count, isDigit(at: place) {
                throw SyntaxFault(
                    message: "expected a number without leading zeros, found \(characterText(at: place))", offset: place
                )
            }
        } else {
            try skipDigits(&place)
        }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            kind = .float
            place += 1
            try skipDigits(&place)
        }
        if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            kind = .float
            place += 1
            if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
                place += 1
            }
            try skipDigits(&place)
        }
        // `1x` and `1.2.3` are mistakes, not two tokens.
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") || Self.startsName(bytes[place]) {
            throw SyntaxFault(
                message: "expected the end of the number, found \(characterText(at: place))", offset: place)
        }
        finish(kind, from: start, to: place)
    }

    private func isDigit(at place: Int) -> Bool {
        bytes[place] >= UInt8(ascii: "0") && bytes[place] <= UInt8(ascii: "9")
    }

    private func skipDigits(_ place: inout Int) throws(SyntaxFault) {
        guard place < bytes.count, isDigit(at: place) else {
            throw SyntaxFault(message: "expected a digit, found \(characterText(at: place))", offset: place)
        }
        while place < bytes.count, isDigit(at: place) { place += 1 }
    }
}
