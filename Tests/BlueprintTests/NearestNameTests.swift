import Blueprint
import Testing

@Suite("Names that were meant")
struct NearestNameTests {
    static let names = ["schema", "serve", "port", "host", "listen", "log.level"]

    @Test(
        "a slip of the finger finds its name",
        arguments: [
            ("shema", "schema"), ("schmea", "schema"), ("SCHEMA", "schema"), ("prot", "port"), ("ports", "port"),
            ("hos", "host"), ("srve", "serve"), ("log.levle", "log.level"),
        ])
    func finds(name: String, meant: String) {
        #expect(NearestName.of(name, in: Self.names) == meant)
    }

    @Test("anything else finds none", arguments: ["", "banana", "x", String(repeating: "schema", count: 1000)])
    func findsNone(name: String) {
        #expect(NearestName.of(name, in: Self.names) == nil)
    }
}
