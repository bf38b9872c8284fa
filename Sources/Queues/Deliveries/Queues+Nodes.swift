import JSON
import Store

/// Queues of several nodes: each claims messages within the turn of the room, so no two get one. What other nodes have sent is heard of by their
/// wakes, and by a look in any case.
extension Queues {
    /// Hurries the calls that wait for what other nodes have sent.
    package func hear(_ wakes: Set<NodeWake>) {
        guard !wakes.contains(.everything) else { return watchers.tellAll() }
        for wake in wakes {
            if case .queue(let name) = wake { watchers.tell(name.string) }
        }
    }

    /// Hurries the calls that wait for a queue with messages that may be received: a wake may have been lost.
    package func lookForOthers() async throws(QueueError) {
        let watched = watchers.queues
        guard !watched.isEmpty else { return }
        let now = now
        let names = try await read(
            { reader throws(StoreError) -> [ByteText] in
                var names: [ByteText] = []
                try reader.rows(QueueRows.receivable, [.integer(now)]) { row throws(StoreError) in
                    names.append(ByteText(row.text(0)))
                    return true
                }
                return names
            }, ifNone: [])
        for name in names where watched.contains(name) { watchers.tell(name.string) }
    }

    /// Has be received again what nodes were telling functions of that are gone.
    package func releaseOfOthers() async throws(QueueError) {
        let hasSome = try await read(
            { reader throws(StoreError) -> Bool in
                guard try reader.has(QueueTables.holders) else { return false }
                let living = try reader.livingNodes()
                var hasSome = false
                try reader.rows(QueueRows.holders, []) { row throws(StoreError) in
                    hasSome = hasSome || !living.contains(row.integer(0))
                    return true
                }
                return hasSome
            }, ifNone: false)
        guard hasSome else { return }
        while try await write({ try $0.release() }) == Int(QueueLimits.deletedAtOnce) {}
        watchers.tellAll()
    }
}
