/// Turns the bytes of a connection into requests: a pure machine without I/O, fed with whatever has arrived.
///
///     head ─▶ body (none, by length, or chunked) ─▶ end ─▶ head ─▶ …
///
/// A head that arrives whole is parsed where it lies; one that arrives in pieces is collected first. After a failure
/// the parser stays failed: where one message ends is not known any more.
package struct HTTPRequestParser: ~Copyable {
    package enum Event {
        /// All bytes are used up; nothing happened that is worth telling.
        case needMore
        case head(HTTPRequestHead)
        /// A piece of the body, in the bytes that were given: valid until they are gone.
        case body(UnsafeRawBufferPointer)
        /// The request is complete. Bytes that are left belong to the next one.
        case end
        case failure(HTTPParseError)
        /// The first bytes of the connection are those of HTTP/2, up to its first empty line.
        case preface
    }

    private enum State {
        case head
        case length(remaining: Int)
        case chunked(HTTPChunkedDecoder)
        case complete
        case failed(HTTPParseError)
    }

    private var state = State.head
    private var partialHead: [UInt8] = []
    private var scanner = HTTPHeadScanner()
    private var emptyLines = 0
    /// True until there is a request.
    private var isFirst = true
    /// The trailer of the request that ended last.
    private(set) var trailer = HTTPTrailer()
    private let limits: HTTPLimits
    /// A field that may be longer than a head can be: it is left out.
    private let unreadField: String?
    private let heads: HeadMemory?

    /// Empty lines before a request that are read over: some old clients send one behind a body.
    private static let emptyLinesMax = 2

    /// - Parameter unreadField: the name, in lower case, of a field that nobody reads, and that alone may make a head longer than
    ///   heads are understood.
    package init(limits: HTTPLimits, unreadField: String? = nil) {
        self.init(limits: limits, unreadField: unreadField, remembering: nil)
    }

    /// - Parameter heads: the heads that were read on this loop, which are not read again.
    init(limits: HTTPLimits, unreadField: String?, remembering heads: HeadMemory?) {
        var limits = limits
        self.heads = heads
        if unreadField == nil { limits.headBytes = min(limits.headBytes, HTTPFields.bytesMax) }
        self.limits = limits
        self.unreadField = unreadField
    }

    /// True if no byte of a request has come since the last one ended.
    package var isBetweenRequests: Bool {
        if case .head = state { return partialHead.isEmpty && emptyLines == 0 }
        return false
    }

    /// The memory of a head that is not complete.
    var heldBytes: Int { partialHead.capacity }

    /// Takes bytes from the front and tells what they mean. To be called until it answers `needMore` or `failure`.
    package mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Event {
        do throws(HTTPParseError) {
            switch state {
            case .head:
                return try nextHead(&bytes)
            case .length(let remaining):
                guard !bytes.isEmpty else { return .needMore }
                let count = min(remaining, bytes.count)
                let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
                state = count == remaining ? .complete : .length(remaining: remaining - count)
                return .body(piece)
            case .chunked(var decoder):
                // The copy in the state would make each change copy the decoder's line.
                state = .complete
                switch try decoder.next(&bytes) {
                case .needMore:
                    state = .chunked(decoder)
                    return .needMore
                case .data(let piece):
                    state = .chunked(decoder)
                    return .body(piece)
                case .end:
                    trailer = decoder.trailer
                    return end()
                }
            case .complete:
                return end()
            case .failed(let error):
                return .failure(error)
            }
        } catch {
            state = .failed(error)
            return .failure(error)
        }
    }

    private mutating func end() -> Event {
        state = .head
        emptyLines = 0
        return .end
    }

    private mutating func nextHead(_ bytes: inout UnsafeRawBufferPointer) throws(HTTPParseError) -> Event {
        try skipEmptyLines(&bytes)
        guard !bytes.isEmpty else { return .needMore }
        if partialHead.isEmpty, !HTTPCharacters.isToken(bytes[0]) {
            throw .malformed("the request does not start with a method")
        }
        if partialHead.isEmpty {
            // What lies beyond the limit must not change the answer: it might as well not have come yet.
            let visible = UnsafeRawBufferPointer(rebasing: bytes.prefix(limits.headBytes + 1))
            let outcome = scanner.scan(visible)
            if case .complete(let count) = outcome, count <= limits.headBytes {
                let whole = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
                return try head(whole)
            }
            try check(outcome, count: visible.count)
            partialHead = Array(visible)
            bytes = UnsafeRawBufferPointer(rebasing: bytes[visible.count...])
            return .needMore
        }
        // Not more than one byte beyond the limit is ever collected.
        let taken = min(bytes.count, limits.headBytes + 1 - partialHead.count)
        let before = partialHead.count
        partialHead.append(contentsOf: bytes[..<taken])
        let outcome = partialHead.withUnsafeBytes { scanner.scan($0) }
        if case .complete(let count) = outcome, count <= limits.headBytes {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[(count - before)...])
            var collected: [UInt8] = []
            swap(&collected, &partialHead)
            return try collected.withUnsafeBufferPointer { whole throws(HTTPParseError) in
                try head(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: whole[..<count])))
            }
        }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
        try check(outcome, count: partialHead.count)
        return .needMore
    }

    private func check(_ outcome: HTTPHeadScanner.Outcome, count: Int) throws(HTTPParseError) {
        if outcome == .bareLineFeed { throw .malformed("a line feed stands alone in the head") }
        guard count > limits.headBytes else { return }
        throw scanner.hasFirstLine
            ? HTTPParseError(.headTooLarge, "the head has more than \(limits.headBytes) bytes")
            : HTTPParseError(.targetTooLong, "the request line has more than \(limits.headBytes) bytes")
    }

    private mutating func head(_ whole: UnsafeRawBufferPointer) throws(HTTPParseError) -> Event {
        scanner = HTTPHeadScanner()
        let head: HTTPRequestHead
        do throws(HTTPParseError) {
            head = try parsed(whole)
        } catch {
            guard isFirst, error.status == .versionNotSupported, Self.isPreface(whole) else { throw error }
            state = .failed(.servesNoHTTP2)
            return .preface
        }
        isFirst = false
        trailer = HTTPTrailer()
        switch head.framing {
        case .none, .length(0), .untilClose: state = .complete
        case .length(let count): state = .length(remaining: count)
        case .chunked: state = .chunked(HTTPChunkedDecoder(limits: limits))
        }
        return .head(head)
    }

    /// The bytes of a head that begin a connection of HTTP/2.
    static let prefaceBytes = "PRI * HTTP/2.0\r\n\r\n".utf8.count

    private static func isPreface(_ whole: UnsafeRawBufferPointer) -> Bool {
        whole.elementsEqual("PRI * HTTP/2.0\r\n\r\n".utf8)
    }

    private func parsed(_ whole: UnsafeRawBufferPointer) throws(HTTPParseError) -> HTTPRequestHead {
        guard let unreadField, whole.count > HTTPFields.bytesMax else {
            guard let heads else { return try HTTPRequestHead(parsing: whole, limits: limits) }
            return try heads.head(parsing: whole, limits: limits)
        }
        let name = Array(unreadField.utf8)
        var rest = whole[...]
        var kept: [UInt8] = []
        while let end = rest.firstIndex(of: HTTPCharacters.lineFeed) {
            let line = rest[...end]
            let isUnread =
                line.count > name.count && zip(line, name).allSatisfy { HTTPCharacters.lowercased($0) == $1 }
                && line[line.startIndex + name.count] == HTTPCharacters.colon
            if !isUnread { kept.append(contentsOf: line) }
            rest = rest[(end + 1)...]
        }
        guard kept.count <= HTTPFields.bytesMax else {
            throw HTTPParseError(.headTooLarge, "the head has more than \(HTTPFields.bytesMax) bytes")
        }
        return try kept.withUnsafeBufferPointer { kept throws(HTTPParseError) in
            try HTTPRequestHead(parsing: UnsafeRawBufferPointer(kept), limits: limits)
        }
    }

    private mutating func skipEmptyLines(_ bytes: inout UnsafeRawBufferPointer) throws(HTTPParseError) {
        while !bytes.isEmpty {
            if partialHead.isEmpty, bytes[0] == HTTPCharacters.carriageReturn {
                partialHead = [HTTPCharacters.carriageReturn]
            } else if partialHead == [HTTPCharacters.carriageReturn] {
                guard bytes[0] == HTTPCharacters.lineFeed else {
                    throw .malformed("a carriage return stands alone in the head")
                }
                partialHead = []
                emptyLines += 1
            } else {
                return
            }
            guard emptyLines <= Self.emptyLinesMax else { throw .malformed("there are empty lines before the request") }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1...])
        }
    }
}
