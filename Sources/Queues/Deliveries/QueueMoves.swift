import Crypto
import JSON
import Synchronization

/// A move of messages from a queue of dead letters to another queue, or back to the queues that they came from.
struct QueueMove: Sendable {
    enum Status: String, Sendable {
        case running = "RUNNING"
        case ending = "CANCELLING"
        case cancelled = "CANCELLED"
        case completed = "COMPLETED"
        case failed = "FAILED"
    }

    let id: String
    let source: String
    let destination: String?
    /// Nil: as many as there are.
    let perSecond: Int64?
    let started: Int64
    let count: Int64
    /// The node that runs it; nil: a process that is none.
    let node: Int64?
    var moved: Int64 = 0
    var status = Status.running
    var reason: String?

    init(source: String, destination: String?, perSecond: Int64?, started: Int64, count: Int64, node: Int64?) {
        id = UUIDText.random()
        (self.source, self.destination, self.perSecond) = (source, destination, perSecond)
        (self.started, self.count, self.node) = (started, count, node)
    }

    /// Reads one that the database has.
    init(_ id: String, of source: String, stored text: String) {
        let value = try? JSONReader.value(of: text)
        (self.id, self.source) = (id, source)
        destination = value?["destination"]?.string
        perSecond = value?["perSecond"]?.integer
        started = value?["started"]?.integer ?? 0
        count = value?["count"]?.integer ?? 0
        node = value?["node"]?.integer
        moved = value?["moved"]?.integer ?? 0
        status = value?["status"]?.string.flatMap(Status.init) ?? .failed
        reason = value?["reason"]?.string
    }

    /// What the database keeps of it.
    var stored: String {
        JSONWriter.text(of: [
            "destination": destination.map(JSONValue.string) ?? .null,
            "perSecond": perSecond.map(JSONValue.integer) ?? .null,
            "started": .integer(started), "count": .integer(count), "moved": .integer(moved),
            "status": .string(status.rawValue), "reason": reason.map(JSONValue.string) ?? .null,
            "node": node.map(JSONValue.integer) ?? .null,
        ])
    }

    /// One that a process began and did not end.
    ///
    /// - Parameter living: the nodes that live: theirs go on.
    mutating func noteInterruption(_ living: Set<Int64>) {
        if let node, living.contains(node) { return }
        if isActive { (status, reason) = (.failed, Self.interruption) }
    }

    private static let interruption = "The server was restarted while messages were moved."

    var isActive: Bool { status == .running || status == .ending }

    /// The handle says the move and its queue, as the service's does.
    var handle: String {
        let value: JSONValue = ["taskId": .string(id), "sourceArn": .string(source)]
        return Base64.text(of: JSONWriter.bytes(of: value), .standard)
    }

    /// The queue that a handle names; nil: the text is no handle.
    static func source(of handle: String) -> String? { parts(of: handle)?.source }

    static func parts(of handle: String) -> (id: String, source: String)? {
        guard let bytes = Base64.bytes(of: handle.utf8, .standard), let value = try? JSONReader.value(of: bytes),
            let id = value["taskId"]?.string, let source = value["sourceArn"]?.string
        else { return nil }
        return (id, source)
    }

    var json: JSONValue {
        var shown = JSONObject([
            ("Status", .string(status.rawValue)), ("SourceArn", .string(source)),
            ("ApproximateNumberOfMessagesMoved", .integer(moved)),
            ("ApproximateNumberOfMessagesToMove", .integer(count)), ("StartedTimestamp", .integer(started)),
        ])
        if status == .running { shown.set("TaskHandle", to: .string(handle)) }
        if let destination { shown.set("DestinationArn", to: .string(destination)) }
        if let perSecond { shown.set("MaxNumberOfMessagesPerSecond", to: .integer(perSecond)) }
        if let reason { shown.set("FailureReason", to: .string(reason)) }
        return .object(shown)
    }
}

/// The moves of this process: those that run, and the last ones of each queue.
final class QueueMoves: Sendable {
    private let all = Mutex<[QueueMove]>([])

    func begin(_ move: QueueMove) throws(QueueError) {
        try all.withLock { moves throws(QueueError) in
            guard !moves.contains(where: { $0.isActive && ByteText($0.source) == ByteText(move.source) }) else {
                throw .movesAlready
            }
            guard moves.count(where: \.isActive) < QueueLimits.movesRunningMax else {
                throw QueueError(
                    "OverLimit", "There are \(QueueLimits.movesRunningMax) message move tasks that run.", status: 403)
            }
            if moves.count >= QueueLimits.movesMax, let oldest = moves.firstIndex(where: { !$0.isActive }) {
                moves.remove(at: oldest)
            }
            moves.append(move)
        }
    }

    func move(_ id: String) -> QueueMove? {
        all.withLock { moves in moves.first { ByteText($0.id) == ByteText(id) } }
    }

    /// Changes a move; nil: there is none of that name.
    @discardableResult
    func change(_ id: String, _ body: (inout QueueMove) -> Void) -> QueueMove? {
        all.withLock { moves in
            guard let place = moves.firstIndex(where: { ByteText($0.id) == ByteText(id) }) else { return nil }
            body(&moves[place])
            return moves[place]
        }
    }
}

extension QueueError {
    static let movesAlready = QueueError.invalid(
        "There is already a task running. Only one active task is allowed for a source queue arn at a given time.")
}
