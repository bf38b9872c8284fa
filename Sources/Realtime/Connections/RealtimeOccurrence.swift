import Network

/// Something that happened to a client, for the log. There are no credentials in it.
package enum RealtimeOccurrence: Sendable {
    case connected(RequestIdentifier, peer: SocketAddress, protocolName: String)
    /// The handshake was not let in.
    case refused(RequestIdentifier, errorType: String, message: String)
    /// An operation was not let in, or could not be served.
    case denied(RequestIdentifier, errorType: String, message: String)
    case closed(RequestIdentifier, reason: String)
}
