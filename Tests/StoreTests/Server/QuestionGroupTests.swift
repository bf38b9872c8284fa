import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import Store

/// Questions that go to a server as one, beside the same questions that are asked one after the other.
@Suite(
    "Questions that a server is asked as one", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct QuestionGroupTests {
    private let server: ServerSchema
    private let reader: Reader
    private static let words = ["a", "b", "é'\"\\", "question of many", "?", "", "none"]

    init() throws {
        server = try ServerSchema()
        try server.run(
            #"CREATE TABLE words (word text COLLATE "C", place bigint, half double precision, bytes bytea, answer text)"#
        )
        try server.run("CREATE INDEX ON words (word, place)")
        for (number, word) in Self.words.dropLast().enumerated() {
            let text = word.replacing("'", with: "''")
            try server.run(
                """
                INSERT INTO words SELECT '\(text)', place, place / 2.0, decode(lpad(to_hex(place), 2, '0'), 'hex'), NULLIF(place, \(number))
                FROM generate_series(1, \(5 + number)) AS place
                """)
        }
        reader = try Reader(of: .server(server.place))
    }

    private typealias Question = (sql: SQLText, values: [StoredValue])

    /// The rows of questions, one question after the other.
    private static func rows(_ questions: [Question], _ reader: Reader) throws(StoreError) -> [[[StoredValue]]] {
        var all: [[[StoredValue]]] = []
        for question in questions {
            var rows: [[StoredValue]] = []
            try reader.connection.query(question.sql, question.values) { row throws(StoreError) in
                rows.append((0..<3).map { row.value($0) })
                return true
            }
            all.append(rows)
        }
        return all
    }

    /// The same, asked together. The first one goes out by itself.
    private func gathered(_ questions: [Question]) throws -> [[[StoredValue]]] {
        try reader.gathering { reader throws(StoreError) in try Self.rows(questions, reader) }
    }

    private func manyTimesCount() throws -> Int64 {
        var count: Int64 = 0
        let sql = SQLText("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%question of many%'")
        try reader.connection.query(sql, []) { row throws(StoreError) in
            count = row.integer(0)
            return false
        }
        return count
    }

    private func check(_ questions: [Question], statements: Int64) throws {
        let alone = try Self.rows(questions, reader)
        let before = try manyTimesCount()
        #expect(try gathered(questions) == alone)
        #expect(try gathered(questions.reversed()) == alone.reversed())
        #expect(try manyTimesCount() - before == statements)
    }

    @Test("have the answers that they have by themselves, in the order of their statement")
    func alike() throws {
        let page = SQLText(
            "SELECT place, half, answer FROM words WHERE word = ? AND place > ? ORDER BY place DESC LIMIT ?")
        try check(Self.words.map { (page, [.text($0), .integer(2), .integer(4)]) }, statements: 1)
        try check(Self.words.map { (page, [.utf8(Array($0.utf8)), .integer(2), .integer(3)]) }, statements: 0)
        // In two values.
        try check(
            Self.words.enumerated().map { (page, [.text($1), .integer(Int64($0)), .integer(4)]) }, statements: 1)
        // A list may have a column twice, and one without a name.
        let twice = SQLText("SELECT place, place, 1 FROM words WHERE word = ? ORDER BY place")
        try check(Self.words.map { (twice, [.text($0)]) }, statements: 1)
        let bytes = SQLText("SELECT word, place, bytes FROM words WHERE bytes = ? ORDER BY word")
        try check((0..<12).map { (bytes, [.blob([$0])]) }, statements: 1)
        let halves = SQLText("SELECT count(*), min(word), max(place) FROM words WHERE half < ?")
        try check((0..<8).map { (halves, [.real(Double($0) / 2)]) }, statements: 1)
    }

    @Test(
        "stay by themselves where they differ in how many rows they want, or have nulls, and those that are the same are one"
    )
    func alone() throws {
        let page = SQLText("SELECT place, half, answer FROM words WHERE word = ? ORDER BY place LIMIT ?")
        try check((0..<6).map { (page, [.text("b"), .integer($0)]) }, statements: 0)
        try check(Self.words.enumerated().map { (page, [.text($1), .integer(Int64($0))]) }, statements: 0)
        let open = SQLText("SELECT place, half, answer FROM words WHERE word = ? ORDER BY place")
        try check(Self.words.map { (open, [$0 == "b" ? .null : .text($0)]) }, statements: 0)
        try check(Self.words.map { _ in (open, [.text("b")]) }, statements: 0)
    }

    @Test("are asked by themselves where one of them fails, which says why")
    func failure() throws {
        let quotient = SQLText("SELECT 12 / ?, 0, 0")
        let questions = (1...6).map { Question(quotient, [.integer(Int64($0 % 6))]) }
        #expect(throws: StoreError.self) { try gathered(questions) }
        #expect(
            try gathered(Array(questions.dropLast())).map { $0[0][0] } == [12, 6, 4, 3, 2].map(StoredValue.integer))
        let word = SQLText("SELECT place, half, answer FROM words WHERE word = ?")
        #expect(throws: StoreError.self) { try gathered((Self.words + ["a\0"]).map { (word, [.text($0)]) }) }
    }
}
