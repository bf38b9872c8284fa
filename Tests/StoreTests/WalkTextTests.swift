import Blueprint
import Testing

@testable import Store

@Suite("Texts of walks along a key")
struct WalkTextTests {
    private static let schema = """
        type Book @model { shelf: ID! @primaryKey(sortKeyFields: ["place"]) place: Int!
          author: String @index(name: "byAuthor", sortKeyFields: ["year"]) year: Int }
        """

    private func table() throws -> TableLayout {
        let blueprint = try #require(SDLReader.read(Self.schema).blueprint)
        return try #require(DatabaseLayout(of: blueprint).tables.first)
    }

    @Test("are those of the walk, whatever was asked before")
    func kept() throws {
        let table = try table()
        var kept = WalkTexts()
        let sides: [RecordWalk.Bound.Side] = [.equal, .above, .from, .below, .upTo]
        var shapes = 0
        for _ in 0..<2 {
            var walks: [RecordWalk] = []
            for key in table.keys {
                for isDescending in [false, true] {
                    for partition in [nil, StoredValue.text("a")] {
                        for after in [
                            nil,
                            RecordWalk.Place(
                                partition: partition == nil ? .text("a") : nil, sort: .integer(1), row: 3),
                        ] {
                            for bounds in [[]] + sides.map({ [RecordWalk.Bound($0, .integer(7))] }) {
                                walks.append(
                                    RecordWalk(
                                        table, by: key, partition: partition, bounds: bounds,
                                        isDescending: isDescending, after: after))
                            }
                        }
                    }
                }
            }
            for walk in walks {
                let text = kept.text(of: walk)
                #expect(text.text == walk.text)
                #expect(text.text.utf8.count { $0 == UInt8(ascii: "?") } == walk.values.count)
            }
            shapes = walks.count
        }
        #expect(kept.count == shapes)
    }

    @Test("are no more than their limit")
    func limit() throws {
        let table = try table()
        let key = try #require(table.primaryKey)
        var kept = WalkTexts()
        for number in 0..<(StoreLimits.walkTextsMax * 2 + 1) {
            let span = RecordWalk.Span(field: "field\(number)", range: 0...1)
            _ = kept.text(of: RecordWalk(table, by: key, within: span))
            #expect(kept.count <= StoreLimits.walkTextsMax)
        }
    }
}
