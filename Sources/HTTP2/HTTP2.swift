// HTTP2: the protocol of RFC 9113 and its header compression (RFC 7541), as pure machines: bytes in, events and bytes out.
//
//     bytes ─▶ HTTP2Machine ─▶ events: a request's head, pieces of its body, its end, a cancelled stream
//              │    ▲
//              │    └── the answer's head and pieces ◀── whoever serves the request
//              └──▶ output: settings, acknowledgements, windows, resets, heads and data as frames
//
//     HPACK/       the static and the dynamic table, the Huffman code, the decoder, the encoder
//     Frames/      the header of a frame, error codes, settings
//     Connection/  the machine, its streams, the rules for a request's fields, allowances
//
// The machine has no socket, no loop and no clock: the time comes with the bytes. It is the server's side only. It serves no push, no
// priorities, no upgrade from HTTP/1.1 and no extended CONNECT.
//
// What must stay true:
//
//   - Every header block is decoded, also the one of a stream that is refused: the next block depends on it.
//   - Whatever a client can repeat at no cost to itself takes from an allowance (`HTTP2Allowance`): resets, those that the server is
//     made to send as well, and frames that carry nothing.
//   - A stream that was cancelled counts as open until its work has ended (`workGoesOn`, `workEnded`).
//   - A connection keeps the bytes of one incomplete header block, and no other bytes of the client. Bodies pass through.
//   - Nothing is sent beyond the client's windows, and nothing is taken beyond ours.

/// Every limit of HTTP/2, in one place. Beyond one, the client gets the error that the line names.
package struct HTTP2Limits: Sendable {
    /// Streams that a client may have open. Beyond: REFUSED_STREAM.
    package var concurrentStreams = 100
    /// The fields of a request, as RFC 9113 counts them: names, values and 32 bytes for each. Beyond: the answer 431.
    package var headerListBytes = 32 * 1024
    /// The fields of a request. Beyond: the answer 431.
    package var headerFields = 100
    /// How many times the header list may be larger than its limit before the connection ends with ENHANCE_YOUR_CALM.
    package var headerListTimesMax = 4
    /// The compressed bytes of a header block. Beyond: ENHANCE_YOUR_CALM for the connection.
    package var headerBlockBytes = 64 * 1024
    /// CONTINUATION frames of a header block. Beyond: ENHANCE_YOUR_CALM for the connection.
    package var continuationFrames = 16
    /// The dynamic table that a client's header blocks may use. Beyond: COMPRESSION_ERROR.
    package static let tableBytes = 4096
    /// The payload of a frame. Beyond: FRAME_SIZE_ERROR.
    package static let frameBytes = 16 * 1024
    /// The most that a frame to the client has, whatever it takes: others get their turn behind it.
    package static let sentFrameBytes = 16 * 1024
    /// The bytes of a stream that may come before its reader takes any. Beyond: FLOW_CONTROL_ERROR for the stream.
    package var streamWindowBytes = 128 * 1024
    /// The bytes of all streams that may be on their way. Beyond: FLOW_CONTROL_ERROR for the connection.
    package var connectionWindowBytes = 1024 * 1024
    /// Streams that end before their answer does, by either side: at once, and more each second. Beyond: ENHANCE_YOUR_CALM for the
    /// connection.
    package var resets = 200
    package var resetsPerSecond = 50
    /// Frames that carry nothing: SETTINGS, PING, PRIORITY, WINDOW_UPDATE, DATA without a byte, unknown types, and streams that are
    /// refused. At once, and more each second; data that is sent to the client allows for more. Beyond: ENHANCE_YOUR_CALM for the
    /// connection.
    package var emptyFrames = 1000
    package var emptyFramesPerSecond = 100
    /// The settings of a SETTINGS frame. Beyond: ENHANCE_YOUR_CALM for the connection.
    package static let settingsOfFrame = 64
    /// Acknowledgements that wait for a client that does not read them. Beyond: ENHANCE_YOUR_CALM for the connection.
    package var waitingControlBytes = 64 * 1024
    /// The requests that a connection begins in one turn of its loop. Beyond: the next turn takes them, and nothing more is read before.
    package static let requestsPerTurn = 64
    /// The closed streams that are remembered: frames for them may still be on their way.
    package static let rememberedStreams = 128

    package init() {}
}
