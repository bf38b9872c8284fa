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

    /// A time of a schedule, which one of several nodes acts on.
    package struct Tick: Sendable {
        /// Tells the schedule from others.
        let name: String
        /// Seconds since 1970.
        let moment: Int64

        package init(of name: String, at moment: Int64) { (self.name, self.moment) = (name, moment) }
    }

    /// The last tick of each schedule, by its name, in seconds since 1970.
    package func lastTicks() async throws(QueueError) -> [ByteText: Int64] {
        try await read(
            { reader throws(StoreError) in
                var ticks: [ByteText: Int64] = [:]
                guard try reader.has(QueueTables.ticks) else { return ticks }
                try reader.rows(QueueRows.ticks, []) { row throws(StoreError) in
                    ticks[ByteText(row.text(0))] = row.integer(1)
                    return true
                }
                return ticks
            }, ifNone: [:])
    }

    /// Has schedules that are new count from a moment on: a time behind it that comes while no node is the keeper is acted on late.
    package func beginTicks(of names: [String], at moment: Int64) async throws(QueueError) {
        let known = try await lastTicks()
        let new = names.filter { known[ByteText($0)] == nil }
        guard !new.isEmpty else { return }
        try await write { transaction in
            try transaction.session.bring(QueueTables.ticks)
            for name in new { try transaction.session.change(QueueRows.firstTick, [.text(name), .integer(moment)]) }
        }
    }

    /// Keeps an event for a function. Once this has returned, the function will be told.
    ///
    /// - Parameter tick: the time of a schedule for which this is done, once: nothing is kept where that, or a later one of the same schedule, was
    ///   before.
    package func keep(
        _ event: [UInt8], for function: String, at tick: Tick? = nil
    ) async throws(EventRefusal) {
        guard event.count <= QueueLimits.eventBytesMax else { throw .tooLarge(bytesMax: QueueLimits.eventBytesMax) }
        let body = String(decoding: event, as: UTF8.self)
        do throws(QueueError) {
            try await write { transaction in
                if let tick, try !transaction.claims(tick) { return }
                try transaction.keep(body, for: function)
            }
        } catch {
            throw ByteText(error.type) == "OverLimit" ? .tooMany : .failed(error.message)
        }
        watchers.tell(Self.eventQueue(of: function))
    }
}

extension QueueTransaction {
    /// Takes a tick; false where it was taken before. It is free again where the transaction comes to nothing.
    func claims(_ tick: Queues.Tick) throws -> Bool {
        try session.bring(QueueTables.ticks)
        return try session.change(QueueRows.tick, [.text(tick.name), .integer(tick.moment)]) > 0
    }

    /// Keeps an event for a function, which has to be told of it (`QueueWatchers.tell`) when the transaction is over.
    func keep(_ event: String, for function: String) throws {
        let name = Queues.eventQueue(of: function)
        let queue = try queue(name) ?? make(name, QueueSettings())
        guard queue.messages < QueueLimits.eventsMax else { throw QueueError.full }
        _ = try send(NewMessage(event, sender: queues.accountID), to: queue)
    }
}
