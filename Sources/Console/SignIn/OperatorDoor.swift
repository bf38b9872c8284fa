import Crypto
import JSON
import Network
import Store
import Synchronization
import Threads

/// Who may ask the console: in development whoever sits at this machine, elsewhere who has signed in with the administrator's
/// password, which is made once, by a link that the start prints.
final class OperatorDoor: Sendable {
    /// What is known of a request before it is answered.
    enum Standing: Sendable {
        /// Nobody signs in here.
        case free
        /// There is no password yet.
        case setup
        /// There is one, and the request shows no session.
        case stranger
        case signedIn(OperatorSession, token: String)
    }

    private struct Known: Sendable {
        var password: OperatorPassword?
        var sessions: [ByteText: OperatorSession] = [:]
        /// When it was read, by the monotonic clock.
        var readAt = Timestamp.monotonicMilliseconds
    }

    /// The reads of what other nodes have changed: one runs, and at most one waits, for all who have come since that one began.
    private struct Reads {
        var last: Task<ConsoleError?, Never>?
        var waiting: Task<ConsoleError?, Never>?
    }

    let isDevelopment: Bool
    /// True if other nodes sign people in and out too, so that the database is asked again and again.
    private let hasNodes: Bool
    let cookie: OperatorCookie
    private let store: @Sendable () -> Store
    private let clock: @Sendable () -> Int64
    private let known = Mutex<Known?>(nil)
    private let setupToken = Mutex<String?>(nil)
    private let wrong = WrongPasswords()
    private let marks = Mutex<BrowserMark?>(nil)
    private let instance: String
    private let workers = WorkersAside(threadsMax: 1, waitingMax: 8)
    private let reads = Mutex(Reads())
    /// The key of CSRF tokens: they are good as long as the process, or as the database of several nodes.
    private let secret: [UInt8]

    init(
        isDevelopment: Bool, hasNodes: Bool = false, instance: String, store: @escaping @Sendable () -> Store,
        clock: @escaping @Sendable () -> Int64
    ) {
        (self.isDevelopment, self.hasNodes, self.store, self.clock) = (isDevelopment, hasNodes, store, clock)
        secret = hasNodes ? store().secret(for: "the console's forms") : RandomBytes.make(count: 32)
        self.instance = instance
        cookie = OperatorCookie(instance: instance)
    }

    /// The mark of browsers in which an operator was signed in before.
    var mark: BrowserMark {
        marks.withLock { mark in
            if let mark { return mark }
            let made = BrowserMark(instance: instance, secret: store().secret(for: "the console's browsers"))
            mark = made
            return made
        }
    }

    /// The caller that tries a password.
    private func source(_ head: HTTPRequestHead, _ visit: ConsoleVisit) -> WrongPasswords.Source {
        mark.browser(of: head).map { .browser($0) } ?? WrongPasswords.Source(address: visit.address)
    }

    // MARK: What a request shows

    func standing(of head: HTTPRequestHead, _ visit: ConsoleVisit) async throws(ConsoleError) -> Standing {
        if isDevelopment, visit.isFromThisMachine { return .free }
        return try await standing(ofSession: cookie.value(in: head))
    }

    /// The same of the cookie's value.
    func standing(ofSession token: String?) async throws(ConsoleError) -> Standing {
        try await load(lookingFor: token.map { OperatorSession.mark(of: $0) })
        let now = clock()
        let (standing, isToBeNoted) = known.withLock { known -> (Standing, Bool) in
            guard known?.password != nil else { return (.setup, false) }
            guard let token else { return (.stranger, false) }
            let mark = OperatorSession.mark(of: token)
            guard var session = known?.sessions[mark], !session.isOver(at: now) else { return (.stranger, false) }
            session.lastUsed = now
            let isToBeNoted = hasNodes && now - (session.noted ?? .min / 2) >= ConsoleLimits.nodeUseMilliseconds
            if isToBeNoted { session.noted = now }
            known?.sessions[mark] = session
            return (.signedIn(session, token: token), isToBeNoted)
        }
        if isToBeNoted, let mark = standing.mark { noteUse(of: mark, at: now) }
        return standing
    }

