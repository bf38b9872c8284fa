import JSON
import Network
import Postgres

/// A connection to PostgreSQL, as `Connection` asks it: one statement a trip, whose rows are all there before the first is looked at.
///
///     BEGIN ─┐                SAVEPOINT ─┐              RELEASE, UPDATE ─┐
///            └─▶ SELECT … ──▶ trip       └─▶ INSERT ──▶ trip             └─▶ COMMIT ──▶ trip
///
/// A statement that begins a transaction, or begins or ends a part of one, has no answer that anybody needs at once. It goes out ahead of the next
/// statement, in the same trip. So does a change whose outcome nobody asks for (`changeAhead`), and a question that will be asked soon
/// (`expect`). A transaction of which nothing has gone out is none, whatever its end.
///
/// Within a writer's transaction the same question has the same answer until something is changed: it is asked once.
///
/// It belongs to one thread at a time. A transaction that had an error takes no other statement until it is rolled back.
final class ServerSession {
    private struct Question: Hashable {
        let sql: SQLText
        let types: [PostgresType]
    }

    private struct Prepared {
        let statement: PostgresStatement
        let isChange: Bool
        /// It changes nothing, so it may be asked a second time.
        let isRepeatable: Bool
        /// The places of the values that say how many rows there are. Questions that differ in one of them are not asked as one.
        let countPlaces: Set<Int>
    }

    /// A statement that waits for the next trip.
    private struct Waiting {
        let statement: PostgresStatement
        let values: [PostgresValue]
        let control: Control?
        /// It changes rows, and whoever wanted that has gone on.
        var isChange = false
        /// The question whose answer is at hand later.
        var question: AskedQuestion?
        var holding = AnswersAtHand.Holding.untilChange
        /// The change whose outcome somebody takes when it is its turn.
        var foretold: AskedQuestion?
    }

    /// A statement that changes where a transaction stands.
    private enum Control {
        case begin, savepoint, release, commit, rollback

        init?(_ sql: SQLText) {
            let text = sql.text.utf8
            func has(_ word: String) -> Bool { text.starts(with: word.utf8) }
            if has("BEGIN") {
                self = .begin
            } else if has("SAVEPOINT") {
                self = .savepoint
            } else if has("RELEASE") {
                self = .release
            } else if has("COMMIT") {
                self = .commit
            } else if text.elementsEqual("ROLLBACK".utf8) {
                self = .rollback
            } else {
                return nil
            }
        }
    }

    private var connection: PostgresConnection
    private let deadline: Deadline
    /// The place where another connection is made when this one has ended.
    private let place: ServerPlace?
    private let mode: Connection.Mode
    /// True if the connection has ended within a transaction: until that is rolled back, no statement may go out on another one.
    private(set) var isLost = false
    /// How many connections there were: what one before has said may be of another server, which has failed since.
    private(set) var openings: Int64 = 1
    private var statements: [Question: Prepared] = [:]
    /// The statements that go out with the next trip, and whether no transaction is open behind them: nil where none of them begins or ends one.
    private var ahead: [Waiting] = []
    private var isIdleBehindAhead: Bool?
    /// True if a trip failed that had a savepoint or the end of one in it, and perhaps before it came to that: whoever goes back to the
    /// savepoint would go back to the one before.
    private(set) var hasLostSavepoint = false
    /// True if a trip failed for a change that went ahead: whoever asked has nothing to do with it.
    private(set) var hasFailedAhead = false
    /// The bytes of the values that wait.
    private var aheadBytes = 0
    /// The record that changes are about; nil: any.
    var subject: ChangeKey?
    /// The questions among those that wait.
    private var expected: Set<AskedQuestion> = []
    /// Answers since the last change of a transaction.
    private var remembered = AnswersAtHand()
    /// The changes that were made before their turn and are not taken yet, and the outcomes that have come of them.
    private var foretold: Set<AskedQuestion> = []
    private var outcomes: [AskedQuestion: PostgresAnswer] = [:]
    /// The questions of a body that may run again; nil where none runs.
    private var gathered: GatheredQuestions?
    /// The questions that were sent and are not answered (`sendGathered`).
    private var sent: QuestionGroups?
    /// Of the last answer that was read, and of the last statement that was asked: the next one is often alike.
    private var lastKinds: ColumnKinds?
    /// The rows that a body of those that run again has looked at last.
    private var shownRows: ServerRows?
    private var lastPrepared: (sql: SQLText, prepared: Prepared)?
    /// The settings of this session, by their names.
    private var settings: [ByteText: String] = [:]
    /// How many rows the last statement changed that changes rows, and all of them.
    private(set) var changeCount = 0
    private(set) var totalChangeCount: Int64 = 0

