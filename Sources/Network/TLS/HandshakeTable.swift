/// The TLS handshakes that are under way on one loop, no more than a limit: each holds many times the memory of an open connection.
///
/// Where there is one too many, the one that has lasted longest makes room. A client that means it is done within moments; whoever sends
/// half a hello and waits is closed first.
struct HandshakeTable {
    private let max: Int
    private var channels: [ObjectIdentifier: (number: UInt64, channel: Channel)] = [:]
    private var begun: UInt64 = 0

    init(max: Int) { self.max = Swift.max(1, max) }

    var count: Int { channels.count }

    /// Takes note of one that begins. The answer is the one that has to be closed for it.
    mutating func begin(_ channel: Channel) -> Channel? {
        var oldest: Channel?
        if channels.count >= max, let found = channels.min(by: { $0.value.number < $1.value.number }) {
            oldest = found.value.channel
            channels[found.key] = nil
        }
        begun &+= 1
        channels[ObjectIdentifier(channel)] = (begun, channel)
        return oldest
    }

    /// Takes note of one that is done, or whose connection is closed.
    mutating func end(_ channel: Channel) { channels[ObjectIdentifier(channel)] = nil }
}
