import JSON
import Testing

@testable import Items

@Suite("Items")
struct ItemTests {
    @Test("attributes are found by the bytes of their names, whatever their order")
    func attributes() {
        var item: Item = ["b": .bool(true), "a": .null, "é": .string("composed"), "e\u{301}": .string("two signs")]
        #expect(item.names == ["a", "b", "e\u{301}", "é"])
        #expect(item["é"] == .string("composed"))
        #expect(item["e\u{301}"] == .string("two signs"))
        #expect(item["c"] == nil)
        item["c"] = .null
        item["a"] = nil
        item["b"] = .bool(false)
        #expect(item == ["e\u{301}": .string("two signs"), "c": .null, "é": .string("composed"), "b": .bool(false)])
        #expect(Item([("a", .null), ("b", .null), ("a", .bool(true))]) == ["a": .bool(true), "b": .null])
    }

    @Test("many changes at once are the same as one after the other")
    func merging() {
        let names = (0..<40).map { "n\($0)" }
        let changes = (0..<60).filter { !$0.isMultiple(of: 3) }.map {
            ("n\($0)", $0.isMultiple(of: 2) ? ItemValue.null : nil)
        }
        var one = Item(names.map { ($0, .bool(true)) })
        var other = one
        for (name, value) in changes { one[name] = value }
        other.merge(changes.sorted { $0.0.compareBytes(to: $1.0) < 0 }.map { (name: $0.0, value: $0.1) })
        #expect(one == other)
    }

    static let sizes: [(String, Int)] = [
        (#"{"id":{"S":"t"}}"#, 3), (#"{"é":{"S":"é"}}"#, 4), (#"{"n":{"N":"0"}}"#, 2), (#"{"n":{"N":"1"}}"#, 3),
        (#"{"n":{"N":"-1"}}"#, 4), (#"{"n":{"N":"12"}}"#, 3), (#"{"n":{"N":"123"}}"#, 4), (#"{"n":{"N":"100"}}"#, 3),
        (#"{"n":{"N":"1.2"}}"#, 4), (#"{"b":{"BOOL":true}}"#, 2), (#"{"b":{"NULL":true}}"#, 2),
        (#"{"b":{"B":"AQI="}}"#, 3), (#"{"l":{"L":[]}}"#, 4), (#"{"l":{"L":[{"NULL":true},{"S":"ab"}]}}"#, 9),
        (#"{"m":{"M":{}}}"#, 4), (#"{"m":{"M":{"a":{"NULL":true}}}}"#, 7), (#"{"s":{"SS":["a","bc"]}}"#, 4),
    ]

    @Test("an item weighs what the service says", arguments: sizes)
    func size(_ text: String, _ size: Int) throws {
        #expect(try Item(json: JSONReader.value(of: text)).size == size)
    }

    @Test("values of one type are compared, and no others")
    func order() {
        #expect(ItemValue.string("B").order(to: .string("a")) == .before)
        #expect(ItemValue.string("ä").order(to: .string("z")) == .after)
        #expect(ItemValue.binary([255]).order(to: .binary([1, 2])) == .after)
        #expect(ItemValue.binary([1]).order(to: .binary([1, 0])) == .before)
        #expect(ItemValue.number(ItemNumber(9)).order(to: .number(ItemNumber(10))) == .before)
        #expect(ItemValue.string("1").order(to: .number(ItemNumber(1))) == nil)
        #expect(ItemValue.null.order(to: .null) == nil)
        #expect(ItemValue.string("é") != .string("e\u{301}"))
    }
}
