import Postgres
import Testing

@testable import Store

@Suite("Questions that are asked again")
struct GatheredQuestionTests {
    private static let (one, other) = (SQLText("SELECT ?"), SQLText("SELECT -?"))

    private static func question(_ values: StoredValue..., of sql: SQLText = one) -> ServerQuestion {
        ServerQuestion(sql, values)
    }

    @Test("are the same by their statement and by the bytes of their values")
    func equality() {
        let all: [ServerQuestion] = [
            Self.question(), Self.question(.null), Self.question(.null, .null), Self.question(.integer(1)),
            Self.question(.real(1)), Self.question(.real(0)), Self.question(.real(-0.0)), Self.question(.text("1")),
            Self.question(.blob([0x31])), Self.question(.text("")), Self.question(.blob([])),
            // Unicode calls the two equivalent.
            Self.question(.text("\u{E9}")), Self.question(.text("e\u{301}")),
            Self.question(.text("a"), .text("bc")), Self.question(.text("ab"), .text("c")),
            Self.question(.integer(1), of: Self.other),
        ]
        for (number, question) in all.enumerated() {
            for (place, other) in all.enumerated() {
                #expect((question == other) == (number == place))
                #expect((AskedQuestion(question) == AskedQuestion(other)) == (number == place))
            }
        }
        #expect(Self.question(.text("é")) == Self.question(.utf8(Array("é".utf8))))
        #expect(Set([.text("é"), .utf8(Array("é".utf8))].map { AskedQuestion(Self.one, [$0]) }).count == 1)
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
            return try numbers.map {
                let question = Self.question(.integer($0))
                return try Self.number(
                    gathered.expectedAnswer(to: question.sql, question.values)
                        ?? gathered.answer(to: question.sql, question.values))
            }
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
        #expect(
            gathered.isLacking && Array(gathered.missing) == [Self.question(.integer(4)), Self.question(.integer(5))])
        #expect(gathered.keep(Self.answer(40)) && gathered.keep(Self.answer(50)))
        #expect(try ask([2, 4, 3, 5, 4]) == [20, 40, 30, 50, 40])
    }

    private static func groups(_ questions: [ServerQuestion], mayDiffer: Bool = true) -> [[Int]] {
        QuestionGroups(questions[...]) { _, _ in mayDiffer }.groups.map(\.members)
    }

    private static let most = Int64(StoreLimits.questionsAsOneMin)

    @Test("go out as one where enough of them differ in their values alone")
    func groups() {
        let alike = (1...Self.most).map { Self.question(.integer($0), .text("same")) }
        let singles = alike.indices.map { [$0] }
        #expect(Self.groups(alike) == [Array(alike.indices)])
        #expect(Self.groups(alike, mayDiffer: false) == singles)
        #expect(Self.groups(Array(alike.dropLast())) == singles.dropLast())
        #expect(Self.groups([]) == [])
        // Those of each statement by themselves.
        let others = (1...Self.most).map { Self.question(.integer($0), of: Self.other) }
        let mixed = zip(alike, others).flatMap { [$0, $1] }
        #expect(Self.groups(mixed) == [[0, 2, 4, 6], [1, 3, 5, 7]])
        // A value of another type, a null, another number of values.
        for odd in [
            Self.question(.real(1), .text("same")), Self.question(.null, .text("same")), Self.question(.integer(0)),
        ] {
            #expect(Self.groups(alike + [odd]) == singles + [[alike.count]])
        }
        let differing = QuestionGroups(alike[...]) { question, places in question == alike[0] && places == [0] }.groups
        #expect(differing.map(\.places) == [[0]])
        // Unicode calls two of them equivalent.
        let letters = ["\u{E9}", "e\u{301}", "\u{E9}", "\u{E9}"].map { Self.question(.text($0), .integer(0)) }
        #expect(QuestionGroups(letters[...]) { _, _ in true }.groups.map(\.places) == [[0]])
        let nulls = (1...Self.most).map { Self.question(.null, .integer($0), .utf8([UInt8($0)])) }
        #expect(QuestionGroups(nulls[...]) { _, _ in true }.groups.map(\.places) == [[1, 2]])
    }

    @Test("have their answers in their order, whatever went out as one")
    func answers() throws {
        var questions = (1...Self.most).map { Self.question(.integer($0)) }
        questions.insert(Self.question(.integer(7), of: Self.other), at: 1)
        let groups = QuestionGroups(questions[...]) { _, _ in true }
        #expect(groups.groups.map(\.members) == [[0, 2, 3, 4], [1]])
        let third = PostgresAnswer(PostgresColumns(types: [.int8, .int8]), [.int8(30), .int8(3)])
        let answers = try #require(groups.answers([third, Self.answer(-7)]))
        #expect(try answers.map { $0.rowCount == 0 ? nil : try Self.number($0) } == [nil, -7, nil, 30, nil])
        let ofNobody = PostgresAnswer(PostgresColumns(types: [.int8, .int8]), [.int8(30), .int8(5)])
        #expect(groups.answers([ofNobody, Self.answer(-7)]) == nil)
        #expect(groups.answers([third]) == nil)
    }

    @Test("that are noted before a body asks have their answers in the order of the notes, and in any other")
    func ahead() throws {
        let gathered = GatheredQuestions(asksFirst: false)
        func ask(_ number: Int64) throws -> Int64? {
            let question = Self.question(.integer(number))
            return try Self.number(
                gathered.expectedAnswer(to: question.sql, question.values)
                    ?? gathered.answer(to: question.sql, question.values))
        }
        let noted: [Int64] = [1, 2, 1, 3]
        for number in noted { gathered.note(ahead: Self.question(.integer(number))) }
        #expect(Array(gathered.missing) == noted.map { Self.question(.integer($0)) })
        for number in noted { #expect(gathered.keep(Self.answer(number * 10))) }
        for order in [noted, [3, 1, 2, 1], [2, 2, 3]] {
            gathered.beginRun()
            #expect(try order.map(ask) == order.map { $0 * 10 })
        }
        #expect(try !gathered.isLacking && ask(4) == nil)
        #expect(gathered.isLacking && Array(gathered.missing) == [Self.question(.integer(4))])
    }

    @Test("are noted as many as go out in a trip")
    func limits() {
        let gathered = GatheredQuestions(asksFirst: false)
        for number in 0..<Int64(StoreLimits.gatheredQuestionsMax + 5) {
            #expect(gathered.answer(to: Self.one, [.integer(number)]) == nil)
        }
        #expect(gathered.missing.count == StoreLimits.gatheredQuestionsMax && gathered.isLacking)
    }

    @Test("go out at once where they are the first, and are not lacking")
    func first() {
        let gathered = GatheredQuestions(asksFirst: true)
        #expect(gathered.answer(to: Self.one, [.integer(1)]) == nil)
        #expect(!gathered.isLacking && gathered.missing.isEmpty)
    }
}
