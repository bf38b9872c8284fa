import Postgres
import Testing

@testable import Store

@Suite("Questions that are asked again")
struct GatheredQuestionTests {
    private static let (one, other) = (SQLText("SELECT ?"), SQLText("SELECT -?"))

    private static func question(_ values: StoredValue..., of sql: SQLText = one) -> AskedQuestion {
        AskedQuestion(sql, values)
    }

    @Test("are the same by their statement and by the bytes of their values")
    func equality() {
        let all: [AskedQuestion] = [
            Self.question(), Self.question(.null), Self.question(.null, .null), Self.question(.integer(1)),
            Self.question(.real(1)), Self.question(.real(0)), Self.question(.real(-0.0)), Self.question(.text("1")),
            Self.question(.blob([0x31])), Self.question(.text("")), Self.question(.blob([])),
            // Unicode calls the two equivalent.
            Self.question(.text("\u{E9}")), Self.question(.text("e\u{301}")),
            Self.question(.text("a"), .text("bc")), Self.question(.text("ab"), .text("c")),
            Self.question(.integer(1), of: Self.other),
        ]
        for (number, question) in all.enumerated() {
            for (place, other) in all.enumerated() { #expect((question == other) == (number == place)) }
        }
        #expect(Self.question(.text("é")) == Self.question(.utf8(Array("é".utf8))))
        #expect(Set([Self.question(.text("é")), Self.question(.utf8(Array("é".utf8)))]).count == 1)
        #expect(Self.question(.real(.nan)) == Self.question(.real(.nan)))
        #expect(Self.question(.integer(1)) == Self.question(.integer(1), of: SQLText("SELECT ?")))
    }

    private static func answer(_ number: Int64) -> PostgresAnswer {
        PostgresAnswer(PostgresColumns(types: [.int8]), [.int8(number)])
    }

    private static func number(_ answer: PostgresAnswer?) throws -> Int64? {
        try answer.flatMap { try $0[0].integer(0) }
    }

    @Test("have their answers in any order, also where a run asks others than the one before")
    func order() throws {
        let gathered = GatheredQuestions(asksFirst: false)
        func ask(_ numbers: [Int64]) throws -> [Int64?] {
            gathered.beginRun()
            gathered.isLacking = false
            return try numbers.map { try Self.number(gathered.answer(to: Self.question(.integer($0)))) }
        }
        // Equal ones go out once.
        #expect(try ask([1, 2, 1, 3]) == [nil, nil, nil, nil])
        #expect(gathered.isLacking && gathered.missing.count == 3)
        for number in [10, 20, 30] as [Int64] { #expect(gathered.keep(Self.answer(number))) }
        #expect(!gathered.keep(Self.answer(40)) && gathered.missing.isEmpty)
        #expect(try ask([1, 2, 1, 3]) == [10, 20, 10, 30])
        #expect(!gathered.isLacking)
        #expect(try ask([3, 3, 1, 2]) == [30, 30, 10, 20])
        #expect(try ask([2, 4, 3, 5, 4]) == [20, nil, 30, nil, nil])
        #expect(gathered.isLacking && gathered.missing == [Self.question(.integer(4)), Self.question(.integer(5))])
        #expect(gathered.keep(Self.answer(40)) && gathered.keep(Self.answer(50)))
        #expect(try ask([2, 4, 3, 5, 4]) == [20, 40, 30, 50, 40])
    }

    @Test("are noted as many as go out in a trip")
    func limits() {
        let gathered = GatheredQuestions(asksFirst: false)
        for number in 0..<Int64(StoreLimits.gatheredQuestionsMax + 5) {
            #expect(gathered.answer(to: Self.question(.integer(number))) == nil)
        }
        #expect(gathered.missing.count == StoreLimits.gatheredQuestionsMax && gathered.isLacking)
    }

    @Test("go out at once where they are the first, and are not lacking")
    func first() {
        let gathered = GatheredQuestions(asksFirst: true)
        #expect(gathered.answer(to: Self.question(.integer(1))) == nil)
        #expect(!gathered.isLacking && gathered.missing.isEmpty)
    }
}
