import JSON
import Postgres

/// A question to a server with its values, which are compared by their bytes.
package struct ServerQuestion: Equatable, Sendable {
    let sql: SQLText
    let values: [StoredValue]

    init(_ sql: SQLText, _ values: [StoredValue]) { (self.sql, self.values) = (sql, values) }

    /// The row with this key.
    package init(_ lookup: KeyLookup, key: [StoredValue]) { self.init(lookup.sql, key) }

    package static func == (left: ServerQuestion, right: ServerQuestion) -> Bool { left.asks(right.sql, right.values) }

    /// Returns whether it is the question with these values.
    func asks(_ sql: SQLText, _ values: [StoredValue]) -> Bool {
        self.values.count == values.count && self.sql == sql && zip(self.values, values).allSatisfy(Self.isSame)
    }

    /// At most so many bytes its values take, about.
    var byteCount: Int { values.reduce(0) { $0 + $1.heldBytes } }

    static func isSame(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        // Zeros have a sign here, and what is no number is the same as itself.
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): ByteText(left) == ByteText(right)
        case (.utf8(let left), .utf8(let right)), (.blob(let left), .blob(let right)): left == right
        case (.text(let text), .utf8(let bytes)), (.utf8(let bytes), .text(let text)): text.utf8.elementsEqual(bytes)
        default: false
        }
    }
}

/// A question that is looked up among others.
///
/// Hot path: nothing is copied, and the hash is made once.
struct AskedQuestion: Hashable {
    let question: ServerQuestion
    private let hash: Int

    init(_ sql: SQLText, _ values: [StoredValue]) { self.init(ServerQuestion(sql, values)) }

    init(_ question: ServerQuestion) {
        self.question = question
        hash = Self.hash(of: question.sql, question.values)
    }

    /// Equal questions have the same one.
    static func hash(of sql: SQLText, _ values: [StoredValue]) -> Int {
        var hasher = Hasher()
        hasher.combine(sql)
        for value in values {
            switch value {
            case .null: break
            case .integer(let integer): hasher.combine(integer)
            case .real(let real): hasher.combine(real.bitPattern)
            case .text(let text): hasher.combine(ByteText(text))
            case .utf8(let bytes):
                bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
                // As a text does.
                hasher.combine(0xFF as UInt8)
            case .blob(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
        }
        return hasher.finalize()
    }

    static func == (left: AskedQuestion, right: AskedQuestion) -> Bool {
        left.hash == right.hash && left.question == right.question
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
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

/// The questions of bodies that run again until they lack no answer.
///
///     run ── first question: asked ── others: noted, no rows ──▶ one trip with all that was noted ──▶ run again
///
/// A run asks as the one before did, so the next question is nearly always the one behind the last.
final class GatheredQuestions {
    /// True until a question has gone out: nothing is lacking yet, and most bodies ask no other one.
    var isFirst: Bool
    /// True if the body that runs lacks an answer.
    var isLacking = false
    /// In the order in which they were asked first.
    private var asked: [ServerQuestion] = []
    /// The answers to the first of them.
    private var answers: [PostgresAnswer] = []
    /// Where the first of them are, so many as `placedCount`, by their hashes. Bodies that ask in the order of their questions look for none.
    /// Of two with the same hash it has one: the other one goes out each time.
    private var places: [Int: Int] = [:]
    private var placedCount = 0
    private(set) var byteCount = 0
    /// The place of the question that is expected next.
    private var next = 0

    /// - Parameter asksFirst: whether the first question goes out at once.
    init(asksFirst: Bool) { isFirst = asksFirst }

    /// Begins with the first question again.
    func beginRun() { next = 0 }

    /// The answer to the question with these values if it is the one that is expected next; nil of any other (`answer(to:)`).
    func expectedAnswer(to sql: SQLText, _ values: [StoredValue]) -> PostgresAnswer? {
        guard next < answers.count, asked[next].asks(sql, values) else { return nil }
        next += 1
        return answers[next - 1]
    }

    /// The answer to a question, or nil: it has none yet, and is noted unless it goes out at once.
    func answer(to sql: SQLText, _ values: [StoredValue]) -> PostgresAnswer? {
        if isFirst {
            guard !asked.isEmpty, let place = place(of: sql, values, AskedQuestion.hash(of: sql, values)) else {
                return nil
            }
            next = place + 1
            return place < answers.count ? answers[place] : nil
        }
        if let place = note(sql, values) {
            next = place + 1
            if place < answers.count { return answers[place] }
        }
        isLacking = true
        return nil
    }

    /// Has a question answered that a body asks later. Equal ones go out each.
    func note(ahead question: ServerQuestion) {
        guard missing.count < StoreLimits.gatheredQuestionsMax else { return }
        asked.append(question)
    }

    /// Has a question answered before a body asks it. Returns the place of one that is noted already.
    @discardableResult
    func note(_ sql: SQLText, _ values: [StoredValue]) -> Int? {
        let hash = AskedQuestion.hash(of: sql, values)
        if let place = place(of: sql, values, hash) { return place }
        // The others are noted again by the next run.
        guard missing.count < StoreLimits.gatheredQuestionsMax else { return nil }
        places[hash] = asked.count
        asked.append(ServerQuestion(sql, values))
        placedCount = asked.count
        return nil
    }

    private func place(of sql: SQLText, _ values: [StoredValue], _ hash: Int) -> Int? {
        while placedCount < asked.count {
            let question = asked[placedCount]
            let hash = AskedQuestion.hash(of: question.sql, question.values)
            if places[hash] == nil { places[hash] = placedCount }
            placedCount += 1
        }
        guard let place = places[hash], asked[place].asks(sql, values) else { return nil }
        return place
    }

    /// The questions without an answer, in the order in which the answers are kept.
    var missing: ArraySlice<ServerQuestion> { asked[answers.count...] }

    /// Keeps the answer to the first question that has none. False where it is too long, or there are too many.
    func keep(_ answer: PostgresAnswer) -> Bool {
        guard answer.byteCount <= StoreLimits.answerBytesMax, answers.count < StoreLimits.answersMax,
            byteCount + answer.byteCount <= StoreLimits.answersBytesMax, answers.count < asked.count
        else { return false }
        byteCount += answer.byteCount
        answers.append(answer)
        return true
    }
}