    init(_ connection: PostgresConnection, _ deadline: Deadline, again place: ServerPlace?, _ mode: Connection.Mode) {
        self.connection = connection
        self.deadline = deadline
        self.place = place
        self.mode = mode
    }

    func close() { connection.close() }

    var isInAutocommit: Bool {
        !isLost && (isIdleBehindAhead ?? (connection.isClosed || connection.status == .idle))
    }

    var isSpoilt: Bool { isLost || connection.status == .failed }

    var hasEnded: Bool { connection.isClosed }

    /// Where the server is, for errors.
    var host: String { connection.host.description }

    /// Makes another connection where this one has ended.
    private func reopen() throws(StoreError) {
        guard connection.isClosed, !isLost, let place else { return }
        connection = try place.connect(mode)
        openings += 1
        statements = [:]
        // A transaction of the connection before has ended with it.
        ahead.removeAll { $0.control == .commit }
        for (name, value) in settings { try apply(name.string, value) }
    }

    /// Sets something for as long as the session lasts, and for each one in its place.
    func set(_ name: String, to value: String) throws(StoreError) {
        _ = try answer(Self.setting, [.text(name), .text(value)], isKept: false)
        settings[ByteText(name)] = value
    }

    private func apply(_ name: String, _ value: String) throws(StoreError) {
        try failing { () throws(PostgresError) in
            try connection.ask(
                PostgresStatement(Self.setting.serverText, [.text, .text], isKept: false), [.text(name), .text(value)])
            _ = try connection.trip(until: end)
        }
    }

    private static let setting = SQLText("SELECT pg_catalog.set_config(?, ?, false)")

    /// Ends a transaction whose connection is gone. False where this is not what the statement asks for, or there is none.
    private func rollsBackLost(_ sql: SQLText) -> Bool {
        guard isLost, sql.text.utf8.elementsEqual("ROLLBACK".utf8) else { return false }
        isLost = false
        hasLostSavepoint = false
        hasFailedAhead = false
        remembered.forget()
        forgetAhead()
        return true
    }

    private func demandUnlost() throws(StoreError) {
        guard !isLost else {
            throw StoreError(.away, "database \(host): the connection has ended within a transaction. Try again")
        }
    }

    /// Runs a statement that is not kept, and whose rows nobody wants.
    func execute(_ sql: SQLText) throws(StoreError) {
        if rollsBackLost(sql) { return }
        if try waits(sql) { return }
        _ = try answer(sql, [], isKept: false)
    }

    // MARK: What goes ahead

    /// Has a statement go out with the next trip. What it fails with, that one fails with.
    func runAhead(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) {
        try demandUnlost()
        wait(sql, values, control: Control(sql))
    }

    private func wait(_ sql: SQLText, _ values: [StoredValue], control: Control?) {
        let prepared = prepared(sql, values)
        ahead.append(Waiting(statement: prepared.statement, values: values.map(\.serverValue), control: control))
        if prepared.isChange { remembered.forget() }
        switch control {
        case .begin:
            isIdleBehindAhead = false
            hasLostSavepoint = false
            hasFailedAhead = false
            remembered.forget()
            forgetForetold()
        case .commit, .rollback: isIdleBehindAhead = true
        case .savepoint, .release, nil: break
        }
    }

    /// Has what begins or ends a part of a transaction wait for the next statement, and forgets a transaction of which nothing has gone out.
    /// False for a statement that goes out now.
    private func waits(_ sql: SQLText) throws(StoreError) -> Bool {
        guard let control = Control(sql) else { return false }
        try demandUnlost()
        switch control {
        case .begin, .savepoint, .release:
            wait(sql, [], control: control)
            return true
        case .commit, .rollback:
            if control == .rollback { (hasLostSavepoint, hasFailedAhead) = (false, false) }
            remembered.forget()
            guard let begin = ahead.lastIndex(where: { $0.control == .begin }),
                control == .rollback || ahead[begin...].allSatisfy({ $0.control != nil })
            else {
                // What waits was to be undone. It may be what has failed.
                if control == .rollback { forgetAhead() }
                return false
            }
            ahead.removeSubrange(begin...)
            expected = []
            isIdleBehindAhead = ahead.isEmpty ? nil : true
            return true
        }
    }