    /// Has the other nodes know that a session is used: by itself, one of them would take it for idle.
    private func noteUse(of mark: ByteText, at now: Int64) {
        store().writer.submit(
            turn: .console, key: nil,
            { session in
                try session.bring(ConsoleTables.all)
                try session.bring(ConsoleTables.uses)
                try session.change(ConsoleRows.useAssignment, [.text(mark.string), .integer(now)])
            }, answer: { _ in })
    }

    /// Whether a request without a word of the database is a stranger's: no body of theirs is waited for.
    func isSurelyForeign(_ head: HTTPRequestHead, _ visit: ConsoleVisit) -> Bool {
        if isDevelopment, visit.isFromThisMachine { return false }
        return cookie.value(in: head) == nil
    }

    /// The token that a request which changes something has to show.
    func csrfToken(for standing: Standing) -> String? {
        switch standing {
        case .free: token(for: "development")
        case .signedIn(_, let session): token(for: "session \(session)")
        case .setup, .stranger: nil
        }
    }

    private func token(for purpose: String) -> String {
        Base64.text(of: HMACSHA256.code(of: Array(purpose.utf8), key: secret), .url)
    }

    // MARK: Coming in

    /// The token of the link by which the first password is made, while there is none: made at each start anew.
    func prepareSetup() throws(StoreError) -> String? {
        guard !isDevelopment else { return nil }
        let store = store()
        if store.knows(ConsoleTables.all) {
            let reader = try store.readerBeside()
            if try reader.has(ConsoleTables.all) {
                guard try ConsoleRows.setting("password", in: reader) == nil else { return nil }
            }
        }
        let token = Base64.text(of: RandomBytes.make(count: 24), .url)
        setupToken.withLock { $0 = token }
        return token
    }

    /// The name of the setting that has the token of the link, where several nodes have it in common.
    private static let setup = "setup"

    /// The same where the server is one of several: all of them print one link, since any of them may be the one that is asked. It stays until there
    /// is a password.
    func prepareSharedSetup() async throws(StoreError) -> String? {
        guard !isDevelopment else { return nil }
        do {
            return try await store().writer.write(turn: .console, key: nil) { session in
                try session.bring(ConsoleTables.all)
                guard try ConsoleRows.setting("password", in: session) == nil else { return nil }
                if let token = try ConsoleRows.setting(Self.setup, in: session) { return token }
                let token = Base64.text(of: RandomBytes.make(count: 24), .url)
                try session.change(ConsoleRows.settingAssignment, [.text(Self.setup), .text(token)])
                return token
            }
        } catch {
            throw StoreError(of: error)
        }
    }

    /// Returns whether the token is that of the link.
    private func isSetup(_ token: String) async throws(ConsoleError) -> Bool {
        guard hasNodes else {
            return setupToken.withLock { $0.map { ConstantTime.areEqual($0, token) } ?? false }
        }
        let kept = try await read { reader throws(StoreError) in
            try reader.has(ConsoleTables.all) ? try ConsoleRows.setting(Self.setup, in: reader) : nil
        }
        return kept.map { ConstantTime.areEqual($0, token) } ?? false
    }

    /// Uses the link up; false where somebody has done so before.
    private func takeSetup(_ token: String) async throws(ConsoleError) -> Bool {
        guard hasNodes else {
            return setupToken.withLock { current in
                defer { current = nil }
                return current.map { ConstantTime.areEqual($0, token) } ?? false
            }
        }
        return try await write { session throws(StoreError) in
            try session.bring(ConsoleTables.all)
            guard let kept = try ConsoleRows.setting(Self.setup, in: session), ConstantTime.areEqual(kept, token) else {
                return false
            }
            try session.change(ConsoleRows.settingDeletion, [.text(Self.setup)])
            return true
        }
    }

    func setUp(
        _ token: String, _ password: String, _ head: HTTPRequestHead, _ visit: ConsoleVisit
    ) async throws(ConsoleError) -> String {
        let source = source(head, visit)
        try slow(source)
        guard try await isSetup(token) else {
            throw ConsoleError(
                403, "wrongToken",
                "The link is not that of this start, or was used: the server prints one at each start "
                    + "until there is a password.")
        }
        if let fault = OperatorPassword.fault(of: password) { throw .badRequest(fault, place: "password") }
        let made = try await aside { OperatorPassword(password) }
        // Once: whoever comes second finds it taken.
        guard try await takeSetup(token) else {
            throw ConsoleError(409, "conflict", "Somebody else has just made the password.")
        }
        try await keep(made, endingSessionsBut: nil)
        wrong.forget(source)
        return try await begin(visit)
    }

