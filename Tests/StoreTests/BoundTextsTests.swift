import Testing

@testable import Store

@Suite("Texts of bound values")
struct BoundTextsTests {
    private let folder = TestFolder()

    private static let values = SQLText("SELECT ?, ?, ? UNION ALL SELECT ?, ?, ?")

    private func texts(_ lengths: [Int]) -> [StoredValue] {
        lengths.enumerated().map { .text(String(repeating: "\($0)", count: $1)) }
    }

    private func rows(of connection: borrowing Connection, _ values: [StoredValue]) throws -> [StoredValue] {
        var found: [StoredValue] = []
        try connection.query(Self.values, values) { row throws(StoreError) in
            found += (0..<3).map { row.value($0) }
            return true
        }
        return found
    }

    @Test(
        "are bound as they are, whether there is room for them or not",
        arguments: [
            [0, 1, 15, 16, 40, 400], [4_095, 1, 0, 1, 5, 6], [4_096, 0, 1, 2, 3, 4], [4_097, 4_096, 1, 0, 9, 9],
            [2_000, 2_000, 2_000, 2_000, 2_000, 2_000],
        ])
    func bound(_ lengths: [Int]) throws {
        let connection = try Connection.open(path: folder.database, mode: .writer)
        for _ in 0..<3 { #expect(try rows(of: connection, texts(lengths)) == texts(lengths)) }
    }

    @Test("of a statement stay while others run inside of its rows, and the room is there again afterwards")
    func nested() throws {
        let connection = try Connection.open(path: folder.database, mode: .writer)
        let (outer, inner) = (texts([300, 20, 3_000, 1, 600, 16]), texts([3_000, 7, 200, 2_000, 0, 30]))
        for _ in 0..<4 {
            var found: [StoredValue] = []
            try connection.query(Self.values, outer) { row throws(StoreError) in
                var within: [StoredValue] = []
                try connection.query(Self.values, inner) { row throws(StoreError) in
                    within += (0..<3).map { row.value($0) }
                    return true
                }
                #expect(within == inner)
                found += (0..<3).map { row.value($0) }
                return true
            }
            #expect(found == outer)
        }
    }

    @Test("give their room back when the statement fails")
    func failed() throws {
        let connection = try Connection.open(path: folder.database, mode: .writer)
        let values = texts([1_000, 1_000, 1_000, 500, 400, 100])
        for _ in 0..<10 {
            #expect(throws: StoreError.self) {
                try connection.query(Self.values, values) { _ throws(StoreError) in
                    throw StoreError(.unexpected, "nobody wants the rows")
                }
            }
        }
        let room = BoundTexts()
        let begin = room.begin()
        #expect(room.kept("abc", 3) != nil && room.begin() == begin + 3)
        #expect(room.kept("", StoreLimits.boundTextBytesMax) == nil)
        room.end(begin)
        #expect(room.begin() == begin)
        #expect(try rows(of: connection, values) == values)
    }
}
