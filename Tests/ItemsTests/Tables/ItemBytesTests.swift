import JSON
import Testing

@testable import Items

@Suite("Items as bytes")
struct ItemBytesTests {
    private static let texts = [
        #"{}"#, #"{"a":{"S":""}}"#, #"{"a":{"S":"é\u0000"},"b":{"N":"-1.5"}}"#,
        #"{"a":{"L":[{"N":"1.50"},{"M":{"b":{"N":"1e3"},"c":{"NULL":true}}},{"BOOL":false},{"BOOL":true}]}}"#,
        #"{"s":{"SS":["a","b"]},"n":{"NS":["1","2.5"]},"b":{"BS":["AQ==","Ag=="]},"x":{"B":""},"l":{"L":[]},"m":{"M":{}}}"#,
        #"{"big":{"N":"1E125"},"small":{"N":"-1E-130"},"zero":{"N":"0"}}"#,
    ]

    @Test("are read as they were written", arguments: texts)
    func roundTrip(_ text: String) throws {
        let item = try Item(json: JSONReader.value(of: text))
        let read = try #require(ItemBytes.item(ItemBytes.of(item)))
        #expect(JSONWriter.text(of: read.json) == JSONWriter.text(of: item.json))
    }

    @Test("are no item where one byte is missing or another one", arguments: texts)
    func broken(_ text: String) throws {
        let bytes = ItemBytes.of(try Item(json: JSONReader.value(of: text)))
        for count in 0..<bytes.count { #expect(ItemBytes.item(Array(bytes.prefix(count))) == nil) }
        #expect(ItemBytes.item(bytes + [0]) == nil)
        // Whatever else they mean, nothing is read beyond them.
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 0xFF
            _ = ItemBytes.item(other)
        }
    }

    @Test("a prefix ends before what follows it")
    func prefixes() {
        #expect([UInt8]([1, 2]).behindPrefix == [1, 3])
        #expect([UInt8]([1, 0xFF]).behindPrefix == [2])
        #expect([UInt8]([0xFF, 0xFF]).behindPrefix == nil)
        #expect([UInt8]().behindPrefix == nil)
        #expect(SortBounds.beginning(with: [0xFF]).contains([0xFF, 0xFF, 0xFF]))
        #expect(!SortBounds.above([1]).contains([1]))
        #expect(SortBounds.above([1]).contains([1, 0]))
        #expect(SortBounds.between([1], [2]).contains([2]))
        #expect(!SortBounds.between([1], [2]).contains([2, 0]))
    }

    @Test("keys that have the same bytes together are told apart")
    func ties() {
        let one = ItemPlace(partition: Array("ab".utf8), sort: Array("c".utf8))
        let other = ItemPlace(partition: Array("a".utf8), sort: Array("bc".utf8))
        #expect(one.tie != other.tie)
        #expect(one.spread >= 0 && one.spread < ItemPlace.spreadMax)
    }
}
