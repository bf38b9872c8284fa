import Cloud
import Crypto
import JSON
import Network
import Store
import Synchronization

/// Queues: messages that wait for somebody, as SQS keeps them, and events that wait for a function. This is the room's front page.
///
///     call ──▶ QueueService ─┐                                   ┌─▶ who receives, or waits for it (long polls)
///     event ─▶ keep ─────────┴─ one transaction: message ─▶ table ┤
///                                                                 └─▶ QueueConsumer ─▶ function ─▶ deleted, or later again
///
/// - `Calls/` is what clients call, in both of the service's protocols.
/// - `Data/` is queues and messages in the database, in tables of this room alone.
/// - `Deliveries/` is who is told of new messages: those who wait, and functions.
///
/// Invariants: what was acknowledged is in the database until somebody has said that it is done, it is too old, or it was
/// received too often; a message that was received is nobody else's until its time is over; messages of a group come one after the
/// other. A message that nobody can take holds up no other, but for those of its group.
package final class Queues: Sendable {
    package let store: Store
    package let region: String
    let accountID: String
    private let declaredNow: Mutex<[ByteText: QueueSettings]>
    package let watchers = QueueWatchers()
    let moves = QueueMoves()
    let flights = FlightCounts()
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - declared: the queues of the project, by their names.
    ///   - clock: milliseconds since 1970.
    package init(
        over store: Store, declared: [(name: String, settings: QueueSettings)] = [], region: String, accountID: String,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.store = store
        declaredNow = Mutex(Self.byName(declared))
        self.region = region
        self.accountID = accountID
        self.clock = clock
    }

    private static func byName(_ queues: [(name: String, settings: QueueSettings)]) -> [ByteText: QueueSettings] {
        Dictionary(texts: queues.map { ($0.name, $0.settings) }, uniquingKeysWith: { $1 })
    }

    /// Those that the project has: they are there however often the data is taken away.
    var declared: [ByteText: QueueSettings] { declaredNow.withLock { $0 } }

    /// Goes on with the queues of another project. One that it has no more stays with its messages, until somebody deletes it.
    package func declare(_ queues: [(name: String, settings: QueueSettings)]) async throws(QueueError) {
        let wanted = Self.byName(queues)
        let isSame = declaredNow.withLock { known in
            defer { known = wanted }
            return known == wanted
        }
        if isSame { return }
        try await settle()
        watchers.tellAll()
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    func arn(of name: String) -> String {
        ARN(QueueRights.service, region: region, account: accountID, name).description
    }

    /// The name in an ARN of this server's queues; nil: it is none.
    package func name(ofARN text: String) -> String? {
        guard let arn = ARN(text, of: QueueRights.service), arn.account == accountID, arn.parts.count == 1,
            !arn.resource.isEmpty
        else { return nil }
        return arn.resource
    }

    /// The URL by which clients know a queue.
    package func url(of name: String, at endpoint: String) -> String { "\(endpoint)/\(accountID)/\(name)" }

    /// Has everybody look, where another time or other data hold from now on.
    package func beginAnew() {
        flights.forget()
        watchers.tellAll()
    }

    // MARK: The database

    /// Reads beside whatever loop this is.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value, ifNone none: Value
    ) async throws(QueueError) -> Value {
        try await store.readAside(
            QueueTables.all, milliseconds: QueueLimits.readMilliseconds, ifNone: none, failing: QueueError.init, body)
    }

    /// Changes something. Once this has returned, it is on the disk. The change may run twice: it leaves nothing behind but its rows and its value.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (QueueTransaction) throws -> Value
    ) async throws(QueueError) -> Value {
        try await store.writer.write(turn: .queues, isRepeatable: true, failing: QueueError.init) { [self] session in
            try session.bring(QueueTables.all)
            try session.bring(QueueTables.columns)
            return try change(QueueTransaction(session, of: self, now: now))
        }
    }
}
