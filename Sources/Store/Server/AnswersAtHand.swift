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

/// The time that the answer to a question holds that was asked ahead of its time.
enum ExpectedAnswer {
    case untilChange
    /// Until a change of the same key, or one without a key.
    case untilKeyChanges
    case untilChangeWithoutKey
}

/// Answers of a server to questions that are asked again, or that were asked ahead of their time.
struct AnswersAtHand {
    /// The changes behind which an answer holds no longer.
    enum Holding: Equatable {
        case untilChange
        case untilKeyChanges(ChangeKey)
        case untilChangeWithoutKey

        /// Returns whether an answer still holds behind a change of a record; nil: of any.
        func survives(_ key: ChangeKey?) -> Bool {
            switch self {
            case .untilChange: false
            case .untilKeyChanges(let own): key != nil && key != own
            case .untilChangeWithoutKey: key != nil
            }
        }
    }

    private var answers: [AskedQuestion: PostgresAnswer] = [:]
    /// Those that hold longer, and the questions of each key among them.
    private var lasting: [AskedQuestion: PostgresAnswer] = [:]
    private var ofKeys: [ChangeKey: [AskedQuestion]] = [:]
    private var byteCount = 0

    subscript(question: AskedQuestion) -> PostgresAnswer? { answers[question] ?? lasting[question] }

    /// Keeps an answer. False where it is too long, or there are too many.
    mutating func keep(_ answer: PostgresAnswer, to question: AskedQuestion, _ holding: Holding = .untilChange) -> Bool
    {
        guard answer.byteCount <= StoreLimits.answerBytesMax, answers.count + lasting.count < StoreLimits.answersMax,
            byteCount + answer.byteCount <= StoreLimits.answersBytesMax
        else { return false }
        byteCount += answer.byteCount
        switch holding {
        case .untilChange: answers[question] = answer
        case .untilKeyChanges(let key):
            lasting[question] = answer
            ofKeys[key, default: []].append(question)
        case .untilChangeWithoutKey: lasting[question] = answer
        }
        return true
    }

    /// Forgets what may be another answer behind a change of a record; nil: of any.
    mutating func forget(behindChangeOf key: ChangeKey?) {
        guard let key else { return forget() }
        if !answers.isEmpty {
            for answer in answers.values { byteCount -= answer.byteCount }
            answers = [:]
        }
        for question in ofKeys.removeValue(forKey: key) ?? [] {
            if let answer = lasting.removeValue(forKey: question) { byteCount -= answer.byteCount }
        }
    }

    mutating func forget() {
        guard !answers.isEmpty || !lasting.isEmpty else { return }
        (answers, lasting, ofKeys) = ([:], [:], [:])
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
    /// True if the body that runs lacks an answer.
    var isLacking = false
    private(set) var missing: [Missing] = []
    private var known: Set<AskedQuestion> = []

    mutating func note(_ question: AskedQuestion, _ sql: SQLText, _ values: [StoredValue]) {
        isLacking = true
        // The others are noted again by the next run.
        guard missing.count < StoreLimits.gatheredQuestionsMax, known.insert(question).inserted else { return }
        missing.append(Missing(question: question, sql: sql, values: values))
    }

    mutating func takeMissing() -> [Missing] {
        defer { (missing, known) = ([], []) }
        return missing
    }
}