    func signIn(
        _ password: String, _ head: HTTPRequestHead, _ visit: ConsoleVisit
    ) async throws(ConsoleError) -> String {
        try await check(password, source(head, visit))
        return try await begin(visit)
    }

    /// Makes another password of the present one. All other sessions end.
    func change(
        _ password: String, to new: String, _ session: OperatorSession, _ head: HTTPRequestHead, _ visit: ConsoleVisit
    ) async throws(ConsoleError) {
        try await check(password, source(head, visit))
        if let fault = OperatorPassword.fault(of: new) { throw .badRequest(fault, place: "newPassword") }
        let made = try await aside { OperatorPassword(new) }
        try await keep(made, endingSessionsBut: session)
    }

    func signOut(_ standing: Standing, everywhere: Bool) async throws(ConsoleError) {
        guard case .signedIn(let session, _) = standing else { return }
        known.withLock { known in
            if everywhere { known?.sessions = [:] } else { known?.sessions[session.mark] = nil }
        }
        try await write { session throws(StoreError) in
            try session.bring(ConsoleTables.all)
            if everywhere {
                try session.change(ConsoleRows.allSessionsDeletion)
            } else {
                try session.change(ConsoleRows.sessionDeletion, [.text(standing.mark?.string ?? "")])
            }
        }
        guard hasNodes else { return }
        // A read that was under way meanwhile may have brought them back.
        known.withLock { known in
            if everywhere { known?.sessions = [:] } else { known?.sessions[session.mark] = nil }
            known?.readAt = Timestamp.monotonicMilliseconds
        }
    }

    private func slow(_ source: WrongPasswords.Source) throws(ConsoleError) {
        guard let seconds = wrong.begin(from: source, now: clock()) else { return }
        throw ConsoleError(
            429, "slowDown", "There were too many wrong tries: wait \(seconds) s.", retrySeconds: seconds)
    }

    private func check(_ password: String, _ source: WrongPasswords.Source) async throws(ConsoleError) {
        try await load(isFresh: hasNodes)
        // A try is counted before it is looked at: many at once count as many.
        try slow(source)
        guard let kept = known.withLock({ $0?.password }) else {
            throw ConsoleError(409, "conflict", "There is no password yet: the server prints the link that makes it.")
        }
        guard password.utf8.count <= ConsoleLimits.passwordBytesMax,
            try await aside({ kept.matches(password) })
        else {
            throw ConsoleError(
                401, "wrongPassword", "That is not the administrator's password.",
                retrySeconds: wrong.wait(of: source, now: clock()))
        }
        wrong.forget(source)
    }

    private func begin(_ visit: ConsoleVisit) async throws(ConsoleError) -> String {
        let token = Base64.text(of: RandomBytes.make(count: 32), .url)
        let now = clock()
        let session = OperatorSession(
            mark: OperatorSession.mark(of: token), began: now, ends: now + ConsoleLimits.sessionMilliseconds,
            address: visit.address, lastUsed: now)
        try await write { [hasNodes] writing throws(StoreError) in
            try writing.bring(ConsoleTables.all)
            try writing.change(ConsoleRows.staleSessionsDeletion, [.integer(now)])
            try writing.change(
                ConsoleRows.surplusSessionsDeletion, [.integer(Int64(ConsoleLimits.sessionsMax - 1))])
            try writing.change(
                ConsoleRows.sessionInsertion,
                [.text(session.mark.string), .integer(now), .integer(session.ends), .text(session.address)])
            if hasNodes, try writing.has(ConsoleTables.uses) { try writing.change(ConsoleRows.staleUsesDeletion) }
        }
        known.withLock { known in
            var sessions = (known?.sessions ?? [:]).filter { !$0.value.isOver(at: now) }
            while sessions.count >= ConsoleLimits.sessionsMax,
                let oldest = sessions.min(by: { $0.value.began < $1.value.began })
            {
                sessions[oldest.key] = nil
            }
            sessions[session.mark] = session
            known?.sessions = sessions
        }
        return token
    }

