import Synchronization

/// The messages of deep queues that had been received and not deleted when somebody counted them. The count takes as long as they are many, so what is known
/// is used as long as it says enough.
///
///     counted: 5,000 ──▶ 300 received since, from whatever queue ──▶ at most 5,300: far from too many, nobody counts
///
/// Receptions are counted for all nodes, with the turn of the room; over a file, here.
final class FlightCounts: Sendable {
    private struct Count {
        let count: Int64
        /// The receptions until then.
        let receptions: Int64
    }

    private struct State {
        var receptions: Int64 = 0
        var counts: [Int64: Count] = [:]
    }

    private let state = Mutex(State())

    /// Counts receptions from a file, and says how many there were so far. Those of a transaction that is undone count too.
    func receptions(adding count: Int64) -> Int64 {
        state.withLock { state in
            state.receptions += count
            return state.receptions
        }
    }

    /// At most so many messages of a queue are in flight, as long as nothing of what has been counted is undone; nil: somebody has to count.
    func bound(of queue: Int64, at receptions: Int64) -> Int64? {
        state.withLock { state in
            guard let known = state.counts[queue], known.receptions <= receptions else { return nil }
            return known.count + (receptions - known.receptions)
        }
    }

    func note(_ count: Int64, of queue: Int64, at receptions: Int64) {
        state.withLock { state in
            if state.counts.count >= QueueLimits.countedQueuesMax { state.counts = [:] }
            state.counts[queue] = Count(count: count, receptions: receptions)
        }
    }

    /// Forgets what was counted: other data, or another time, hold from now on.
    func forget() { state.withLock { $0.counts = [:] } }
}
