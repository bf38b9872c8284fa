/// The state of an answer whose body is written piece by piece.
struct HTTPBodyWriting {
    private let framing: HTTPResponseWriter.Framing
    private var sent = 0
    private var waiting: CheckedContinuation<Void, Never>?
    /// The writer, who wants to know when the client has ended its side.
    var clientEndedItsSide: (@Sendable () -> Void)?

    init(_ framing: HTTPResponseWriter.Framing) {
        self.framing = framing
    }

    var isBodiless: Bool {
        if case .none = framing { return true }
        return false
    }

    /// True if all that was promised has been written.
    var isComplete: Bool {
        if case .length(let count) = framing { return sent == count }
        return true
    }

    /// The bytes behind the last piece.
    var end: [UInt8] {
        if case .chunked = framing { return HTTPResponseWriter.lastChunk }
        return []
    }

    /// The bytes that are sent for a piece. More than the promised length is cut off: it would be read as the next answer.
    mutating func frame(_ bytes: [UInt8]) -> [UInt8] {
        switch framing {
        case .none:
            return []
        case .length(let count):
            let piece = bytes.count <= count - sent ? bytes : Array(bytes.prefix(count - sent))
            sent += piece.count
            return piece
        case .chunked:
            // An empty chunk would end the body.
            guard !bytes.isEmpty else { return [] }
            var framed: [UInt8] = []
            framed.reserveCapacity(bytes.count + 12)
            HTTPResponseWriter.append(chunk: bytes, to: &framed)
            return framed
        case .untilClose:
            return bytes
        }
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting = continuation
    }

    mutating func resume() {
        waiting?.resume()
        waiting = nil
    }

    mutating func close() {
        resume()
    }
}