    /// Sends what waits by itself.
    func sendAhead() throws(StoreError) {
        guard !ahead.isEmpty, !connection.isClosed else { return forgetAhead() }
        try failing { () throws(PostgresError) in
            try askAhead()
            _ = try tripWithAhead()
        }
    }

    /// Sends what has been asked, with what goes ahead of it. Whatever comes of the trip, that has been asked then.
    private func tripWithAhead() throws(PostgresError) -> PostgresAnswer? {
        let sent = ahead
        let place = sent.lastIndex { $0.control == .savepoint || $0.control == .release }
        forgetAhead()
        do throws(PostgresError) {
            let answers = try trip()
            for (waiting, answer) in zip(sent, answers) {
                if let question = waiting.question { _ = remembered.keep(answer, to: question, waiting.holding) }
                if let change = waiting.foretold { outcomes[change] = answer }
            }
            return answers.last
        } catch {
            if Self.isAbout(sent, error) { hasFailedAhead = true }
            guard let place else { throw error }
            if case .server(_, let question?) = error, question > place { throw error }
            hasLostSavepoint = true
            throw error
        }
    }

    /// Returns whether a trip failed for one of the changes that went ahead in it, or may have.
    private static func isAbout(_ sent: [Waiting], _ error: PostgresError) -> Bool {
        switch error {
        case .server(_, let question?):
            sent.indices.contains(question) && (sent[question].isChange || sent[question].question != nil)
        case .deadline: sent.contains { $0.isChange || $0.question != nil }
        default: false
        }
    }

    /// Sends what has been asked, and gives the answers.
    private func trip() throws(PostgresError) -> [PostgresAnswer] {
        let answers = try connection.trip(until: end)
        // The server had done all of it when it was asked to stop. The connection is closed for that, and a transaction has ended with it.
        guard !connection.isClosed else { throw .deadline(isClosed: true) }
        return answers
    }

    private func forgetAhead() {
        ahead = []
        expected = []
        aheadBytes = 0
        isIdleBehindAhead = nil
    }

    // MARK: Changes and questions that go ahead

    /// Has a change go out with the next trip: nobody asks how many rows it changes. What it fails with, that trip fails with (`hasFailedAhead`).
    func changeAhead(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) {
        try demandUnlost()
        noteChange()
        let byteCount = values.reduce(0) { $0 + $1.heldBytes }
        guard !isInAutocommit, byteCount <= StoreLimits.bytesAheadMax, !values.contains(where: \.hasZero) else {
            try sendAhead()
            do throws(StoreError) { _ = try answer(sql, values) } catch {
                hasFailedAhead = true
                throw error
            }
            return
        }
        let prepared = prepared(sql, values)
        ahead.append(
            Waiting(
                statement: prepared.statement, values: values.map(\.serverValue), control: nil, isChange: true))
        aheadBytes += byteCount
        totalChangeCount += 1
        if ahead.count >= StoreLimits.statementsAheadMax || aheadBytes > StoreLimits.bytesAheadMax { try sendAhead() }
    }

    /// True if the answer to a question is at hand.
    func knows(_ sql: SQLText, _ values: [StoredValue]) -> Bool { remembered[AskedQuestion(sql, values)] != nil }

    /// True if changes were made before their turn that nobody has taken.
    var hasUntaken: Bool { !foretold.isEmpty }

    /// Has a change go out with the next trip that is made again soon (`answer`), by whoever takes the outcome then. Nothing comes of it where it has
    /// no room.
    func changeBeforehand(_ sql: SQLText, _ values: [StoredValue]) {
        let byteCount = values.reduce(0) { $0 + $1.heldBytes }
        guard !isLost, !isInAutocommit, ahead.count < StoreLimits.statementsAheadMax,
            aheadBytes + byteCount <= StoreLimits.bytesAheadMax, !values.contains(where: \.hasZero)
        else { return }
        let change = AskedQuestion(sql, values)
        guard foretold.insert(change).inserted else { return }
        let prepared = prepared(sql, values)
        ahead.append(
            Waiting(
                statement: prepared.statement, values: values.map(\.serverValue), control: nil, isChange: true,
                foretold: change))
        aheadBytes += byteCount
    }

