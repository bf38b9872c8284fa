import Testing

@testable import JSON

@Suite("Characters of XML")
struct XMLCharactersTests {
    @Test("a text is held if each of its characters is, wherever it lies")
    func texts() {
        let numbers =
            [UInt32](0...0x80) + [
                0xD7FF, 0xE000, 0xFFBE, 0xFFBF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0xF_FFFE, 0x10_FFFF,
            ]
        for scalar in numbers.compactMap({ Unicode.Scalar($0) }) {
            let isHeld = XMLCharacters.canHold(scalar)
            for text in ["\(scalar)", "a\(scalar)", "\(scalar)\u{FFFD}", "\u{EFFF}\(scalar)é", "\u{FFFD}\(scalar)"] {
                #expect(XMLCharacters.canHold(text) == isHeld, "U+\(String(scalar.value, radix: 16))")
            }
        }
        #expect(XMLCharacters.canHold(""))
        for refused in ["\u{0}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] { #expect(!XMLCharacters.canHold(refused)) }
    }
}
