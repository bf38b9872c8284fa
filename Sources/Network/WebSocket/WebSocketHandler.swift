/// An application's side of a WebSocket. All calls come on the loop's thread, and may answer at once through the
/// connection that they are given.
package protocol WebSocketHandler: AnyObject {
    /// The first call: from now on messages can be sent.
    func webSocketDidOpen(_ connection: WebSocketConnection)
    /// The text is UTF-8.
    func webSocket(_ connection: WebSocketConnection, didReceiveText text: [UInt8])
    func webSocket(_ connection: WebSocketConnection, didReceiveBinary bytes: [UInt8])
    /// The last call: nothing can be sent any more. It comes while `close` runs when it was the application that closed.
    func webSocketDidClose(_ connection: WebSocketConnection, _ ending: WebSocketEnding)
}

extension WebSocketHandler {
    package func webSocketDidOpen(_ connection: WebSocketConnection) {}

    /// Most protocols speak text only.
    package func webSocket(_ connection: WebSocketConnection, didReceiveBinary bytes: [UInt8]) {
        connection.close(WebSocketClose(.unsupportedData, "expected text messages only, found a binary one"))
    }
}
