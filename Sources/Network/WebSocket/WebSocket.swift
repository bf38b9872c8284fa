/// The WebSocket protocol: RFC 6455 with RFC 7692 permessage-deflate.
///
///     request ─▶ WebSocketHandshake ─▶ 101 and what was agreed on
///
///     bytes ─▶ WebSocketParser ─▶ WebSocketStateMachine ─▶ WebSocketConnection ─▶ WebSocketHandler
///               frames,            close handshake,         carries out actions     the application
///               UTF-8, limits      pings, time
///
///     bytes ◀─ WebSocketEncoder ◀─ messages, fan-out payloads
///
/// All but `WebSocketConnection` is free of I/O: the parser and the machine take bytes, events and a time, and answer with
/// events and actions. A connection keeps no compressor and, between messages, no buffer (see `CompressionPool`).
///
/// The settings of an endpoint. The defaults are the limits of the server.
package struct WebSocketSettings: Sendable {
    /// The longest message, both as it arrives and inflated.
    package var messageBytesMax = 1024 * 1024
    /// The most frames that a message may come in.
    package var messageFramesMax = 4096
    /// Bytes that wait for a client to take them. A client that falls behind further is closed.
    package var outboundBytesMax = 1024 * 1024
    /// A client that has been silent for so long is asked for a sign of life,
    package var pingAfterMilliseconds = 40_000
    /// and closed when it has been silent for so long.
    package var silenceMillisecondsMax = 75_000
    /// How long the peer may take to answer a close frame, and to end the connection.
    package var closeMillisecondsMax = 5_000
    /// True if permessage-deflate is agreed to when a client offers it.
    package var isCompressionAllowed = true
    /// Messages below this size are sent as they are.
    package var compressedBytesMin = 512

    package init() {}
}
