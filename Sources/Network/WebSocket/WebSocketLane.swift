/// The place of a WebSocket among those that can be written to past their channel, and the form that its client agreed on.
package struct WebSocketLane: Sendable {
    let key: UInt64
    let encoder: WebSocketEncoder
}