    /// The outcome of a change that was made before its turn; nil for any other.
    private func takeForetold(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) -> PostgresAnswer? {
        guard !foretold.isEmpty else { return nil }
        let change = AskedQuestion(sql, values)
        guard foretold.contains(change) else { return nil }
        if outcomes[change] == nil { try sendAhead() }
        foretold.remove(change)
        guard let outcome = outcomes.removeValue(forKey: change) else {
            throw StoreError(.away, "database \(host): the connection has ended within a transaction. Try again")
        }
        noteChange()
        changeCount = outcome.count
        totalChangeCount += Int64(clamping: outcome.count)
        return outcome
    }

    private func forgetForetold() {
        if !foretold.isEmpty { foretold = [] }
        if !outcomes.isEmpty { outcomes = [:] }
    }

    /// Has a question go out with the next trip, whose answer is at hand then. Nothing comes of it where that trip does not come, or something
    /// is changed before.
    func expect(_ sql: SQLText, _ values: [StoredValue], holds: ExpectedAnswer) {
        guard !isLost, !isInAutocommit, ahead.count < StoreLimits.statementsAheadMax,
            !values.contains(where: \.hasZero)
        else { return }
        let question = AskedQuestion(sql, values)
        guard remembered[question] == nil, expected.insert(question).inserted else { return }
        let prepared = prepared(sql, values)
        ahead.append(
            Waiting(
                statement: prepared.statement, values: values.map(\.serverValue), control: nil, question: question,
                holding: holding(holds)))
    }

    private func holding(_ expected: ExpectedAnswer) -> AnswersAtHand.Holding {
        switch expected {
        case .untilChange: .untilChange
        case .untilKeyChanges: subject.map { .untilKeyChanges($0) } ?? .untilChange
        case .untilChangeWithoutKey: .untilChangeWithoutKey
        }
    }

    /// Forgets what may be another answer behind a change that is about to go out.
    private func noteChange() {
        remembered.forget(behindChangeOf: subject)
        // Who asks for these later asks for what is there behind the change.
        guard !expected.isEmpty else { return }
        ahead.removeAll { waiting in
            guard let question = waiting.question, !waiting.holding.survives(subject) else { return false }
            expected.remove(question)
            return true
        }
    }

    /// Sends what waits for the question that waits with it. Nil: it has to be asked once more.
    private func sendAhead(for question: AskedQuestion) throws(StoreError) -> PostgresAnswer? {
        guard !connection.isClosed else {
            ahead.removeAll { $0.question == question }
            expected.remove(question)
            return nil
        }
        try sendAhead()
        return remembered[question]
    }

    /// Sends the changes that wait, if any.
    func sendChangesAhead() throws(StoreError) {
        if ahead.contains(where: \.isChange) { try sendAhead() }
    }

    /// Drops the changes and questions that wait: whoever wanted them is undone.
    func forgetChangesAhead() {
        ahead.removeAll { $0.isChange || $0.question != nil }
        expected = []
        remembered.forget()
    }

    var tripCount: Int64 { connection.tripCount }

    // MARK: Bodies that run again

    /// Has the questions of a body noted from now on, but for the first.
    func beginGathering() { gathered = GatheredQuestions(asksFirst: true) }

    /// Has the questions of several bodies noted from now on.
    func beginSharedGathering() { gathered = GatheredQuestions(asksFirst: false) }

    /// Begins a run of all bodies.
    func beginGatheredRun() {
        gathered?.beginRun()
        lacksAnswer = false
    }

    /// Has a question of a body that runs later go out with the others.
    func expectGathered(_ question: ServerQuestion) { gathered?.note(ahead: question) }

    var isGathering: Bool { gathered != nil }

    /// True if the body that runs lacks an answer. Set back before each.
    var lacksAnswer: Bool {
        get { gathered?.isLacking ?? false }
        set { gathered?.isLacking = newValue }
    }

