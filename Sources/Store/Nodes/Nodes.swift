import JSON
import Network
import Postgres
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// This process as one of several nodes over one database on a server.
///
///     the writer     whether others live is asked when one has joined; events of a group are in its transaction (`NodeSharing`)
///     the ear        a thread: looks for events of others when one is announced, and every 200 ms in any case; hands out their wakes
///     each 3 s       says that this node lives; whoever was not seen for 15 s is gone
///     the keeper     the duty of one of the nodes, to do what is done once for all (`NodeDuty`)
///
/// A node that is gone is one whose row another node has removed. If it goes on after all, it finds that out, joins again, and its
/// subscribers hear that they may have missed events. So a node that is alone shares nothing, and nobody misses anything unheard.
///
/// Unchecked: the connections belong to the ear's thread, all else is read and written with a lock held.
package final class Nodes: @unchecked Sendable {
    package typealias Report = @Sendable (StoreError) -> Void

    /// Others, as far as the writer has to know.
    private struct Others: Equatable {
        /// How many nodes had joined when it was asked.
        var joinings: Int64 = -1
        var areThere = false
    }

    /// The state of this node, as it was when it said last that it lives.
    package struct State: Sendable {
        /// How far its clock is ahead of the database's.
        package var leadMilliseconds: Int64 = 0
        /// True if it is one of the nodes: no other one has taken it for gone.
        package var isMember = false
        /// When it said so; nil: not yet.
        fileprivate var signed: MonotonicTime?
    }

    package let number: Int64
    package let line = EventLine()
    /// The duty of whichever node does the work that is done once for all.
    package let keeper: NodeDuty
    private let wakes = Mutex<[WakeListener]>([])
    private let address: String
    private let version: String
    private let place: ServerPlace
    private let writer: Writer
    private let report: Report
    private let others = Mutex(Others())
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())
    private let name = Mutex("")
    /// The marks of this process's last commit and of the one that is under way.
    private let marks = Mutex(CommitMarks())

    private let lock = ThreadLock()
    private let hasChanged: ThreadCondition
    private var isEnding = false
    private var isListening = false

    private struct CommitMarks: Equatable {
        var last: Int64?
        var underWay: Int64?
    }

    private struct WakeListener: Sendable {
        let call: @Sendable (Set<NodeWake>) -> Void
    }

    private init(
        _ place: ServerPlace, _ writer: Writer, address: String, version: String, _ keeper: NodeDuty,
        now: @escaping @Sendable () -> Int64, _ report: @escaping Report
    ) {
        // 1 is what a process calls itself that is no node.
        number = Int64.random(in: 2 ... .max)
        self.keeper = keeper
        self.now = now
        (self.place, self.writer, self.address, self.version, self.report) = (place, writer, address, version, report)
        hasChanged = ThreadCondition(of: lock)
    }

    /// Joins the nodes of a store's database, and listens to them until `end`.
    ///
    /// - Parameters:
    ///   - address: where others reach this node; for people who look at the table.
    ///   - keeper: the duty that the nodes pass on to each other.
    ///   - now: this node's clock, in milliseconds since 1970.
    ///   - prepare: is called with this node's number before the others hear of it.
    ///   - report: is called from the ear's thread when the nodes cannot be heard, once until they are heard again.
    package static func join(
        _ store: Store, address: String, version: String, keeper: NodeDuty = NodeDuty("keeper"),
        now: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 },
        prepare: (_ number: Int64) throws(StoreError) -> Void = { _ in }, report: @escaping Report
    ) async throws(StoreError) -> Nodes {
        guard case .server(let place) = store.place else {
            throw StoreError(.unsupported, "several nodes need a database on a server")
        }
        let nodes = Nodes(
            place, store.writer, address: address, version: version, keeper, now: now, report)
        store.expectOthers()
        store.changeClock.share()
        try await store.writer.alone(turn: .schema) { session throws(StoreError) in
            try session.connection.inTransaction { connection throws(StoreError) in
                try session.turns?.take(.schema, on: connection)
                for creation in NodeRows.creations { try connection.execute(creation) }
            }
            guard case .integer(let schema)? = try session.connection.value(NodeRows.channel) else {
                throw StoreError(.unexpected, "the schema of the database has no number")
            }
            nodes.name.withLock { $0 = "homeport_\(schema)" }
        }
        try prepare(nodes.number)
        store.writer.afterEachGroup { nodes.line.release() }
        try await nodes.enter()
        store.writer.nodes.withLock { $0 = nodes }
        do throws(StoreError) { try nodes.listen() } catch {
            await nodes.leave()
            throw error
        }
        return nodes
    }

    /// The channel on which events are announced.
    var channel: String { name.withLock { $0 } }

    /// The state of this node. One that could not say for long that it lives counts as gone: others may have taken it for that.
    package var currentState: State {
        var state = state.withLock { $0 }
        let end = state.signed?.advanced(byMilliseconds: StoreLimits.nodeGoneMilliseconds)
        if let end, end <= .now { state.isMember = false }
        return state
    }

    /// True if other nodes lived when this one looked last.
    package var areOthersThere: Bool { others.withLock { $0.areThere } }

    /// The address of the node that is the keeper, where it is another one; nil: none is.
    package func addressOfKeeper(in store: Store) async throws(StoreError) -> String? {
        let end = Timestamp.monotonicMilliseconds + StoreLimits.holdAnswerMilliseconds
        return try await store.readersAside.read(until: end) { [name = keeper.name, number] reader throws(StoreError) in
            var address: String?
            try reader.connection.query(NodeRows.holder, [.text(name)]) { row throws(StoreError) in
                if row.integer(0) != number { address = row.text(1) }
                return false
            }
            return address
        }
    }

    /// Has something called with the wakes of other nodes, from the ear's thread. It must not block.
    package func onWake(_ body: @escaping @Sendable (Set<NodeWake>) -> Void) {
        wakes.withLock { $0.append(WakeListener(call: body)) }
    }

    private func hear(_ heard: Set<NodeWake>) {
        guard !heard.isEmpty else { return }
        if heard.contains(.duty) || heard.contains(.everything) { keeper.askSoon() }
        // The writer asks with its next turn of the models, and the ear soon: until then, one wake too many.
        if heard.contains(.joined) { others.withLock { $0.areThere = true } }
        for listener in wakes.withLock({ $0 }) { listener.call(heard) }
    }

    /// Leaves the others, and waits until the ear has ended. The duty is free from then on: whatever it is about has ended before.
    package func end() async {
        keeper.resign()
        lock.withLock {
            isEnding = true
            hasChanged.broadcast()
            while isListening { hasChanged.wait() }
        }
        await leave()
    }

    // MARK: By the writer

    /// Becomes one of the nodes, within the models' turn: whoever writes behind it knows of it.
    private func enter() async throws(StoreError) {
        do {
            try await writer.write(turn: .models, key: nil) { [self] session in
                guard let models = session.turns?.models,
                    let position = try NodeRows.position(and: models.sequence, of: number, on: session.connection)
                else {
                    throw StoreError(.unexpected, "a node was to join without the turn of the models")
                }
                try session.run(
                    NodeRows.entry, [.integer(number), .text(address), .text(version)])
                try session.run(NodeRows.joining)
                // With the next statement, since its answer is none.
                try session.connection.runAhead(
                    NodeRows.waking, [.text(channel), .text(NodeWake.joined.payload(of: number))])
                line.begin(behind: position.last)
                if session.nodes == nil { session.nodes = NodeSharing(self) }
            }
            state.withLock { ($0.isMember, $0.signed) = (true, .now) }
        } catch {
            throw error as? StoreError ?? StoreError(.unexpected, "\(error)")
        }
    }

    private func leave() async {
        _ = try? await writer.write(turn: .models, key: nil) { [number] session in
            try session.run(NodeRows.exit, [.integer(number)])
            try session.run(NodeRows.release, [.integer(number)])
            session.wake(.duty)
        }
    }

    /// Returns whether other nodes have to hear of a commit. Asks the database where one has joined since this was asked.
    func hasOthers(at joinings: Int64, on connection: borrowing Connection) throws(StoreError) -> Bool {
        let known = others.withLock { $0 }
        if known.joinings == joinings { return known.areThere }
        // In a transaction that holds the turn: nobody joins meanwhile.
        let count = try connection.value(NodeRows.others, [.integer(number)])
        let areThere = count != .integer(0)
        others.withLock { $0 = Others(joinings: joinings, areThere: areThere) }
        return areThere
    }

    /// Says that events may be missing where the last one that was handed out is not in the database any more, or another one is in its place.
    ///
    /// A server that has taken over without the last commits gives their numbers once more, and may have passed them when it is looked at.
    ///
    /// - Parameter hasLost: whether events are known to be missing.
    func checkLine(on connection: borrowing Connection, hasLost: Bool = false) throws(StoreError) {
        while true {
            let known = marks.withLock { $0 }
            guard let handed = line.position,
                let found = try NodeRows.position(and: handed.number, of: number, on: connection)
            else { return }
            // Rows go after a while, and the mark with them.
            let isOld =
                MonotonicTime.now.nanoseconds(since: handed.since)
                >= UInt64(StoreLimits.eventKeptMilliseconds / 2) * 1_000_000
            let isSame = found.mark == handed.mark || found.mark == nil && isOld
            let isCommitThere = known.last == nil || found.commit == known.last || found.commit == known.underWay
            if !isCommitThere, marks.withLock({ $0 }) != known { continue }
            guard hasLost || found.last.number < handed.number || !isSame || !isCommitThere else { return }
            if !isCommitThere { marks.withLock { $0.last = nil } }
            return line.lose(behind: found.last)
        }
    }

    /// Notes the mark that a commit of this process is about to write.
    func noteCommit(_ mark: Int64) { marks.withLock { $0.underWay = mark } }

    func noteCommitted() { marks.withLock { $0.last = $0.underWay } }

    // MARK: The ear

    private func listen() throws(StoreError) {
        lock.withLock { isListening = true }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Nodes>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            lock.withLock { isListening = false }
            throw StoreError(.unexpected, "the thread that listens to other nodes cannot start")
        }
        pthread_detach(thread)
    }

    private func run() {
        var ear = Ear(self)
        while !lock.withLock({ isEnding }) { ear.round() }
        ear.close()
        lock.withLock {
            isListening = false
            hasChanged.broadcast()
        }
    }

    /// The ear's own state, on its thread.
    private struct Ear {
        let nodes: Nodes
        var listener: PostgresListener?
        var connection: OpenConnection?
        var nextSign = MonotonicTime.now
        var lastSign: MonotonicTime?
        var isDeaf = false

        init(_ nodes: Nodes) { self.nodes = nodes }

        func close() { listener?.close() }

        mutating func round() {
            do throws(StoreError) {
                try hear()
                isDeaf = false
            } catch {
                listener?.close()
                listener = nil
                connection = nil
                if !isDeaf { nodes.report(error) }
                isDeaf = true
                nodes.rest()
            }
        }

        private static func end(in milliseconds: Int64) -> MonotonicTime {
            .now.advanced(byMilliseconds: Int(milliseconds))
        }

        /// Waits for an announcement, for a moment, and looks.
        private mutating func hear() throws(StoreError) {
            let connection = try opened()
            let listener = try listening()
            do throws(PostgresError) {
                var event = try listener.next(until: Self.end(in: Int64(StoreLimits.nodeLookMilliseconds)))
                var wakes: Set<NodeWake> = []
                if case .missed = event { wakes.insert(.everything) }
                // One look serves all that were announced until now.
                for _ in 0..<StoreLimits.eventRowsPerTrip {
                    guard case .notification(let news) = event else { break }
                    if let wake = NodeWake(news.payload, for: nodes.number) { wakes.insert(wake) }
                    event = try listener.next(until: .now)
                }
                nodes.hear(wakes)
                if nextSign <= .now {
                    try listener.checkServerAnswers(until: Self.end(in: StoreLimits.holdAnswerMilliseconds))
                }
            } catch {
                throw StoreError(error, at: nodes.place.description)
            }
            connection.content.deadline.milliseconds =
                Timestamp.monotonicMilliseconds + StoreLimits.holdAnswerMilliseconds
            if nextSign <= .now {
                nextSign = .now.advanced(byMilliseconds: StoreLimits.nodeSignMilliseconds)
                let isSteady = lastSign.map { $0.advanced(byMilliseconds: 2 * StoreLimits.nodeSignMilliseconds) > .now }
                try nodes.sign(on: connection, isSteady: isSteady ?? false)
                lastSign = .now
            } else {
                _ = try nodes.look(on: connection)
            }
            try nodes.ask(nodes.keeper, on: connection.content)
        }

        private mutating func opened() throws(StoreError) -> OpenConnection {
            if let connection { return connection }
            let made = OpenConnection(content: try Connection(to: nodes.place, .writer))
            connection = made
            return made
        }

        private mutating func listening() throws(StoreError) -> PostgresListener {
            if let listener { return listener }
            let made = try nodes.place.listener(to: nodes.channel)
            listener = made
            return made
        }
    }

    /// A connection that can be kept in a variable.
    private final class OpenConnection {
        let content: Connection
        /// How many connections there were when the line was checked last.
        var checkedOpening: Int64 = 0

        init(content: consuming Connection) { self.content = content }
    }

    /// Rests after a failure; an end wakes it.
    private func rest() {
        let end = ThreadDeadline(inMilliseconds: StoreLimits.nodeLookMilliseconds)
        lock.withLock {
            while !isEnding, hasChanged.wait(until: end) {}
        }
    }

    /// Hands out what others have committed. Returns false where some of it has to wait.
    private func look(on connection: OpenConnection) throws(StoreError) -> Bool {
        guard var last = line.last else { return false }
        while true {
            let rows = try NodeRows.events(behind: last, on: connection.content)
            if connection.checkedOpening != connection.content.openings {
                // The rows may be of a server that has not got those before them.
                connection.checkedOpening = connection.content.openings
                try checkLine(on: connection.content)
                last = line.last ?? last
                continue
            }
            guard let end = rows.last?.number else { return true }
            guard line.receive(rows) else { return false }
            last = end
        }
    }

    /// Says that this node lives, and looks who else does.
    ///
    /// - Parameter isSteady: whether this node could say so in time before. Where the database was away, nobody could.
    private func sign(on open: OpenConnection, isSteady: Bool) throws(StoreError) {
        // Before the database is asked: what was handed out by then was committed by then.
        let before = line.last
        try open.content.run(NodeRows.sign, [.integer(number)])
        guard open.content.changeCount > 0 else {
            // Another node has taken this one for gone.
            state.withLock { $0.isMember = false }
            line.lose(behind: nil)
            return comeBack()
        }
        if isSteady { try open.content.run(NodeRows.removal, [.integer(Int64(StoreLimits.nodeGoneMilliseconds))]) }
        try open.content.run(NodeRows.markRemoval, [.integer(Int64(StoreLimits.markKeptMilliseconds))])
        try open.content.run(NodeRows.eventRemoval, [.integer(Int64(StoreLimits.eventKeptMilliseconds))])
        var found: (joinings: Int64, sequence: Int64, others: Int64, now: Int64)?
        let known = others.withLock { $0 }
        let asked = now()
        try open.content.query(NodeRows.state, [.integer(number)]) { row throws(StoreError) in
            found = (row.integer(0), row.integer(1), row.integer(2), row.integer(3))
            return false
        }
        guard let found else { return }
        noteLead(of: asked, now(), over: found.now)
        guard let before else { return }
        // What the writer has found meanwhile, or another node has said, is newer.
        others.withLock {
            if $0 == known { $0 = Others(joinings: found.joinings, areThere: found.others > 0) }
        }
        // The database has lost commits: another server of it has taken over.
        guard found.sequence >= before else { return try checkLine(on: open.content) }
        guard try look(on: open) else { return }
        if let last = line.last, last < found.sequence { try checkLine(on: open.content, hasLost: true) }
    }

    /// Takes or renews a duty, where it is time to.
    private func ask(_ duty: NodeDuty, on connection: borrowing Connection) throws(StoreError) {
        // The row is for so long from here on at least.
        guard let asked = duty.isDue else { return }
        try connection.run(
            NodeRows.taking, [.text(duty.name), .integer(number), .integer(Int64(duty.leaseMilliseconds))])
        if connection.changeCount > 0 { return duty.note(.taken, asked: asked) }
        guard case .integer(let left)? = try connection.value(NodeRows.taken, [.text(duty.name)]) else {
            // It was released meanwhile.
            return duty.askSoon()
        }
        duty.note(.another(endsIn: left), asked: asked)
    }

    /// Notes how far this node's clock is ahead of the database's, which was read between two times of it.
    private func noteLead(of first: Int64, _ last: Int64, over database: Int64) {
        // Between the two it may have been anywhere: the smallest lead that explains it.
        let lead = database < first ? first - database : database > last ? last - database : 0
        state.withLock { ($0.leadMilliseconds, $0.signed) = (lead, .now) }
    }

    /// Joins again, beside the ear.
    private func comeBack() {
        Task { [self] in
            guard !lock.withLock({ isEnding }) else { return }
            do throws(StoreError) { try await enter() } catch { report(error) }
        }
    }
}
