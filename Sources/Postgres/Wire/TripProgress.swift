/// How far the answers of one trip have come: a pure machine that knows what was asked, takes what a server sends, and refuses
/// what was not asked for.
///
///     close … ─▶ parse ─▶ describe ─▶ bind ─▶ execute ─▶ … next question … ─▶ ready
///                  └──────── an error: the server skips the rest ──────────────┘
struct TripProgress {
    enum Step {
        case close, parse, describeParameters, describeRows, bind, copyIn, execute
    }

    /// Nothing in it is counted: it is looked at with each row.
    private struct Expected {
        let step: Step
        /// -1: none.
        let question: Int
    }

    private let rowsMax: Int
    private let rowBytesMax: Int
    private var expected: [Expected] = []
    private var next = 0
    private var statements: [PreparedStatement] = []
    private let memory: RowMemory
    private var rows = 0
    private var rowBytes = 0
    /// The rows of the answer that has begun and not ended, and their columns.
    private var open: AnswerRows
    private var columnCount = 0

    private(set) var answers: [PostgresAnswer] = []
    /// The first error, and the question that it is about; nil for the end of the transaction.
    private(set) var failure: (error: PostgresServerError, question: Int?)?
    /// The names of statements that the server is to let go, and how many of them it has.
    private var closing: [String] = []
    private var closedCount = 0
    /// Set when the server has nothing more to say.
    private(set) var status: TransactionStatus?

    /// - Parameter spare: gets the memory of the rows when nobody reads them any more.
    init(limits: PostgresLimits, spare: SpareRowMemory? = nil) {
        rowsMax = limits.tripRows
        rowBytesMax = limits.tripBytes
        memory = RowMemory(spare)
        open = AnswerRows(in: memory)
    }

    /// The names of statements that the server has let go.
    var closed: ArraySlice<String> { closing.prefix(closedCount) }

    var questionCount: Int { statements.count }

    /// The statement of a question.
    func statement(of question: Int) -> PreparedStatement? {
        statements.indices.contains(question) ? statements[question] : nil
    }

    // MARK: What is asked

    /// Statements are closed before anything else, so no error of a question keeps the server from it.
    mutating func expectFirst(closing names: [String]) {
        closing = names
        expected.insert(contentsOf: names.map { _ in Expected(step: .close, question: -1) }, at: 0)
    }

    /// Returns the number of the question.
    ///
    /// - Parameter isCopy: whether rows go with it, which the server says that it takes.
    mutating func expect(_ statement: PreparedStatement, isParsed: Bool, isCopy: Bool = false) -> Int {
        let question = statements.count
        statements.append(statement)
        func add(_ step: Step) { expected.append(Expected(step: step, question: question)) }
        if isParsed {
            add(.parse)
            add(.describeParameters)
            add(.describeRows)
        }
        add(.bind)
        if isCopy { add(.copyIn) }
        add(.execute)
        return question
    }

    // MARK: What is answered

    /// A row. Its bytes are copied.
    mutating func take(row: UnsafeRawBufferPointer) throws(PostgresViolation) {
        guard failure == nil, case .execute? = step, let question else { throw unexpected(.dataRow) }
        rows += 1
        rowBytes += row.count
        guard rows <= rowsMax else { throw .tooManyRows(limit: rowsMax) }
        guard rowBytes <= rowBytesMax else { throw .tooManyRowBytes(limit: rowBytesMax) }
        begin(question)
        guard columnCount > 0 || row.count == 2 else { throw unexpected(.dataRow) }
        try open.append(row, columns: columnCount)
    }

    mutating func take(_ message: ServerMessage, _ kind: MessageKind) throws(PostgresViolation) {
        guard status == nil else { throw unexpected(kind) }
        switch message {
        case .ready(let status):
            guard failure != nil || next == expected.count else { throw unexpected(kind) }
            self.status = status
            return
        case .error(let error):
            // A server may end the connection behind an error: the first one says why.
            if failure == nil { failure = (error, question) }
            return
        default: break
        }
        guard failure == nil, let step else { throw unexpected(kind) }
        switch (step, message) {
        case (.close, .closeComplete): closedCount += 1
        case (.parse, .parseComplete): current?.isParsed = true
        case (.describeParameters, .parameterDescription(let count)):
            guard count == current?.statement.parameters.count else { throw .badBody(kind: kind.rawValue) }
        case (.describeRows, .rowDescription(let columns)): prepared(columns)
        case (.describeRows, .noData): prepared(.none)
        case (.bind, .bindComplete): break
        case (.copyIn, .copyIn): break
        case (.execute, .commandComplete(let count)): finish { $0.count = count ?? 0 }
        case (.execute, .emptyQuery): finish { _ in }
        case (.execute, .portalSuspended): finish { $0.isCut = true }
        default: throw unexpected(kind)
        }
        next += 1
    }

    private var step: Step? { next < expected.count ? expected[next].step : nil }

    private var question: Int? {
        guard next < expected.count, expected[next].question >= 0 else { return nil }
        return expected[next].question
    }

    private var current: PreparedStatement? { question.map { statements[$0] } }

    private func prepared(_ columns: PostgresColumns) {
        current?.columns = columns
        current?.isPrepared = true
    }

    /// Makes place for the answer of a question: questions are answered in their order.
    private mutating func begin(_ question: Int) {
        if answers.count == question {
            let columns = statements[question].columns
            answers.append(PostgresAnswer(columns: columns, in: memory))
            open = AnswerRows(in: memory)
            columnCount = columns.count
        }
    }

    private mutating func finish(_ change: (inout PostgresAnswer) -> Void) {
        guard let question else { return }
        begin(question)
        answers[question].rows = open
        change(&answers[question])
    }

    private func unexpected(_ kind: MessageKind) -> PostgresViolation { .unexpected(kind: kind.rawValue) }
}
