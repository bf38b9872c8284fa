import Testing

@testable import Script

@Suite("Names")
struct NameNumbersTests {
    @Test("equal spellings are one name, others are not, and each is spelled as it was given")
    func numbersAreGivenOnce() {
        let table = NameNumbers()
        let spellings = (0..<5000).map { "name\($0)" } + ["é", "e\u{301}", "", "__proto__", "constructor"]
        let names = spellings.map { table.name(of: $0) }
        #expect(Set(names).count == spellings.count)
        #expect(spellings.map { table.name(of: $0) } == names)
        #expect(names.map { table.text(of: $0).utf16.map { $0 } } == spellings.map { $0.utf16.map { $0 } })
        #expect(table.units(of: Name(number: -1)).isEmpty && table.units(of: Name(number: 1 << 30)).isEmpty)
    }

    @Test("a known name has its number in every table", arguments: WellKnownName.allCases)
    func knownNames(_ name: WellKnownName) {
        #expect(NameNumbers().name(of: name.rawValue) == .known(name))
    }

    @Test("each word that is a kind of its own is spelled as its case")
    func words() {
        #expect(TokenKind.words.count == 71)
        for word in TokenKind.words { #expect(word.spelling == "\(word.kind)") }
    }
}
