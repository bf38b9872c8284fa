import Testing

@testable import JSON

@Suite("Kinds of bytes")
struct KindsTests {
    @Test("are those of ASCII, for every byte")
    func kinds() {
        let digits = Set("0123456789".utf8)
        let small = Set("abcdefghijklmnopqrstuvwxyz".utf8)
        let large = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isDigit == digits.contains(byte))
            #expect(byte.isLowercase == small.contains(byte))
            #expect(byte.isUppercase == large.contains(byte))
            #expect(byte.isLetter == (small.contains(byte) || large.contains(byte)))
            #expect(byte.isAlphanumeric == (byte.isLetter || byte.isDigit))
            #expect(byte.isWord == (byte.isAlphanumeric || byte == UInt8(ascii: "_")))
            #expect(byte.isLowercaseHexadecimal == "0123456789abcdef".utf8.contains(byte))
            let isASCII = byte < 0x80
            let value = isASCII ? Character(UnicodeScalar(byte)).hexDigitValue : nil
            #expect(byte.hexadecimalValue.map(Int.init) == value)
            #expect(byte.lowercased == (large.contains(byte) ? byte + 0x20 : byte))
        }
    }

    @Test(
        "a text that is too long is cut, and says so",
        arguments: [("abc", 3, "abc"), ("abcd", 3, "abc…"), ("", 0, ""), ("a", 0, "…"), ("é", 1, "\u{FFFD}…")])
    func shortened(text: String, bytesMax: Int, expected: String) {
        #expect(text.shortened(to: bytesMax) == expected)
    }
}

@Suite("Escapes of URLs")
struct PercentCodingTests {
    @Test(
        "every byte but letters, digits and four signs is escaped, and found again",
        arguments: [("a-b_c.d~0", "a-b_c.d~0"), ("a b/c", "a%20b%2Fc"), ("é+%", "%C3%A9%2B%25"), ("", "")])
    func encoded(text: String, expected: String) {
        #expect(PercentCoding.encoded(text) == expected)
        #expect(PercentCoding.decoded(expected.utf8) == Array(text.utf8))
    }

    @Test("what is kept is said by the caller")
    func kept() { #expect(PercentCoding.encoded("a b/c", keeping: { $0 != UInt8(ascii: " ") }) == "a%20b/c") }

    @Test(
        "what is no escape stays as it is, or makes a form unreadable",
        arguments: [
            ("%41%4a", "AJ", "AJ"), ("%", "%", nil), ("%4", "%4", nil), ("%4g", "%4g", nil), ("a+b", "a+b", "a b"),
            ("%2b+", "++", "+ "),
        ] as [(String, String, String?)])
    func decoded(text: String, expected: String, form: String?) {
        #expect(PercentCoding.decoded(text.utf8) == Array(expected.utf8))
        #expect(PercentCoding.decodedForm(text.utf8) == form.map { Array($0.utf8) })
    }
}
