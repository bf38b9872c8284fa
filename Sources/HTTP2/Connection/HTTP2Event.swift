/// An event of the connection that a client has caused.
package enum HTTP2Event {
    /// A request has begun. Without `endsStream` a body follows, or an end without one.
    case head(UInt32, HTTP2RequestFields, endsStream: Bool)
    /// A request has begun whose fields are beyond the limit. It is answered and not read.
    case headTooLarge(UInt32, endsStream: Bool)
    /// A piece of a body, in the bytes that were given: valid until they are gone.
    case data(UInt32, UnsafeRawBufferPointer)
    /// The fields behind a body. `end` comes next.
    case trailer(UInt32, HPACKFields)
    /// The request is complete.
    case end(UInt32)
    /// The stream is over before its end: by the client, or because of what the client has sent.
    case reset(UInt32)
    /// More may be sent than before.
    case roomToSend
    /// The client opens no more streams.
    case goAway

    /// True if a request has begun by it.
    package var isRequest: Bool {
        switch self {
        case .head, .headTooLarge: true
        default: false
        }
    }
}
