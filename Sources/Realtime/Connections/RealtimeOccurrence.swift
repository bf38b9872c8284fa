import Network

/// Something that happened to a client, or to an event on its way there, for the log. There are no credentials in it.
package enum RealtimeOccurrence: Sendable {
    case connected(RequestIdentifier, peer: SocketAddress, protocolName: String)
    /// The handshake was not let in.
    case refused(RequestIdentifier, errorType: String, message: String)
    /// An operation was not let in, or could not be served.
    case denied(RequestIdentifier, errorType: String, message: String)
    case closed(RequestIdentifier, reason: String)
    /// An event was not delivered: as its subscribers would get it, it has more bytes than AppSync delivers.
    case eventTooLarge
}
