/// The body of a request, read piece by piece by the one who handles it.
///
///     connection ──append──▶ pieces (bounded: beyond that the connection is not read) ──next──▶ handler
///
/// It belongs to the thread of its loop, where the handler runs too.
package final class HTTPBodyStream: LoopBound, @unchecked Sendable {
    private var pieces: [[UInt8]] = []
    private(set) var waitingBytes = 0
    /// The trailer behind the body; empty before its end.
    package internal(set) var trailer = HTTPTrailer()
    private var ending: Result<Void, HTTPBodyError>?
    private var waiting: CheckedContinuation<Void, Never>?
    private let waitingBytesMax: Int
    private weak var source: (any HTTPBodySource)?
    package let loop: EventLoop

    init(waitingBytesMax: Int, source: any HTTPBodySource, on loop: EventLoop) {
        self.loop = loop
        self.waitingBytesMax = waitingBytesMax
        self.source = source
    }

    /// Waits for bytes, and takes all pieces that have come by then, up to about so many bytes; and tells whether the body has
    /// ended behind them. One reader only.
    package func gather(upTo bytesMax: Int) async throws(HTTPBodyError) -> (pieces: [[UInt8]], isLast: Bool) {
        var gathered: [[UInt8]] = []
        var count = 0
        while let piece = try await next() {
            count += piece.count
            gathered.append(piece)
            if count >= bytesMax || pieces.isEmpty { break }
        }
        if pieces.isEmpty, let ending {
            try ending.get()
            return (gathered, true)
        }
        return (gathered, false)
    }

    /// The next piece, or nil at the end. One reader only.
    package func next() async throws(HTTPBodyError) -> [UInt8]? {
        checkLoop()
        while pieces.isEmpty {
            if let ending {
                try ending.get()
                return nil
            }
            precondition(waiting == nil, "a request's body has one reader")
            source?.bodyIsWanted()
            await withCheckedContinuation { waiting = $0 }
        }
        let piece = pieces.removeFirst()
        waitingBytes -= piece.count
        if waitingBytes <= waitingBytesMax / 2 { source?.bodyHasRoom() }
        return piece
    }

    var isFull: Bool { waitingBytes >= waitingBytesMax }

    func append(_ piece: [UInt8]) {
        checkLoop()
        guard ending == nil, !piece.isEmpty else { return }
        pieces.append(piece)
        waitingBytes += piece.count
        wake()
    }

    func end(_ result: Result<Void, HTTPBodyError>) {
        checkLoop()
        guard ending == nil else { return }
        ending = result
        wake()
    }

    private func wake() {
        let waiting = self.waiting
        self.waiting = nil
        waiting?.resume()
    }
}

/// Why a body ended before its end.
package enum HTTPBodyError: Error, Sendable {
    /// The bytes are not what they should be, or too many; the error knows the answer.
    case unacceptable(HTTPParseError)
    /// The connection ended first.
    case connectionClosed
}

/// Where a body comes from.
protocol HTTPBodySource: AnyObject {
    /// The reader waits: a client that waits for "100 Continue" should get it now.
    func bodyIsWanted()
    /// The reader has caught up.
    func bodyHasRoom()
}
