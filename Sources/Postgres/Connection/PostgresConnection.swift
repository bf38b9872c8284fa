import Network

/// One connection to a server: questions are noted (`ask`), go out together with one Sync, and are answered together (`trip`).
///
///     ask(statement, values) ─▶ 0     ask(…) ─▶ 1     trip(until:) ─▶ [answer 0, answer 1]
///
/// Without a transaction of its own (`BEGIN`), a trip is one: all of its questions count, or none. It blocks the thread that
/// asks, until the deadline at the latest.
///
/// Unchecked: one thread at a time uses it. A pool hands it from one to the next.
package final class PostgresConnection: @unchecked Sendable {
    package let host: PostgresHost
    package let settings: PostgresSettings
    package let limits: PostgresLimits
    let cancellation: PostgresCancellation
    private let notice: PostgresNotice.Hook?

    private var line: PostgresLine
    package private(set) var isClosed = false
    /// Where the connection was at the end of the last trip.
    package private(set) var status = TransactionStatus.idle
    private(set) var parameters: PostgresServerParameters
    private(set) var notifications = HeldNotifications()

    private var statements: [ObjectIdentifier: PreparedStatement] = [:]
    /// Statements that the server is to let go with the next trip.
    private var closing: [String] = []
    private var lastName = 0
    private var tripNumber = 1
    /// The trips so far.
    package private(set) var tripCount: Int64 = 0

    // The questions since the last trip.
    private var asked = MessageWriter()
    private var progress: TripProgress
    private let spare: SpareRowMemory
    private var new: [PreparedStatement] = []
    /// The trip whose answers are taken when they are there.
    private var underWay: TripProgress?

    /// Takes over a connection whose sign-in is over.
    init(
        _ line: consuming PostgresLine, _ settings: PostgresSettings, limits: PostgresLimits,
        cancellation: PostgresCancellation, parameters: PostgresServerParameters, notice: PostgresNotice.Hook?
    ) {
        self.line = line
        self.settings = settings
        self.limits = limits
        self.cancellation = cancellation
        self.parameters = parameters
        self.notice = notice
        host = cancellation.place.host
        spare = SpareRowMemory(limits: limits)
        progress = TripProgress(limits: limits, spare: spare)
    }

    deinit { close() }

    /// The number of the server's process, as its view `pg_stat_activity` has it.
    package var serverProcess: UInt32 { cancellation.process }

    /// A setting that the server has told.
    package func serverParameter(_ name: String) -> String? { parameters[name] }

    package var isSecure: Bool { line.stream.isSecure }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        var goodbye = MessageWriter()
        goodbye.terminate()
        line.stream.sayGoodbye(goodbye.bytes)
    }

    /// How many statements it keeps prepared.
    package var statementCount: Int { statements.count }

    // MARK: Questions

    /// Notes a question, and returns its number in the trip. What it throws leaves the other questions as they are.
    ///
    /// - Parameter rowsMax: so many rows are answered at the most; 0: all.
    @discardableResult
    package func ask(
        _ statement: PostgresStatement, _ values: [PostgresValue] = [], rowsMax: Int32 = 0
    ) throws(PostgresError) -> Int {
        try ask(statement, values, rowsMax: rowsMax, copying: nil)
    }

    /// Notes a `COPY … FROM STDIN`, with all its rows in the form that it names. They go out with it: a server that refuses the statement
    /// reads past them.
    @discardableResult
    package func copy(_ statement: PostgresStatement, _ rows: [UInt8]) throws(PostgresError) -> Int {
        try ask(statement, [], rowsMax: 0, copying: rows)
    }

    private func ask(
        _ statement: PostgresStatement, _ values: [PostgresValue], rowsMax: Int32, copying rows: [UInt8]?
    ) throws(PostgresError) -> Int {
        guard !isClosed else { throw .misuse(.closed) }
        guard progress.questionCount < limits.questions else {
            throw .misuse(.tooManyQuestions(limit: limits.questions))
        }
        try check(statement, values, besides: rows?.count ?? 0)
        let prepared = prepared(statement)
        // One that this trip parses already is not parsed again.
        let isParsed = prepared.isPrepared || (prepared.lastTrip == tripNumber && !prepared.name.isEmpty)
        prepared.lastTrip = tripNumber
        if !isParsed {
            asked.parse(statement, name: prepared.name)
            asked.describe(statement: prepared.name)
        }
        asked.bind(statement: prepared.name, values)
        asked.execute(rowsMax: max(0, rowsMax))
        if let rows { asked.copy(rows) }
        return progress.expect(prepared, isParsed: !isParsed, isCopy: rows != nil)
    }

    private func check(
        _ statement: PostgresStatement, _ values: [PostgresValue], besides byteCount: Int
    ) throws(PostgresError) {
        guard statement.byteCount <= PostgresLimits.statementBytes else {
            throw .misuse(.statementTooLong(limit: PostgresLimits.statementBytes))
        }
        guard statement.parameters.count <= PostgresLimits.statementParameters else {
            throw .misuse(.statementTooLong(limit: PostgresLimits.statementParameters))
        }
        guard !statement.hasZero else { throw .misuse(.zeroByteInStatement) }
        guard values.count == statement.parameters.count else {
            throw .misuse(.parameterCount(wanted: statement.parameters.count, given: values.count))
        }
        var bytes = asked.bytes.count + statement.byteCount + byteCount
        guard bytes <= limits.outgoingBytes else { throw .misuse(.questionsTooLong(limit: limits.outgoingBytes)) }
        for (index, value) in values.enumerated() {
            guard value.type == nil || value.type == statement.parameters[index] else {
                throw .misuse(.parameterType(index: index))
            }
            guard !value.hasZero else { throw .misuse(.zeroByte(index: index)) }
            bytes += value.byteCount
            guard bytes <= limits.outgoingBytes else { throw .misuse(.questionsTooLong(limit: limits.outgoingBytes)) }
        }
    }

    /// The statement as this connection knows it, with a new name where it does not.
    private func prepared(_ statement: PostgresStatement) -> PreparedStatement {
        if let known = statements[ObjectIdentifier(statement)] { return known }
        guard statement.isKept, statements.count < limits.statements || forgetOldest() else {
            return PreparedStatement(statement, name: "")
        }
        lastName += 1
        let prepared = PreparedStatement(statement, name: "s\(lastName)")
        statements[ObjectIdentifier(statement)] = prepared
        new.append(prepared)
        return prepared
    }

    /// Lets the statement go that was used the longest time ago. False where this trip uses all of them.
    private func forgetOldest() -> Bool {
        let oldest = statements.min { $0.value.lastTrip < $1.value.lastTrip }
        guard let oldest, oldest.value.lastTrip < tripNumber else { return false }
        statements[oldest.key] = nil
        closing.append(oldest.value.name)
        return true
    }

    // MARK: A trip

    /// Sends all questions that are noted, and waits for their answers.
    ///
    /// When the deadline has come, the server is asked to cancel; where it does not end in time then, the connection is closed.
    package func trip(until deadline: MonotonicTime) throws(PostgresError) -> [PostgresAnswer] {
        var progress = self.progress
        let messages = messages(for: &progress)
        defer { end(progress) }
        guard !isClosed else { throw .misuse(.closed) }
        guard deadline > .now else { throw .deadline(isClosed: false) }
        tripCount += 1
        line.stream.enqueue(messages)
        let isCancelled = try exchange(&progress, until: deadline)
        return try outcome(of: progress, isCancelled: isCancelled)
    }

    /// The messages of a trip with all questions that are noted.
    private func messages(for progress: inout TripProgress) -> [UInt8] {
        var outgoing = MessageWriter()
        progress.expectFirst(closing: closing)
        for name in closing { outgoing.close(statement: name) }
        if outgoing.isEmpty { swap(&outgoing, &asked) } else { outgoing.append(asked) }
        outgoing.sync()
        return outgoing.bytes
    }

    /// The answers of a complete trip, or the error that it ended with.
    private func outcome(
        of progress: TripProgress, isCancelled: Bool
    ) throws(PostgresError) -> [PostgresAnswer] {
        status = progress.status ?? .failed
        guard let failure = progress.failure else {
            // The request may still be on its way: it must not meet the next statement.
            if isCancelled { close() }
            return progress.answers
        }
        if isCancelled {
            let isOver = failure.error.has(code: "57014")
            if !isOver { close() }
            throw .deadline(isClosed: !isOver)
        }
        if failure.error.isStaleStatement, let question = failure.question { forget(progress.statement(of: question)) }
        throw .server(failure.error, question: failure.question)
    }

    /// Takes messages until the server has nothing more to say. Returns whether it was asked to cancel.
    private func exchange(_ progress: inout TripProgress, until deadline: MonotonicTime) throws(PostgresError) -> Bool {
        var end = deadline
        var isCancelled = false
        var notices = 0
        while progress.status == nil {
            do throws(PostgresStreamError) {
                try take(try line.frame(until: end), &progress, &notices)
            } catch {
                if case .deadline = error, !isCancelled {
                    isCancelled = true
                    if cancellation.send(settings, within: limits.cancelMilliseconds) {
                        end = MonotonicTime.now.advanced(byMilliseconds: limits.afterCancelMilliseconds)
                        continue
                    }
                }
                close()
                throw Self.ended(error, progress, isCancelled: isCancelled)
            }
        }
        return isCancelled
    }

    private static func ended(
        _ error: PostgresStreamError, _ progress: TripProgress, isCancelled: Bool
    ) -> PostgresError {
        if isCancelled { return .deadline(isClosed: true) }
        // A server says why it ends the connection.
        if let failure = progress.failure, failure.error.isFatal { return .connectionLost(.server(failure.error)) }
        if case .violation(let violation) = error { return .violation(violation) }
        return .connectionLost(error.reason)
    }

    private func take(
        _ frame: MessageFrames.Frame, _ progress: inout TripProgress, _ notices: inout Int
    ) throws(PostgresStreamError) {
        do throws(PostgresViolation) {
            if frame.kind == .dataRow {
                return try line.withBytes(of: frame) { row throws(PostgresViolation) in try progress.take(row: row) }
            }
        } catch {
            throw .violation(error)
        }
        let message = try line.message(frame, limits: limits)
        if try takesAside(message, frame.kind, &notices) { return }
        do throws(PostgresViolation) {
            try progress.take(message, frame.kind)
        } catch {
            throw .violation(error)
        }
    }

    /// Takes what a server may say at any time. False for what belongs to a trip.
    private func takesAside(
        _ message: ServerMessage, _ kind: MessageKind, _ notices: inout Int
    ) throws(PostgresStreamError) -> Bool {
        switch message {
        case .notice(let error):
            notices += 1
            if notices <= limits.tripNotices { notice?(PostgresNotice(error)) }
        case .notification(let notification): notifications.add(notification, max: limits.notificationsHeld)
        case .parameterStatus(let name, let value): parameters.set(name, value, max: limits.serverParameters)
        case .authentication, .backendKey, .negotiateVersion: throw .violation(.unexpected(kind: kind.rawValue))
        default: return false
        }
        return true
    }

    /// Makes ready for the next trip, and forgets what the server has not confirmed.
    private func end(_ progress: TripProgress) {
        closing.removeAll { name in progress.closed.contains { $0.utf8.elementsEqual(name.utf8) } }
        for prepared in new where !prepared.isPrepared { forget(prepared) }
        new = []
        asked.removeAll()
        self.progress = TripProgress(limits: limits, spare: spare)
        tripNumber += 1
    }

    private func forget(_ prepared: PreparedStatement?) {
        guard let prepared, statements[ObjectIdentifier(prepared.statement)] === prepared else { return }
        statements[ObjectIdentifier(prepared.statement)] = nil
        if prepared.isParsed { closing.append(prepared.name) }
    }

    // MARK: A trip of an event loop

    /// Sends all questions that are noted, and waits for nothing: their answers are taken when they are there (`takeAnswers`). The connection is
    /// closed where the system does not take all of them at once, which it does of a short trip.
    package func send() throws(PostgresError) {
        var progress = self.progress
        let messages = messages(for: &progress)
        guard !isClosed else {
            end(progress)
            throw .misuse(.closed)
        }
        tripCount += 1
        line.stream.enqueue(messages)
        do throws(PostgresStreamError) {
            guard try line.stream.sendAtOnce() else { throw .deadline }
        } catch {
            close()
            end(progress)
            throw Self.ended(error, progress, isCancelled: false)
        }
        underWay = progress
    }

    /// The answers to what was sent; nil until all of them are there. Each call takes so much of what has come that its thread is not held for
    /// long.
    package func takeAnswers() throws(PostgresError) -> [PostgresAnswer]? {
        guard !isClosed, var progress = underWay.take() else { throw .misuse(.closed) }
        var (pieces, notices) = (Self.piecesAtOnce, 0)
        do throws(PostgresStreamError) {
            while progress.status == nil {
                guard let frame = try line.frameAtHand(&pieces) else {
                    underWay = progress
                    return nil
                }
                try take(frame, &progress, &notices)
            }
        } catch {
            close()
            end(progress)
            throw Self.ended(error, progress, isCancelled: false)
        }
        end(progress)
        return try outcome(of: progress, isCancelled: false)
    }

    /// The parts of what has come that are taken at once.
    private static let piecesAtOnce = 8

    /// A second descriptor of its socket, to be watched for answers; nil where the process has none left.
    package func socket() -> FileDescriptor? { line.stream.socket() }

    // MARK: Between trips

    /// Drops questions that are noted and not sent.
    package func forgetQuestions() {
        if progress.questionCount > 0 { end(progress) }
    }

    /// True if the server has said something since the last trip, its end included. An idle connection of a pool is of no use
    /// then: a server says nothing to it but that it ends.
    var hasInput: Bool { line.hasInput }

    /// Waits for one message that a server may send at any time, and takes it. False when the deadline has come.
    func awaitAside(until deadline: MonotonicTime) throws(PostgresError) -> Bool {
        guard !isClosed else { throw .misuse(.closed) }
        var notices = 0
        do throws(PostgresStreamError) {
            let frame = try line.frame(until: deadline)
            let message = try line.message(frame, limits: limits)
            if case .error(let error) = message {
                close()
                throw PostgresStreamError.closedFor(error)
            }
            guard try takesAside(message, frame.kind, &notices) else {
                throw .violation(.unexpected(kind: frame.kind.rawValue))
            }
            return true
        } catch {
            if case .deadline = error { return false }
            close()
            if case .violation(let violation) = error { throw .violation(violation) }
            throw .connectionLost(error.reason)
        }
    }

    func takeNotification() -> PostgresNotification? { notifications.take() }

    func takeOverrun() -> Bool { notifications.takeOverrun() }
}
