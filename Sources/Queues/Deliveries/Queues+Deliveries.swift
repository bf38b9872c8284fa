import Crypto
import JSON

/// Deliveries of other rooms.
extension Queues {
    package enum Delivery: Sendable {
        /// For a function that is told of it when it can be.
        case event(String, function: String)
        /// For whoever receives from a queue.
        case message(String, queue: String, group: String?)

        fileprivate var bytes: Int {
            switch self {
            case .event(let text, _), .message(let text, _, _): max(1, text.utf8.count)
            }
        }
    }

    /// Puts all into their queues. Once this has returned, they are on the disk. A queue that is not there gets nothing.
    ///
    /// Many go in several transactions, so that other changes need not wait for all of them. Where one fails, those before it stay.
    ///
    /// - Parameter tick: the time of a schedule for which this is done, once: nothing is delivered where that, or a later one of the same schedule,
    ///   was before. It goes with the first transaction.
    package func deliver(_ deliveries: [Delivery], at tick: Tick? = nil) async throws(QueueError) {
        var rest = deliveries[...]
        var tick = tick
        while !rest.isEmpty {
            var bytes = 0
            let piece = rest.prefix(QueueLimits.deliveredAtOnce).prefix { delivery in
                let isWithin = bytes == 0 || bytes + delivery.bytes <= QueueLimits.deliveredBytesAtOnce
                bytes += delivery.bytes
                return isWithin
            }
            rest = rest.dropFirst(piece.count)
            guard try await deliver(atOnce: Array(piece), tick) else { return }
            tick = nil
        }
    }

    /// Returns false where the tick was taken before, and nothing is delivered.
    private func deliver(atOnce deliveries: [Delivery], _ tick: Tick?) async throws(QueueError) -> Bool {
        let isFirst = try await write { transaction in
            if let tick, try !transaction.claims(tick) { return false }
            try transaction.deliver(deliveries)
            return true
        }
        guard isFirst else { return false }
        for delivery in deliveries {
            switch delivery {
            case .event(_, let function): watchers.tell(Self.eventQueue(of: function))
            case .message(_, let queue, _): watchers.tell(queue)
            }
        }
        return true
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