    func endGathering() { (gathered, shownRows) = (nil, nil) }

    /// Asks for all that the body lacked, in one trip. False where it lacked nothing.
    func askGathered() throws(StoreError) -> Bool {
        guard let missing = gathered?.missing, !missing.isEmpty else { return false }
        let groups = groups(of: missing)
        let answers = try failing { () throws(PostgresError) in
            try ask(groups)
            let count = ahead.count
            forgetAhead()
            return try trip().dropFirst(count)
        }
        try keepGathered(answers, to: groups)
        return true
    }

    private func groups(of questions: ArraySlice<ServerQuestion>) -> QuestionGroups {
        QuestionGroups(questions) { question, places in
            let prepared = prepared(question.sql, question.values)
            return prepared.isRepeatable && prepared.countPlaces.isDisjoint(with: places)
        }
    }

    /// Notes questions for the next trip, behind what goes ahead of it.
    private func ask(_ groups: QuestionGroups) throws(PostgresError) {
        do throws(PostgresError) {
            try askAhead()
            for group in groups.groups {
                let first = groups.first(of: group)
                let prepared = prepared(first.sql, first.values, manyTimesAt: group.places)
                try connection.ask(prepared.statement, groups.values(of: group))
            }
        } catch {
            connection.forgetQuestions()
            throw error
        }
    }

    private func keepGathered(
        _ answers: ArraySlice<PostgresAnswer>, to groups: QuestionGroups
    ) throws(StoreError) {
        guard let answers = groups.answers(answers) else {
            throw StoreError(.unexpected, "database \(host): its answers are not those to the questions")
        }
        for answer in answers where gathered?.keep(answer) == false { endGathering() }
    }

    /// Sends all that bodies lacked, and waits for nothing (`takeGathered`). For a session without a transaction.
    func sendGathered() throws(StoreError) {
        let groups = groups(of: gathered?.missing ?? [])
        try failing { () throws(PostgresError) in
            try ask(groups)
            try connection.send()
        }
        sent = groups
    }

    /// Takes the answers to what was sent. False until all of them are there.
    func takeGathered() throws(StoreError) -> Bool {
        let answers = try failing { () throws(PostgresError) in try connection.takeAnswers() }
        guard let answers else { return false }
        if let sent = sent.take() { try keepGathered(answers[...], to: sent) }
        return true
    }

    /// The bytes of the answers that bodies have.
    var gatheredBytes: Int { gathered?.byteCount ?? 0 }

    /// True for a session of a loop: a body that asks in another way than by noting its question lacks the answer.
    var waitsForNothing = false

    /// A second descriptor of its connection's socket.
    func socket() -> FileDescriptor? { connection.socket() }

    /// The answer to a question of a body that may run again; nil: it has none yet.
    private func gatheredAnswer(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) -> PostgresAnswer? {
        guard let gathered else { return nil }
        // Mostly it is: for that no hash is needed.
        if let known = gathered.expectedAnswer(to: sql, values) { return known }
        if let known = gathered.answer(to: sql, values) { return known }
        guard gathered.isFirst else { return nil }
        gathered.isFirst = false
        let answer = try answer(sql, values)
        gathered.note(sql, values)
        // Too long to be kept: the body goes on with one question a trip.
        if !gathered.keep(answer) { endGathering() }
        return answer
    }

    /// Notes the questions that go ahead.
    private func askAhead() throws(PostgresError) {
        for waiting in ahead { try connection.ask(waiting.statement, waiting.values) }
    }

    /// Notes that a connection has ended that was within a transaction.
    private func noteEnd(wasIdle: Bool) {
        if connection.isClosed, !wasIdle { isLost = true }
    }

    /// How many walks are open, one within the rows of the other.
    private var walkDepth = 0

