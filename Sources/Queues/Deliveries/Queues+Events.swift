import JSON
import Store

/// Events that functions are told of when nobody waits for what comes of it: kept until they are taken.
extension Queues {
    /// No name of a queue has a colon.
    static func eventQueue(of function: String) -> String { "function:\(function)" }

    /// Why an event is not kept.
    package enum EventRefusal: Error, Sendable {
        case tooLarge(bytesMax: Int)
        case tooMany
        /// The database cannot take it; why, for the log.
        case failed(String)
    }

    /// Keeps an event for a function. Once this has returned, the function will be told.
    package func keep(_ event: [UInt8], for function: String) async throws(EventRefusal) {
        guard event.count <= QueueLimits.eventBytesMax else { throw .tooLarge(bytesMax: QueueLimits.eventBytesMax) }
        let body = String(decoding: event, as: UTF8.self)
        do throws(QueueError) {
            try await write { transaction in try transaction.keep(body, for: function) }
        } catch {
            throw ByteText(error.type) == "OverLimit" ? .tooMany : .failed(error.message)
        }
        watchers.tell(Self.eventQueue(of: function))
    }
}

extension QueueTransaction {
    /// Keeps an event for a function, which has to be told of it (`QueueWatchers.tell`) when the transaction is over.
    func keep(_ event: String, for function: String) throws {
        let name = Queues.eventQueue(of: function)
        let queue = try queue(name) ?? make(name, QueueSettings())
        guard queue.messages < QueueLimits.eventsMax else { throw QueueError.full }
        _ = try send(NewMessage(event, sender: queues.accountID), to: queue)
    }
}
