import JSON
import Testing

@Suite("A set of texts by their bytes")
struct ByteTextSetTests {
    @Test("has each of its texts and no other", arguments: [0, 1, 2, 3, 17, 1000])
    func membership(_ count: Int) {
        let texts = (0..<count).map { "VALUE_\($0)" }
        let set = ByteTextSet(texts + texts)
        for text in texts { #expect(set.contains(text)) }
        for other in [
            "", "VALUE_", "VALUE_\(count)", "value_0", "VALUE_0 ", "VALUE_00", String(repeating: "x", count: 500),
        ] {
            #expect(!set.contains(other), "\(other)")
        }
    }

    @Test("does not fold Unicode, and may have the empty text")
    func bytes() {
        let set = ByteTextSet(["K", "é", ""])
        #expect(set.contains("K") && set.contains("é") && set.contains(""))
        #expect(!set.contains("\u{212A}") && !set.contains("e\u{301}"))
    }
}
