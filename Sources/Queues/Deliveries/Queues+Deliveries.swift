import Crypto
import JSON

/// Deliveries of other rooms: all of them in one transaction, or none.
extension Queues {
    package enum Delivery: Sendable {
        /// For a function that is told of it when it can be.
        case event(String, function: String)
        /// For whoever receives from a queue.
        case message(String, queue: String, group: String?)
    }

    /// Puts all into their queues. Once this has returned, they are on the disk. A queue that is not there gets nothing.
    package func deliver(_ deliveries: [Delivery]) async throws(QueueError) {
        guard !deliveries.isEmpty else { return }
        try await write { transaction in try transaction.deliver(deliveries) }
        for delivery in deliveries {
            switch delivery {
            case .event(_, let function): watchers.tell(Self.eventQueue(of: function))
            case .message(_, let queue, _): watchers.tell(queue)
            }
        }
    }
}

extension QueueTransaction {
    fileprivate func deliver(_ deliveries: [Queues.Delivery]) throws {
        for delivery in deliveries {
            switch delivery {
            case .event(let event, let function): try keep(event, for: function)
            case .message(let body, let name, let group):
                guard let queue = try queue(name) else { continue }
                var message = NewMessage(body, sender: queues.accountID)
                message.group = queue.settings.isOrdered ? group ?? name : nil
                // Each is another one, whatever it says.
                message.deduplication = queue.settings.isOrdered ? UUIDText.random() : nil
                _ = try send(message, to: queue)
            }
        }
    }
}
