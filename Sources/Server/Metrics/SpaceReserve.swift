import Console
import JSON
import Network
import Synchronization

/// The room on the database's disk that the services leave to the API, as uploads do (`files.freeBytes`): a loop that fills queues or tables
/// stops by itself, and mutations go on.
final class SpaceReserve: Sendable {
    private let bytesMin: UInt64
    /// The bytes that are free; nil: nobody knows.
    private let free: @Sendable () -> UInt64?
    private let looked = Mutex<(at: Int64, isShort: Bool)>((.min, false))

    /// How long an answer holds.
    static let lookMilliseconds: Int64 = 1_000

    init(bytesMin: UInt64, free: @escaping @Sendable () -> UInt64?) {
        self.bytesMin = bytesMin
        self.free = free
    }

    /// Returns whether less room is left than is to be.
    func isShort(now: Int64 = Timestamp.monotonicMilliseconds) -> Bool {
        looked.withLock { looked in
            if looked.at == .min || now - looked.at >= Self.lookMilliseconds {
                looked = (now, free().map { $0 < bytesMin } ?? false)
            }
            return looked.isShort
        }
    }

    /// The actions that add to the database. Those that read, receive and delete go on.
    private static let actions: Set<ByteText> = Set(
        texts: [
            "PutItem", "UpdateItem", "BatchWriteItem", "TransactWriteItems", "CreateTable", "SendMessage",
            "SendMessageBatch", "CreateQueue", "StartExecution", "StartSyncExecution", "CreateStateMachine",
            "PutEvents",
            "PutParameter", "PutSecretValue", "CreateSecret", "UpdateSecret", "AddTagsToResource",
        ])

    /// Returns whether a call of a service adds to the database. Calls for mails and topics say only in their bodies what they are.
    static func adds(_ head: HTTPRequestHead, to route: Route) -> Bool {
        guard head.method == .post else { return false }
        switch route {
        case .outbox: return true
        case .items, .queues, .events, .workflows, .parameters:
            guard let action = RequestOutline.call(head) else { return route == .queues }
            return actions.contains(ByteText(action))
        default: return false
        }
    }
}
