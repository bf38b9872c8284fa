/// Turns the bytes of a connection into the one answer that is expected: a pure machine without I/O.
///
///     interim heads (100 to 199) ─▶ head ─▶ body (none, by length, chunked, until close) ─▶ end
///
/// Bytes behind the end are not the parser's: on a connection with one request at a time there are none.
package struct HTTPResponseParser: ~Copyable {
    package enum Event {
        /// All bytes are used up; nothing happened that is worth telling.
        case needMore
        case head(HTTPResponseHead)
        /// A piece of the body, in the bytes that were given: valid until they are gone.
        case body(UnsafeRawBufferPointer)
        case end
        case failure(HTTPParseError)
    }

    private enum State {
        case head
        case length(remaining: Int)
        case chunked(HTTPChunkedDecoder)
        case untilClose
        case ended
        case failed(HTTPParseError)
    }

    private var state = State.head
    private var partialHead: [UInt8] = []
    private var scanner = HTTPHeadScanner()
    private var interimAnswers = 0
    private var bodyBytes = 0
    private let isAnswerToHead: Bool
    private let limits: HTTPLimits
    private let interimAnswersMax: Int

    package init(isAnswerToHead: Bool, limits: HTTPClientLimits) {
        self.isAnswerToHead = isAnswerToHead
        self.limits = limits.message
        interimAnswersMax = limits.interimAnswers
    }

    /// True if a byte of the answer has come.
    package var hasBegun: Bool {
        if case .head = state { return !partialHead.isEmpty || interimAnswers > 0 }
        return true
    }

    /// Takes bytes from the front and tells what they mean. To be called until it answers `needMore`, `end`
    /// or `failure`.
    package mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Event {
        do throws(HTTPParseError) {
            switch state {
            case .head:
                return try nextHead(&bytes)
            case .length(let remaining):
                guard !bytes.isEmpty else { return .needMore }
                let count = min(remaining, bytes.count)
                state = count == remaining ? .ended : .length(remaining: remaining - count)
                return .body(take(count, of: &bytes))
            case .chunked(var decoder):
                // The copy in the state would make each change copy the decoder's line.
                state = .ended
                switch try decoder.next(&bytes) {
                case .needMore:
                    state = .chunked(decoder)
                    return .needMore
                case .data(let piece):
                    state = .chunked(decoder)
                    return .body(try counted(piece))
                case .end:
                    return .end
                }
            case .untilClose:
                guard !bytes.isEmpty else { return .needMore }
                return .body(try counted(take(bytes.count, of: &bytes)))
            case .ended:
                return .end
            case .failed(let error):
                return .failure(error)
            }
        } catch {
            state = .failed(error)
            return .failure(error)
        }
    }

    /// Tells what it means that the peer sends nothing more.
    package mutating func connectionEnded() -> Event {
        switch state {
        case .untilClose, .ended:
            state = .ended
            return .end
        case .failed(let error):
            return .failure(error)
        case .head, .length, .chunked:
            let error = HTTPParseError.malformed("the connection ended before the answer did")
            state = .failed(error)
            return .failure(error)
        }
    }

    private mutating func nextHead(_ bytes: inout UnsafeRawBufferPointer) throws(HTTPParseError) -> Event {
        while !bytes.isEmpty {
            // Not more than one byte beyond the limit is ever collected.
            let before = partialHead.count
            let taken = min(bytes.count, limits.headBytes + 1 - before)
            partialHead.append(contentsOf: bytes[..<taken])
            switch partialHead.withUnsafeBytes({ scanner.scan($0) }) {
            case .bareLineFeed:
                throw .malformed("a line feed stands alone in the answer's head")
            case .incomplete:
                guard partialHead.count <= limits.headBytes else { throw headTooLarge }
                _ = take(taken, of: &bytes)
            case .complete(let count):
                guard count <= limits.headBytes else { throw headTooLarge }
                _ = take(count - before, of: &bytes)
                let whole = partialHead[..<count]
                partialHead = []
                scanner = HTTPHeadScanner()
                if let event = try read(whole) { return event }
            }
        }
        return .needMore
    }

    /// The event of a head; nil for an interim one.
    private mutating func read(_ whole: ArraySlice<UInt8>) throws(HTTPParseError) -> Event? {
        let head = try HTTPResponseHead(parsing: whole, isBodiless: isAnswerToHead, limits: limits)
        if head.status.code < 200 {
            guard head.status.code != 101 else { throw .malformed("the peer changes the protocol unasked") }
            interimAnswers += 1
            guard interimAnswers <= interimAnswersMax else {
                throw .malformed("more than \(interimAnswersMax) interim answers")
            }
            return nil
        }
        switch head.framing {
        case .none, .length(0): state = .ended
        case .length(let count):
            guard count <= limits.bodyBytes else { throw bodyTooLarge }
            state = .length(remaining: count)
        case .chunked: state = .chunked(HTTPChunkedDecoder(limits: limits))
        case .untilClose: state = .untilClose
        }
        return .head(head)
    }

    private func take(_ count: Int, of bytes: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        return piece
    }

    private mutating func counted(_ piece: UnsafeRawBufferPointer) throws(HTTPParseError) -> UnsafeRawBufferPointer {
        bodyBytes += piece.count
        guard bodyBytes <= limits.bodyBytes else { throw bodyTooLarge }
        return piece
    }

    private var headTooLarge: HTTPParseError {
        HTTPParseError(.headTooLarge, "the answer's head has more than \(limits.headBytes) bytes")
    }

    private var bodyTooLarge: HTTPParseError {
        HTTPParseError(.contentTooLarge, "the answer's body has more than \(limits.bodyBytes) bytes")
    }
}
