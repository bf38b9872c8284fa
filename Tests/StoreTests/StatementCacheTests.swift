import Testing

@testable import Store

@Suite("Prepared statements")
struct StatementCacheTests {
    private static let texts = (0..<100).map { SQLText("SELECT \($0)") }

    @Test("a text has one place, however many others are asked for")
    func keeps() {
        var cache = StatementCache(capacity: 200)
        let places = Self.texts.map { cache.place(of: $0) }
        #expect(Set(places.map(ObjectIdentifier.init)).count == Self.texts.count)
        for (text, place) in zip(Self.texts, places).reversed() {
            for _ in 0..<2 { #expect(cache.place(of: text) === place) }
        }
        #expect(cache.count == Self.texts.count)
    }

    @Test("what was let go of is not found again, also when it was asked for lately")
    func forgets() {
        var cache = StatementCache(capacity: 4)
        let first = cache.place(of: Self.texts[0])
        for text in Self.texts[1...4] { _ = cache.place(of: text) }
        #expect(cache.place(of: Self.texts[0]) !== first && cache.count <= 4)
        let last = cache.place(of: Self.texts[4])
        cache.removeAll()
        #expect(cache.count == 0 && cache.place(of: Self.texts[4]) !== last)
    }
}
