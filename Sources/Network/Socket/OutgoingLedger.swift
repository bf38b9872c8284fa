import Synchronization

/// The bytes that wait for slow clients, over all connections: beyond a bound the slowest of them are closed.
///
/// Only a connection whose client has not taken what was written last is in here, so that nobody else pays for the lock.
final class OutgoingLedger: Sendable {
    private struct Entry {
        let channel: Channel
        var bytes: Int
        let since: MonotonicTime
        /// The bytes that the channel had sent when it came in here, and since.
        let before: Int
        var sent: Int
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var bytes = 0
        var closed = 0
    }

    private let bytesMax: Int
    private let state = Mutex(State())

    /// A channel that holds no more than this is closed only when closing others is not enough.
    private static let littleBytes = 64 * 1024
    /// How long a connection is in here before its rate says something.
    private static let youngNanoseconds: UInt64 = 1_000_000_000

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The bytes that wait in all connections.
    var bytes: Int { state.withLock { $0.bytes } }

    /// How many connections were closed because too much waited.
    var closed: Int { state.withLock { $0.closed } }

    /// Tells what waits in a channel, and what it has sent so far. Called on the channel's loop.
    func hold(_ bytes: Int, in channel: Channel, sent: Int, now: MonotonicTime) {
        let victims = state.withLock { state in
            let key = ObjectIdentifier(channel)
            var entry =
                state.entries[key] ?? Entry(channel: channel, bytes: 0, since: now, before: sent, sent: sent)
            state.bytes += bytes - entry.bytes
            entry.bytes = bytes
            entry.sent = sent
            state.entries[key] = entry
            return state.bytes > bytesMax ? takeSlowest(&state, now: now) : []
        }
        // Not here: this may be one of them, in the middle of a write.
        for channel in victims { channel.loop.execute { channel.close(.timedOut) } }
    }

    /// Nothing waits in the channel any more.
    func release(_ channel: Channel) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.bytes -= entry.bytes
        }
    }

    /// Takes out the slowest until there is some room, so that this is not done again for every write.
    private func takeSlowest(_ state: inout State, now: MonotonicTime) -> [Channel] {
        let order = state.entries.map { (key: $0.key, rank: Self.rank($0.value, now: now)) }
            .sorted { $0.rank < $1.rank }
        var victims: [Channel] = []
        for (key, _) in order where state.bytes > bytesMax - bytesMax / 16 {
            guard let entry = state.entries.removeValue(forKey: key) else { continue }
            state.bytes -= entry.bytes
            state.closed += 1
            victims.append(entry.channel)
        }
        return victims
    }

    /// The channel that is closed first: it holds much, has been here for a while, and takes the least in that time. Among those of whom
    /// that says nothing, who came first.
    private static func rank(_ entry: Entry, now: MonotonicTime) -> (Int, Int, UInt64) {
        let nanoseconds = now.nanoseconds(since: entry.since)
        let isYoung = nanoseconds < youngNanoseconds
        let isSpared = entry.bytes <= littleBytes ? 2 : isYoung ? 1 : 0
        let seconds = max(1, Int(clamping: nanoseconds / 1_000_000_000))
        return (isSpared, isYoung ? 0 : (entry.sent - entry.before) / seconds, entry.since.nanoseconds)
    }
}
