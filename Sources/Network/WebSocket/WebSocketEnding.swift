/// How a WebSocket ended, as its application is told.
package enum WebSocketEnding: Hashable, Sendable {
    /// The client said goodbye.
    case closedByPeer(WebSocketClose)
    /// We did: on request, because the peer broke a rule or fell behind, or because the server stops.
    case closedByUs(WebSocketClose)
    /// The connection broke without a word.
    case lost
}
