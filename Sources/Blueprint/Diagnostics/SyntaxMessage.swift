import GraphQL
import JSON

/// The text of a syntax error in the words that schema authors know from Amplify's own tools.
///
///     expected ":", found "}"                     →  Syntax Error: Expected ":", found "}".
///     expected a definition, found the end of …   →  Syntax Error: Unexpected <EOF>.
package enum SyntaxMessage {
    /// The text for a schema without anything in it.
    package static let empty = "Syntax Error: Unexpected <EOF>."

    package static func text(of error: SyntaxError, in source: Source) -> String {
        if error.kind == .syntax, let text = lexicalText(of: error, in: source.bytes) { return "Syntax Error: " + text }
        guard error.kind == .syntax, error.message.hasPrefix(expectedMark),
            let comma = error.message.range(ofBytesOf: foundMark)
        else { return "Syntax Error: \(Names.upper(error.message))." }
        let expected = String(error.message[..<comma.lowerBound].dropFirst(expectedMark.count))
        let found = String(error.message[comma.upperBound...])
        let token = token(found, of: error, in: source)
        guard let kind = kind(expected) else { return "Syntax Error: Unexpected \(token)." }
        return "Syntax Error: Expected \(kind), found \(token)."
    }

    /// The text for characters that make no token.
    private static func lexicalText(of error: SyntaxError, in bytes: [UInt8]) -> String? {
        let message = error.message
        let offset = error.position.offset
        func starts(_ start: String) -> Bool { message.hasPrefix(expectedMark + start) }
        if starts("a double quote") || starts("three double quotes") { return "Unterminated string." }
        if starts("a number without leading zeros") {
            return "Invalid number, unexpected digit after 0: \(character(at: offset, in: bytes))."
        }
        if starts("a digit, found") || starts("the end of the number") {
            return "Invalid number, expected digit but got: \(character(at: offset, in: bytes))."
        }
        if starts("one of the escapes") || starts("a Unicode character as four") || starts("an escape") {
            let isUnicode = bytes.indices.contains(offset + 1) && bytes[offset + 1] == UInt8(ascii: "u")
            let end = min(offset + (isUnicode ? 6 : 2), bytes.count)
            return
                "Invalid character escape sequence: \(String(decoding: bytes[min(offset, end)..<end], as: UTF8.self))."
        }
        guard starts("a token, found") || message == "expected \"...\", found \".\"" else { return nil }
        guard bytes.indices.contains(offset) else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "'"):
            return "Unexpected single quote character ('), did you mean to use a double quote (\")?"
        case 0..<0x20: return "Cannot contain the invalid character \(character(at: offset, in: bytes))."
        default: return "Cannot parse the unexpected character \(character(at: offset, in: bytes))."
        }
    }

    /// The character at an offset in quotes: as it is in ASCII, by its number otherwise.
    private static func character(at offset: Int, in bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.dropFirst(offset).prefix(4), as: UTF8.self)
        guard let unit = text.utf16.first else { return "<EOF>" }
        switch unit {
        case UInt16(UInt8(ascii: "\"")): return "\"\\\"\""
        case UInt16(UInt8(ascii: "\\")): return "\"\\\\\""
        case 0x20..<0x7F: return "\"\(text.unicodeScalars.first.map(String.init) ?? "")\""
        default:
            let digits = String(unit, radix: 16, uppercase: true)
            return "\"\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)\""
        }
    }

    private static let expectedMark = "expected "
    private static let foundMark = ", found "

    /// What was expected, when one kind of token was; nil when any of several would have done.
    private static func kind(_ expected: String) -> String? {
        switch expected {
        case "a name", "a type", "a fragment's name", "the name of an enum value": "Name"
        case "a string": "String"
        case "an integer": "Int"
        case _ where expected.hasPrefix("\"") && !expected.contains(" "): expected
        default: nil
        }
    }

    /// The token that was found: `Name "x"`, `Int "3"`, `String "s"`, `"}"`, `<EOF>`.
    private static func token(_ found: String, of error: SyntaxError, in source: Source) -> String {
        switch found {
        case "the end of the document": return "<EOF>"
        case _ where found.hasPrefix("the name "): return "Name " + found.dropFirst("the name ".count)
        case _ where found.hasPrefix("the number "):
            let digits = found.dropFirst("the number ".count)
            let isFloat = digits.contains { $0 == "." || $0 == "e" || $0 == "E" }
            return "\(isFloat ? "Float" : "Int") \"\(digits)\""
        case "a string": return "String \"\(string(at: error.position.offset, in: source.bytes))\""
        default: return found
        }
    }

    /// The text of the string that starts at an offset, up to its end or the end of its line.
    private static func string(at offset: Int, in bytes: [UInt8]) -> String {
        let quote = UInt8(ascii: "\"")
        guard bytes.indices.contains(offset) else { return "" }
        let inside = bytes[offset...].drop { $0 == quote }.prefix { $0 != quote && $0 != UInt8(ascii: "\n") }
        return String(decoding: inside, as: UTF8.self)
    }
}