    /// Runs one statement and hands each row to the closure, until that says false.
    func query<Failure: RowFailure>(
        _ sql: SQLText, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        if rollsBackLost(sql) { return }
        if values.isEmpty {
            do throws(StoreError) { if try waits(sql) { return } } catch { throw Failure(error) }
        }
        if gathered != nil, !sql.isOpen {
            let rows: ServerRows
            do throws(StoreError) {
                guard let answer = try gatheredAnswer(sql, values) else { return }
                rows = try gatheredRows(of: answer)
            } catch { throw Failure(error) }
            defer { withExtendedLifetime(rows) {} }
            for number in 0..<rows.count {
                rows.go(to: number)
                guard try row(Row(rows)) else { return }
            }
            return
        }
        if waitsForNothing {
            gathered?.isLacking = true
            return
        }
        let walk = ServerWalk(sql, values, on: self)
        // It also keeps the rows that are looked at.
        defer { walk.end() }
        while true {
            let piece: ServerRows?
            do throws(StoreError) { piece = try walk.next() } catch { throw Failure(error) }
            guard let piece else { return }
            for number in 0..<piece.count {
                piece.go(to: number)
                guard try row(Row(piece)) else { return }
            }
        }
    }

    /// The rows of an answer that stays until all of them are forgotten: in the object of the last one, where nobody looks at that.
    private func gatheredRows(of answer: PostgresAnswer) throws(StoreError) -> ServerRows {
        if isKnownUniquelyReferenced(&shownRows), let shownRows, shownRows.show(answer) { return shownRows }
        let rows = try rows(of: answer)
        if gathered != nil { shownRows = rows }
        return rows
    }

    /// The rows of an answer, to be gone through.
    func rows(of answer: PostgresAnswer) throws(StoreError) -> ServerRows {
        let rows = try ServerRows(answer, host, lastKinds)
        lastKinds = rows.columnKinds
        return rows
    }

    // MARK: Walks

    /// Opens a cursor, in a transaction of its own where there is none, and answers with its name and its first rows.
    func open(
        _ sql: SQLText, _ values: [StoredValue]
    ) throws(StoreError) -> (cursor: ServerCursor, rows: PostgresAnswer) {
        try demandUnlost()
        try reopen()
        let cursor = ServerCursor(name: "walk\(walkDepth)", ownsTransaction: isInAutocommit)
        walkDepth += 1
        let (sent, isIdleBehind) = (ahead, isIdleBehindAhead)
        do throws(PostgresError) {
            return (cursor, try declare(cursor, sql, values))
        } catch {
            // Questions from before the error would go out with the next statement.
            connection.forgetQuestions()
            do throws(StoreError) {
                guard mayRepeat(after: error, sent, wasIdle: cursor.ownsTransaction) else {
                    noteEnd(wasIdle: cursor.ownsTransaction)
                    throw failure(error)
                }
                (ahead, isIdleBehindAhead, hasLostSavepoint) = (sent, isIdleBehind, false)
                try reopen()
                return (cursor, try failing { () throws(PostgresError) in try declare(cursor, sql, values) })
            } catch {
                close(cursor)
                throw error
            }
        }
    }

    private func declare(
        _ cursor: ServerCursor, _ sql: SQLText, _ values: [StoredValue]
    ) throws(PostgresError) -> PostgresAnswer {
        let declaration = PostgresStatement(
            "DECLARE \(cursor.name) NO SCROLL CURSOR FOR \(sql.serverText)", values.map(\.serverType), isKept: false)
        let end = end
        // What goes ahead is still to come then.
        guard end > .now else { throw .deadline(isClosed: false) }
        try askAhead()
        if cursor.ownsTransaction { try connection.ask(Self.begin) }
        try connection.ask(declaration, values.map(\.serverValue))
        try connection.ask(Self.fetching(from: cursor))
        guard let rows = try tripWithAhead() else { throw .connectionLost(.closed) }
        return rows
    }

    /// Returns whether questions may go out again on another connection: nothing was changed by them, nor by what went ahead of them in the
    /// same transaction. Servers close connections that were idle for long.
    private func mayRepeat(after error: PostgresError, _ sent: [Waiting], wasIdle: Bool) -> Bool {
        guard case .connectionLost = error, connection.isClosed, place != nil else { return false }
        return (wasIdle || sent.contains { $0.control == .begin })
            && sent.allSatisfy { $0.control != nil || $0.question != nil }
    }

    /// The next rows of a cursor.
    func rows(of cursor: ServerCursor) throws(StoreError) -> PostgresAnswer {
        try failing { () throws(PostgresError) in
            try connection.ask(Self.fetching(from: cursor))
            guard let rows = try trip().last else { throw .connectionLost(.closed) }
            return rows
        }
    }

