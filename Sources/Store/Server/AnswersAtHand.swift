import Postgres

/// A question to a server with its values, which are compared by their bytes.
struct AskedQuestion: Hashable {
    private let sql: SQLText
    private let values: [UInt8]

    init(_ sql: SQLText, _ values: [StoredValue]) {
        self.sql = sql
        var bytes: [UInt8] = []
        func add(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            withUnsafeBytes(of: content.count) { bytes += $0 }
            bytes += content
        }
        for value in values {
            switch value {
            case .null: add(0, [])
            case .integer(let integer): withUnsafeBytes(of: integer) { add(1, $0) }
            case .real(let real): withUnsafeBytes(of: real.bitPattern) { add(2, $0) }
            case .text(let text): add(3, text.utf8)
            case .utf8(let text): add(3, text)
            case .blob(let blob): add(4, blob)
            }
        }
        self.values = bytes
    }
}

/// Answers of a server to questions that are asked again, or that were asked ahead of their time.
struct AnswersAtHand {
    private var answers: [AskedQuestion: PostgresAnswer] = [:]
    private var byteCount = 0

    subscript(question: AskedQuestion) -> PostgresAnswer? { answers[question] }

    /// Keeps an answer. False where it is too long, or there are too many.
    mutating func keep(_ answer: PostgresAnswer, to question: AskedQuestion) -> Bool {
        guard answer.byteCount <= StoreLimits.answerBytesMax, answers.count < StoreLimits.answersMax,
            byteCount + answer.byteCount <= StoreLimits.answersBytesMax
        else { return false }
        byteCount += answer.byteCount
        answers[question] = answer
        return true
    }

    mutating func forget() {
        guard !answers.isEmpty else { return }
        answers = [:]
        byteCount = 0
    }
}

/// The questions of a body that runs again until it lacks no answer.
///
///     run ── first question: asked ── others: noted, no rows ──▶ one trip with all that was noted ──▶ run again
struct GatheredQuestions {
    struct Missing {
        let question: AskedQuestion
        let sql: SQLText
        let values: [StoredValue]
    }

    var answers = AnswersAtHand()
    /// True until a question has gone out: nothing is lacking yet, and most bodies ask no other one.
    var isFirst = true
    private(set) var missing: [Missing] = []
    private var known: Set<AskedQuestion> = []

    mutating func note(_ question: AskedQuestion, _ sql: SQLText, _ values: [StoredValue]) {
        // The others are noted again by the next run.
        guard missing.count < StoreLimits.gatheredQuestionsMax, known.insert(question).inserted else { return }
        missing.append(Missing(question: question, sql: sql, values: values))
    }

    mutating func takeMissing() -> [Missing] {
        defer { (missing, known) = ([], []) }
        return missing
    }
}