    private func keep(_ password: OperatorPassword, endingSessionsBut session: OperatorSession?)
        async throws(ConsoleError)
    {
        try await write { writing throws(StoreError) in
            try writing.bring(ConsoleTables.all)
            try writing.change(ConsoleRows.settingAssignment, [.text("password"), .text(password.text)])
            try writing.change(ConsoleRows.otherSessionsDeletion, [.text(session?.mark.string ?? "")])
        }
        known.withLock { known in
            var sessions: [ByteText: OperatorSession] = [:]
            if let session { sessions[session.mark] = session }
            known = Known(password: password, sessions: sessions)
        }
    }

    // MARK: The database

    /// Reads what the database says: once, or, with several nodes, each few seconds, and where it may be of no use.
    ///
    /// - Parameters:
    ///   - mark: a session that is read anew where it is not known: another node may have begun it just now.
    ///   - isFresh: reads it in any case.
    private func load(lookingFor mark: ByteText? = nil, isFresh: Bool = false) async throws(ConsoleError) {
        let isKnown = known.withLock { known in
            guard let known else { return false }
            guard hasNodes else { return true }
            guard !isFresh,
                Timestamp.monotonicMilliseconds - known.readAt < ConsoleLimits.nodeSessionMilliseconds
            else { return false }
            return mark.map { known.sessions[$0] != nil } ?? true
        }
        guard !isKnown else { return }
        guard hasNodes else { return try await readKnown() }
        // Cookies that are made up cause one read after the other, and no more.
        let reading = reads.withLock { reads in
            if let waiting = reads.waiting { return waiting }
            let former = reads.last
            let task = Task { () -> ConsoleError? in
                _ = await former?.value
                self.reads.withLock { $0.waiting = nil }
                do throws(ConsoleError) {
                    try await self.readKnown()
                    return nil
                } catch {
                    return error
                }
            }
            (reads.waiting, reads.last) = (task, task)
            return task
        }
        if let error = await reading.value { throw error }
    }

    private func readKnown() async throws(ConsoleError) {
        let now = clock()
        let hasNodes = hasNodes
        let began = Timestamp.monotonicMilliseconds
        let read = try await read { reader throws(StoreError) in
            guard try reader.has(ConsoleTables.all) else { return Known(readAt: began) }
            return Known(
                password: try ConsoleRows.setting("password", in: reader).flatMap { OperatorPassword(kept: $0) },
                sessions: hasNodes
                    ? try ConsoleRows.sharedSessions(in: reader, now: now)
                    : try ConsoleRows.sessions(in: reader, now: now), readAt: began)
        }
        known.withLock { known in
            guard var former = known else { return known = read }
            guard hasNodes, former.readAt <= began else { return }
            // The uses that this node has seen are newer than those that it has written down.
            former.sessions = former.sessions.filter { read.sessions[$0.key] != nil }
            var new = read
            for (mark, session) in former.sessions {
                new.sessions[mark]?.wasUsed(at: session.lastUsed)
                new.sessions[mark]?.noted = session.noted
            }
            known = new
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(ConsoleError) -> Value {
        do throws(StoreError) {
            return try await store().readersAside.read(
                until: Timestamp.monotonicMilliseconds + ConsoleLimits.readMilliseconds, body)
        } catch {
            throw ConsoleError(error)
        }
    }

    private func write<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession) throws(StoreError) -> Value
    ) async throws(ConsoleError) -> Value {
        do {
            return try await store().writer.write(turn: .console, key: nil) { session in try change(session) }
        } catch let error as StoreError {
            throw ConsoleError(error)
        } catch {
            throw ConsoleError(503, "busy", "\(error)")
        }
    }

    private func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ConsoleError) -> Value {
        guard let value = await workers.value(of: work) else {
            throw ConsoleError(429, "slowDown", "Too many passwords are being looked at: try again.", retrySeconds: 1)
        }
        return value
    }
}

extension OperatorDoor.Standing {
    fileprivate var mark: ByteText? {
        if case .signedIn(let session, _) = self { session.mark } else { nil }
    }
}
