/// A protocol over the bytes and the time of its channel. All calls come on the loop's thread.
package protocol ChannelHandler: AnyObject {
    /// The bytes are valid during the call only.
    func channelDidRead(_ bytes: UnsafeRawBufferPointer)
    /// The peer will send nothing more; it may still read.
    func channelDidReadAll()
    /// The kernel took some bytes: the peer is alive.
    func channelDidWrite(_ count: Int)
    /// All that was written is with the kernel.
    func channelDidFlush()
    /// The deadline has come.
    func channelDidTimeOut()
    /// The server stops: what runs may be finished, then the channel is to be closed.
    func channelWillStop()
    /// The last call. The channel has let the handler go.
    func channelDidClose(_ reason: ChannelCloseReason)
}

/// The owner of channels, which is called when one is gone.
protocol ChannelOwner: AnyObject {
    /// A handshake of TLS goes on for longer than what has come so far. It ends, or the channel is closed.
    func channelBeginsHandshake(_ channel: Channel)
    func channelEndsHandshake(_ channel: Channel)
    func channelIsClosed(_ channel: Channel)
}

/// Why a channel ended.
package enum ChannelCloseReason: Sendable {
    /// The protocol came to its end.
    case done
    /// The peer vanished.
    case peerGone
    /// The peer took too long.
    case timedOut
    /// The server stops.
    case stopping
    case failed(TransportError)

    /// True if the peer may take the end of the connection for the end of what it was sent.
    var isOrderly: Bool {
        switch self {
        case .done, .stopping, .timedOut: return true
        case .peerGone, .failed: return false
        }
    }
}
