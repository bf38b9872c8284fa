import Testing

@testable import GraphQL

@Suite("A table of names")
struct NameTableTests {
    /// Names of all lengths around those where the hash takes eight bytes at a time, and many with common starts.
    static let names =
        (0...40).map { String(repeating: "a", count: $0) }
        + (0..<2_000).map { "ModelSubscription\($0)FilterInput" } + ["é", "名前", "a\u{0}", "\u{0}"]

    @Test("finds each name by the number it came with, and no other")
    func findsNames() {
        var table = NameTable()
        for (number, name) in Self.names.enumerated() {
            #expect(table[name] == nil)
            let added = table.insert(name)
            #expect(added.isNew && added.number == number)
        }
        for (number, name) in Self.names.enumerated() {
            #expect(table[name] == number)
            #expect(!table.contains(name + "?"))
        }
        #expect(table.names == Self.names)
    }

    @Test("keeps the number of a name's first addition")
    func keepsFirst() {
        var table = NameTable(["a", "b", "a", "c"])
        #expect(table.count == 4)
        #expect(["a", "b", "c", "d"].map { table[$0] } == [0, 1, 3, nil])
        let again = table.insert("b")
        #expect(!again.isNew && again.number == 1)
        let new = table.insert("d")
        #expect(new.isNew && new.number == 4)
        #expect(table["d"] == 4)
    }

    @Test("is the same whether it grows or is made at once", arguments: [0, 1, 2, 3, 4, 5, 8, 9, 100])
    func grows(count: Int) {
        let names = (0..<count).map { "name\($0)" }
        let whole = NameTable(names)
        var grown = NameTable(capacity: count / 2)
        for name in names { grown.insert(name) }
        for name in names + ["name", ""] { #expect(whole[name] == grown[name]) }
        #expect(NameTable()["a"] == nil)
    }
}
