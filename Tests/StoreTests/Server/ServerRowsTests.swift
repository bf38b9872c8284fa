import Testing

@testable import Postgres
@testable import Store

@Suite("Rows of a server's answer")
struct ServerRowsTests {
    /// An answer out of the bytes of its messages.
    private func answer(_ types: [UInt32], _ rows: [[[UInt8]?]]) throws -> PostgresAnswer {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let count = [0, UInt8(types.count)]
        let described =
            count + types.flatMap { Array("c\0".utf8) + [0, 0, 0, 0, 0, 0] + number($0) + [0, 8, 0, 0, 0, 0, 0, 1] }
        var fields = MessageFields(described[...], of: .rowDescription)
        var answer = PostgresAnswer(columns: try PostgresColumns(&fields, limits: PostgresLimits()))
        for row in rows {
            let bytes = count + row.flatMap { value in value.map { number(UInt32($0.count)) + $0 } ?? number(.max) }
            try bytes.withUnsafeBytes { try answer.rows.append($0, columns: types.count) }
        }
        return answer
    }

    /// What the accessors of a row say of a value.
    private struct Seen: Equatable {
        var value: StoredValue
        var isNull = false
        var integer: Int64 = 0
        var real = 0.0
        var text = ""
        var blob: [UInt8]?
    }

    private func seen(_ row: borrowing Row, _ column: Int) -> Seen {
        Seen(
            value: row.value(column), isNull: row.isNull(column), integer: row.integer(column), real: row.real(column),
            text: row.text(column), blob: row.blob(column))
    }

    private func seen(_ type: UInt32, _ bytes: [UInt8]?) throws -> Seen {
        let rows = try ServerRows(answer([25, type], [[[0x61], bytes]]), "here")
        rows.go(to: 0)
        return withExtendedLifetime(rows) { seen(Row(rows).from(column: 1), 0) }
    }

    @Test("have the values that SQLite would have")
    func values() throws {
        let minusTwo: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]
        let blobOf = { (text: String) in Array(text.utf8) }
        #expect(
            try seen(20, minusTwo) == Seen(value: .integer(-2), integer: -2, real: -2, text: "-2", blob: blobOf("-2")))
        #expect(
            try seen(23, [0, 0, 1, 0])
                == Seen(value: .integer(256), integer: 256, real: 256, text: "256", blob: blobOf("256")))
        #expect(try seen(21, [0xFF, 0xFF]).integer == -1)
        #expect(try seen(16, [1]) == Seen(value: .integer(1), integer: 1, real: 1, text: "1", blob: blobOf("1")))
        #expect(try seen(16, [0]).value == .integer(0))
        let half = (0..<8).map { UInt8(truncatingIfNeeded: (-2.5).bitPattern >> (56 - 8 * UInt64($0))) }
        #expect(
            try seen(701, half) == Seen(value: .real(-2.5), integer: -2, real: -2.5, text: "-2.5", blob: blobOf("-2.5"))
        )
        #expect(try seen(701, [0x7F, 0xF0, 0, 0, 0, 0, 0, 0]).integer == .max)
        #expect(try seen(25, blobOf("é")) == Seen(value: .text("é"), text: "é", blob: blobOf("é")))
        #expect(try seen(1043, blobOf("12")).integer == 12)
        #expect(try seen(25, []) == Seen(value: .text(""), blob: []))
        #expect(try seen(17, [0, 255]).value == .blob([0, 255]) && seen(17, []).value == .blob([]))
        #expect(try seen(17, [0, 255]).blob == [0, 255])
        #expect(try seen(3802, [1] + blobOf("{}")) == Seen(value: .text("{}"), text: "{}", blob: blobOf("{}")))
        #expect(try seen(20, nil) == Seen(value: .null, isNull: true, blob: []))
        #expect(try seen(25, nil) == Seen(value: .null, isNull: true, blob: []))
    }

    @Test("tell a text that is empty from one that is missing, and columns that are not there are missing")
    func missing() throws {
        let rows = try ServerRows(answer([25, 25], [[[], nil]]), "here")
        rows.go(to: 0)
        withExtendedLifetime(rows) {
            let row = Row(rows)
            #expect(row.withTextIfAny(0) { $0.isEmpty })
            #expect(!row.withTextIfAny(1) { _ in true })
            #expect(row.isNull(2) && row.isNull(-1) && row.integer(7) == 0 && row.value(9) == .null)
        }
    }

    @Test("of wrong lengths are zeros, and of types that no table has are refused")
    func wrong() throws {
        #expect(try seen(20, [1, 2, 3]).integer == 0)
        #expect(try seen(16, [7]).integer == 0)
        #expect(try seen(701, [0]).real == 0)
        #expect(try seen(3802, []).text == "")
        let error = #expect(throws: StoreError.self) { try ServerRows(answer([1700], []), "here") }
        #expect(
            error?.message == "database here: column 1 of an answer has the type 1700, which no table of Homeport has")
    }

    @Test("follow each other, longer and shorter ones, with addresses that hold until the next")
    func several() throws {
        let texts = (0..<50).map { String(repeating: "\($0)-", count: ($0 * 37) % 100) }
        let rows = try ServerRows(
            answer([20, 25], texts.enumerated().map { [[0, 0, 0, 0, 0, 0, 0, UInt8($0)], Array($1.utf8)] }), "here")
        #expect(rows.count == 50)
        for number in 0..<50 {
            rows.go(to: number)
            withExtendedLifetime(rows) {
                let row = Row(rows)
                row.withText(0) { first in
                    row.withText(1) { second in
                        #expect(String(decoding: first, as: UTF8.self) == "\(number)")
                        #expect(String(decoding: second, as: UTF8.self) == texts[number])
                    }
                }
            }
        }
    }
}