    /// Closes a cursor. An error here comes again with the next statement, which reports it.
    func close(_ cursor: ServerCursor) {
        walkDepth -= 1
        // A transaction that has failed has no cursors any more.
        guard cursor.ownsTransaction ? connection.status != .idle : connection.status == .inTransaction else { return }
        let text = cursor.ownsTransaction ? "ROLLBACK" : "CLOSE \(cursor.name)"
        _ = try? connection.ask(PostgresStatement(text, isKept: false))
        _ = try? connection.trip(until: MonotonicTime.now.advanced(byMilliseconds: Int(StoreLimits.tripMilliseconds)))
        noteEnd(wasIdle: cursor.ownsTransaction)
    }

    private static let begin = PostgresStatement("BEGIN")

    private static func fetching(from cursor: ServerCursor) -> PostgresStatement {
        PostgresStatement("FETCH FORWARD \(StoreLimits.walkPieceRows) FROM \(cursor.name)", isKept: false)
    }

    /// The answer to one statement.
    ///
    /// - Parameter isKept: whether the server keeps it prepared.
    func answer(_ sql: SQLText, _ values: [StoredValue], isKept: Bool = true) throws(StoreError) -> PostgresAnswer {
        try demandUnlost()
        try reopen()
        let prepared =
            isKept
            ? prepared(sql, values) : prepared(Question(sql: sql, types: values.map(\.serverType)), isKept: false)
        let question = question(prepared, sql, values)
        if let question {
            if let known = remembered[question] { return known }
            // Now it is asked in any case, together with all that waits.
            if expected.contains(question), let known = try sendAhead(for: question) { return known }
        } else if !prepared.isRepeatable {
            if let outcome = try takeForetold(sql, values) { return outcome }
            noteChange()
        }
        let values = values.map(\.serverValue)
        let wasIdle = isInAutocommit
        let (sent, isIdleBehind) = (ahead, isIdleBehindAhead)
        do throws(PostgresError) {
            let answer = try answer(prepared, values)
            if let question { _ = remembered.keep(answer, to: question) }
            return answer
        } catch {
            if prepared.isRepeatable, mayRepeat(after: error, sent, wasIdle: wasIdle) {
                (ahead, isIdleBehindAhead, hasLostSavepoint) = (sent, isIdleBehind, false)
                try reopen()
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            noteEnd(wasIdle: wasIdle)
            // A table has changed under a statement: the connection has forgotten that one.
            if case .server(let refusal, _) = error, refusal.isStaleStatement, isInAutocommit {
                return try failing { () throws(PostgresError) in try answer(prepared, values) }
            }
            throw failure(error)
        }
    }

    /// The question as which an answer is at hand later; nil for a change, and outside of a writer's transaction.
    private func question(_ prepared: Prepared, _ sql: SQLText, _ values: [StoredValue]) -> AskedQuestion? {
        guard mode == .writer, prepared.isRepeatable, prepared.statement.isKept, !isInAutocommit else { return nil }
        return AskedQuestion(sql, values)
    }

    private func answer(_ prepared: Prepared, _ values: [PostgresValue]) throws(PostgresError) -> PostgresAnswer {
        let end = end
        // What goes ahead is still to come then.
        guard end > .now else { throw .deadline(isClosed: false) }
        do throws(PostgresError) {
            try askAhead()
            try connection.ask(prepared.statement, values)
        } catch {
            connection.forgetQuestions()
            throw error
        }
        guard let answer = try tripWithAhead() else { throw .connectionLost(.closed) }
        if prepared.isChange {
            changeCount = answer.count
            totalChangeCount += Int64(clamping: answer.count)
        }
        return answer
    }

    /// Puts rows into a table by `COPY`, in one trip with what goes ahead of it, and says how many.
    func copy(_ statement: PostgresStatement, _ rows: [UInt8]) throws(StoreError) -> Int {
        try demandUnlost()
        try reopen()
        remembered.forget()
        return try failing { () throws(PostgresError) in
            do throws(PostgresError) {
                try askAhead()
                try connection.copy(statement, rows)
            } catch {
                connection.forgetQuestions()
                throw error
            }
            return try tripWithAhead()?.count ?? 0
        }
    }

    /// The statement that asks as many times as there are values in the arrays at these places; without one it is the single statement.
    private func prepared(_ sql: SQLText, _ values: [StoredValue], manyTimesAt places: [Int]) -> Prepared {
        guard !places.isEmpty else { return prepared(sql, values) }
        var types = values.map(\.serverType)
        for place in places { types[place] = types[place].array ?? .inferred }
        return prepared(Question(sql: sql, types: types), isKept: true)
    }

    /// The statement for values of these types, which the server keeps prepared.
    private func prepared(_ sql: SQLText, _ values: [StoredValue]) -> Prepared {
        if let (last, prepared) = lastPrepared, last == sql {
            let types = prepared.statement.parameters
            if types.count == values.count, zip(types, values).allSatisfy({ $0 == $1.serverType }) { return prepared }
        }
        let found = prepared(Question(sql: sql, types: values.map(\.serverType)), isKept: true)
        lastPrepared = (sql, found)
        return found
    }

    private func prepared(_ question: Question, isKept: Bool) -> Prepared {
        if let known = statements[question] { return known }
        let arrays = question.types.indices.filter { question.types[$0].isArray }.map { $0 + 1 }
        let translation = question.sql.translated(manyTimesFor: arrays)
        let text = translation.string
        let made = Prepared(
            statement: PostgresStatement(text, question.types, isKept: isKept),
            isChange: ["INSERT", "UPDATE", "DELETE"].contains { text.utf8.starts(with: $0.utf8) },
            isRepeatable: ["SELECT", "BEGIN"].contains { text.utf8.starts(with: $0.utf8) },
            countPlaces: Set(translation.countNumbers.map { $0 - 1 }))
        guard isKept else { return made }
        if statements.count >= StoreLimits.statementsMax { statements = [:] }
        statements[question] = made
        return made
    }

    /// The milliseconds that a trip may take. A move makes the indexes of large tables, which takes longer than any request may.
    var tripMilliseconds = StoreLimits.tripMilliseconds

    /// When a trip has to be over: no statement waits for ever, and no commit does.
    private var end: MonotonicTime {
        var milliseconds = tripMilliseconds
        if deadline.milliseconds != .max {
            let left = max(0, deadline.milliseconds) - Timestamp.monotonicMilliseconds
            milliseconds = min(milliseconds, max(0, left))
        }
        return MonotonicTime.now.advanced(byMilliseconds: Int(clamping: milliseconds))
    }

    private func failing<Answer>(_ body: () throws(PostgresError) -> Answer) throws(StoreError) -> Answer {
        let wasIdle = isInAutocommit
        do throws(PostgresError) { return try body() } catch {
            noteEnd(wasIdle: wasIdle)
            throw failure(error)
        }
    }

    private func failure(_ error: PostgresError) -> StoreError {
        // The deadline notes that it has ended something.
        if case .deadline = error { deadline.noteInterruption() } else { _ = deadline.isOver() }
        // Behind a statement that was ended, a transaction takes no other one.
        if deadline.hasInterrupted, error.isServer(code: "25P02") {
            return StoreError(.interrupted, "database \(host): a statement of the same change took too long")
        }
        return StoreError(error, at: host)
    }
}

extension StoredValue {
    /// The type that a parameter with this value has. The server finds out that of a NULL.
    var serverType: PostgresType {
        switch self {
        case .null: .inferred
        case .integer: .int8
        case .real: .float8
        case .text, .utf8: .text
        case .blob: .bytea
        }
    }

    /// At most so many bytes it takes, about.
    var heldBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .utf8(let bytes), .blob(let bytes): bytes.count
        case .null, .integer, .real: 8
        }
    }

    /// A server's texts have no U+0000, and the connection says so of the statement that has one.
    fileprivate var hasZero: Bool {
        switch self {
        case .text(let text): text.hasZero
        case .utf8(let bytes): bytes.hasZero
        case .null, .integer, .real, .blob: false
        }
    }

    var serverValue: PostgresValue {
        switch self {
        case .null: .null
        case .integer(let integer): .int8(integer)
        // As in a file, which keeps no sign of a zero.
        case .real(let real): .float8(real == 0 ? 0 : real)
        case .text(let text): .text(text)
        case .utf8(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .bytea(bytes)
        }
    }
}
