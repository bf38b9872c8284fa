import Testing

@testable import Script

/// Texts as units: case, normal forms, URIs and order.
struct UnicodeTests {
    private static func text(_ units: [UInt16]?) -> String? {
        units.map { String(decoding: $0, as: UTF16.self) }
    }

    @Test(
        "case follows Unicode's full mappings",
        arguments: [
            ("aBc1", "abc1", "ABC1"), ("Straße", "straße", "STRASSE"), ("ΑΣ", "ας", "ΑΣ"), ("ΑΣΑ", "ασα", "ΑΣΑ"),
            ("Σ", "σ", "Σ"), ("ΑΣ.", "ας.", "ΑΣ."), ("Α\u{AD}Σ\u{301}", "α\u{AD}ς\u{301}", "Α\u{AD}Σ\u{301}"),
            ("İ", "i\u{307}", "İ"), ("ŉ", "ŉ", "ʼN"), ("𐐀", "𐐨", "𐐀"), ("ﬁ", "ﬁ", "FI"), ("", "", ""),
        ])
    func cases(_ text: String, _ lower: String, _ upper: String) {
        #expect(
            Self.text(CaseMapping.lowercase(Array(text.utf16)))?.unicodeScalars.elementsEqual(lower.unicodeScalars)
                == true)
        #expect(
            Self.text(CaseMapping.uppercase(Array(text.utf16)))?.unicodeScalars.elementsEqual(upper.unicodeScalars)
                == true)
    }

    @Test("halves of pairs stay as they are")
    func surrogates() {
        let units: [UInt16] = [0xDE00, 0x61, 0xD83D]
        #expect(CaseMapping.uppercase(units) == [0xDE00, 0x41, 0xD83D])
        for form in [Normalization.composed, .decomposed, .compatibilityComposed, .compatibilityDecomposed] {
            #expect(form.apply(to: units) == units)
        }
    }

    @Test(
        "a text has four normal forms",
        arguments: [
            ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}", "\u{1E69}", "s\u{323}\u{307}"),
            (
                "한글", "한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글",
                "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"
            ),
            ("e\u{301}", "\u{E9}", "e\u{301}", "\u{E9}", "e\u{301}"), ("ﬁ", "ﬁ", "ﬁ", "fi", "fi"),
            ("\u{212B}", "\u{C5}", "A\u{30A}", "\u{C5}", "A\u{30A}"),
            (
                "a\u{315}\u{300}\u{5AE}\u{62}", "\u{E0}\u{5AE}\u{315}b", "a\u{5AE}\u{300}\u{315}b",
                "\u{E0}\u{5AE}\u{315}b", "a\u{5AE}\u{300}\u{315}b"
            ),
            ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
        ])
    func normalForms(_ text: String, _ nfc: String, _ nfd: String, _ nfkc: String, _ nfkd: String) {
        for (form, expected) in [
            (Normalization.composed, nfc), (.decomposed, nfd), (.compatibilityComposed, nfkc),
            (.compatibilityDecomposed, nfkd),
        ] {
            #expect(form.apply(to: Array(text.utf16)) == Array(expected.utf16), "\(form.rawValue)")
        }
        #expect(Normalization(rawValue: "NFX") == nil)
    }

    @Test("URIs are encoded and decoded, and what is none is refused")
    func uris() {
        #expect(Self.text(URICoding.encodeURIComponent(Array("a b&é😀;/".utf16))) == "a%20b%26%C3%A9%F0%9F%98%80%3B%2F")
        #expect(Self.text(URICoding.encodeURI(Array("a b&é#".utf16))) == "a%20b&%C3%A9#")
        #expect(URICoding.encodeURI([0xD83D]) == nil && URICoding.encodeURIComponent([0xDE00, 0xD83D]) == nil)
        #expect(Self.text(URICoding.decodeURIComponent(Array("%F0%9F%98%80%26%41".utf16))) == "😀&A")
        #expect(Self.text(URICoding.decodeURI(Array("%26%41%23%C3%A9".utf16))) == "%26A%23é")
        for wrong in [
            "%", "%4", "%zz", "%80", "%C3", "%C3%41", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%F8%80%80%80%80",
            "%E2%82",
        ] {
            #expect(URICoding.decodeURIComponent(Array(wrong.utf16)) == nil, "\(wrong)")
        }
        #expect(Self.text(URICoding.escape(Array("a b+é中".utf16))) == "a%20b+%E9%u4E2D")
        #expect(Self.text(URICoding.unescape(Array("%u4E2D%E9%41%u12%".utf16))) == "中éA%u12%")
    }

    @Test("texts are ordered by letters first, then by accents, then by case")
    func order() {
        let sorted = ["", " ", "_", "-", ",", "$", "1", "a", "A", "á", "ab", "aB", "b", "é", "ea", "z", "Z", "ß", "sz"]
            .filter { !["é", "ea", "ß", "sz"].contains($0) }
        for (index, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                let order = TextCollation.compare(Array(left.utf16), Array(right.utf16))
                #expect(order == (index < other ? -1 : index > other ? 1 : 0), "\(left) \(right)")
            }
        }
        #expect(TextCollation.compare(Array("\u{E9}".utf16), Array("e\u{301}".utf16)) == 0)
        #expect(TextCollation.compare(Array("résumé".utf16), Array("resumes".utf16)) == -1)
    }

    @Test("properties of code points are known by their names")
    func properties() throws {
        #expect(
            UnicodeProperty.set("Lu", nil)?.contains(0x41) == true
                && UnicodeProperty.set("Script", "Greek")?.contains(0x3B1) == true)
        #expect(
            UnicodeProperty.set("sc", "Qaac") == UnicodeProperty.set("Script", "Copt")
                && UnicodeProperty.set("digit", nil) == UnicodeProperty.set("gc", "Nd"))
        #expect(
            UnicodeProperty.set("Any", nil) == .all && UnicodeProperty.set("Assigned", nil)?.contains(0xD800) == true)
        for (name, value) in [
            ("lu", nil), ("Script", nil), ("Greek", nil), ("", nil), ("gc", "Foo"), ("Alphabetic", "Y"),
            ("Line_Break", nil), ("IsGreek", nil),
        ] as [(String, String?)] {
            #expect(UnicodeProperty.set(name, value) == nil, "\(name)")
        }
    }
}
