import Postgres

/// A file whose reads run as those of a server do, for tests: a question that has not gone out has no rows, and the body that asks it runs again.
///
///     run ── a: asked at once ── b: noted, no rows ──▶ a trip ──▶ run again ── a, b: the file's rows
///
/// The file is asked in each run, so no answer is kept. All runs see one state of the data where they are in a transaction.
final class ReplayedFile {
    let handle: OpaquePointer
    private var gathered: GatheredQuestions?
    /// The trips to a server that the questions would have taken.
    private(set) var tripCount: Int64 = 0
    /// Stands for the rows of a question that has gone out.
    private static let rows = PostgresAnswer(PostgresColumns(types: []), [])

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// Returns whether a question has gone out, or nobody notes questions: the file may be asked.
    func answers(_ sql: SQLText, _ values: [StoredValue]) -> Bool {
        guard let gathered, !sql.isOpen else { return true }
        if gathered.expectedAnswer(to: sql, values) != nil { return true }
        if gathered.answer(to: sql, values) != nil { return true }
        guard gathered.isFirst else { return false }
        gathered.isFirst = false
        gathered.note(sql, values)
        keep(gathered)
        tripCount += 1
        return true
    }

    private func keep(_ gathered: GatheredQuestions) {
        if !gathered.keep(Self.rows) { endGathering() }
    }

    /// - Parameter asksFirst: whether the first question goes out at once.
    func beginGathering(asksFirst: Bool) { gathered = GatheredQuestions(asksFirst: asksFirst) }

    func endGathering() { gathered = nil }

    var isGathering: Bool { gathered != nil }

    func beginGatheredRun() {
        gathered?.beginRun()
        lacksAnswer = false
    }

    func expectGathered(_ question: ServerQuestion) { gathered?.note(ahead: question) }

    var lacksAnswer: Bool {
        get { gathered?.isLacking ?? false }
        set { gathered?.isLacking = newValue }
    }

    /// Has all questions that were noted gone out. False where there are none.
    func askGathered() -> Bool {
        guard let gathered, !gathered.missing.isEmpty else { return false }
        for _ in gathered.missing { keep(gathered) }
        tripCount += 1
        return true
    }
}
