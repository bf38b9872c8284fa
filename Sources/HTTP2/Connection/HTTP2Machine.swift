/// The server's side of one connection of HTTP/2. Pure: bytes come in, events come out of `next`, and the bytes to send are in `output`.
///
///     preface ─▶ SETTINGS ─▶ frames ─▶ … ─▶ GOAWAY
///
/// A frame of fixed size is collected, a header block is collected up to its limits, and data passes through as it comes.
package final class HTTP2Machine {
    package let limits: HTTP2Limits
    var decoder = HPACKDecoder()
    var encoder = HPACKEncoder()
    /// The client's settings.
    var settings = HTTP2Settings()
    var streams = HTTP2StreamTable()
    /// The bytes that all streams together may send, and may take.
    var sendWindow = 65_535
    var receiveWindow: Int
    private var returnedBytes = 0
    var reading: Reading
    /// The bytes of a frame's header, or of a frame of fixed size, that have come so far.
    var partial: [UInt8] = []
    var block: Block?
    /// The end that comes behind the event that was told last.
    private var pendingEnd: UInt32?
    var hasSettings = false
    var now: UInt64 = 0
    var resets: HTTP2Allowance
    var emptyFrames: HTTP2Allowance
    /// The acknowledgements that may still wait for the client.
    private var controlBytes = 0
    /// The work of streams that were cancelled and has not ended.
    var detached = 0
    /// The last stream that is served, once the client was told to go.
    var lastServed: UInt32?

    /// The bytes to send, in front of all that is appended later.
    var output: [UInt8] = []

    enum Reading {
        /// So many bytes of the preface have come.
        case preface(Int)
        case header
        /// The first so many bytes of a payload.
        case fixed(HTTP2FrameHeader, Int)
        /// The entries of a SETTINGS frame.
        case settings(left: Int, HTTP2Settings)
        case data(UInt32, left: Int, padding: Int, endsStream: Bool)
        case fragment(left: Int, padding: Int, endsBlock: Bool)
        case skip(Int)
    }

    /// A header block that is not complete.
    struct Block {
        let stream: UInt32
        let endsStream: Bool
        var dependsOnItself = false
        var bytes: [UInt8] = []
        var continuations = 0
    }

    /// The preface, of which so many bytes have been seen already.
    package init(limits: HTTP2Limits, prefaceBytesSeen: Int = 0, nowMilliseconds: UInt64) {
        self.limits = limits
        receiveWindow = limits.connectionWindowBytes
        reading = .preface(prefaceBytesSeen)
        now = nowMilliseconds
        resets = HTTP2Allowance(
            atOnce: limits.resets, perSecond: limits.resetsPerSecond, nowMilliseconds: nowMilliseconds)
        emptyFrames = HTTP2Allowance(
            atOnce: limits.emptyFrames, perSecond: limits.emptyFramesPerSecond, nowMilliseconds: nowMilliseconds)
        HTTP2Settings.append(
            [
                (.maxConcurrentStreams, limits.concurrentStreams), (.initialWindowSize, limits.streamWindowBytes),
                (.maxHeaderListSize, limits.headerListBytes),
            ], to: &output)
        if limits.connectionWindowBytes > 65_535 {
            appendWindowUpdate(0, limits.connectionWindowBytes - 65_535)
        }
    }

    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// Streams that are open.
    package var openStreams: Int { streams.open.count }

    /// The heads that have begun so far.
    package internal(set) var headsBegun = 0

    /// True if a request's head has begun and is not complete, or nothing has come of the client's settings.
    package var awaitsRest: Bool { block != nil || !hasSettings }

    /// The memory that it holds for what is not complete.
    package var heldBytes: Int { block?.bytes.capacity ?? 0 }

    /// The memory of an idle connection: tables and lists.
    package var idleBytes: Int { decoder.heldBytes + partial.capacity + HTTP2Limits.rememberedStreams * 4 }

    // MARK: Reading

    /// Takes bytes from the position on and tells what they mean. To be called until it answers nil.
    package func next(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, nowMilliseconds: UInt64
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        now = nowMilliseconds
        if let event = takePendingEnd() { return event }
        while true {
            switch reading {
            case .preface(let seen):
                guard position < bytes.count else { return nil }
                try readPreface(bytes, at: &position, seen)
            case .header:
                guard collect(HTTP2FrameHeader.count, bytes, at: &position) else { return nil }
                let header = partial.withUnsafeBytes { HTTP2FrameHeader($0) }
                partial.removeAll(keepingCapacity: true)
                if let event = try begin(header) { return event }
            case .fixed(let header, let count):
                guard collect(count, bytes, at: &position) else { return nil }
                reading = .skip(header.count - count)
                var fixed: [UInt8] = []
                swap(&fixed, &partial)
                let event = try take(header, fixed)
                fixed.removeAll(keepingCapacity: true)
                swap(&fixed, &partial)
                if let event { return event }
            case .settings(let left, let next):
                if let event = try readSettings(left, next, bytes, at: &position) { return event }
                if case .settings(let rest, _) = reading, rest == left { return nil }
            case .data(let stream, let left, let padding, let endsStream):
                guard left == 0 || position < bytes.count else { return nil }
                let count = min(left, bytes.count - position)
                let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
                position += count
                if count == left {
                    reading = .skip(padding)
                    if endsStream { pendingEnd = stream }
                } else {
                    reading = .data(stream, left: left - count, padding: padding, endsStream: endsStream)
                }
                // A stream may have been reset while its data comes.
                if count > 0, streams.place(of: stream) != nil { return .data(stream, piece) }
                if let event = takePendingEnd() { return event }
            case .fragment(let left, let padding, let endsBlock):
                guard left == 0 || position < bytes.count else { return nil }
                let count = min(left, bytes.count - position)
                block?.bytes.append(contentsOf: bytes[position..<position + count])
                position += count
                guard count == left else {
                    reading = .fragment(left: left - count, padding: padding, endsBlock: endsBlock)
                    continue
                }
                reading = .skip(padding)
                if endsBlock, let event = try endBlock() { return event }
            case .skip(let left):
                guard left == 0 || position < bytes.count else { return nil }
                let count = min(left, bytes.count - position)
                position += count
                reading = count == left ? .header : .skip(left - count)
            }
        }
    }

    private func takePendingEnd() -> HTTP2Event? {
        guard let stream = pendingEnd else { return nil }
        pendingEnd = nil
        guard let place = streams.place(of: stream) else { return nil }
        streams[place].isRemoteEnded = true
        closeIfEnded(place)
        return .end(stream)
    }

    func endsNext(_ stream: UInt32) { pendingEnd = stream }

    func closes(_ stream: HTTP2Stream) -> Bool { stream.isRemoteEnded && stream.isLocalEnded }

    func closeIfEnded(_ place: Int) {
        if closes(streams[place]) { streams.close(place, isResetByUs: false) }
    }

    private func readPreface(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, _ seen: Int
    ) throws(HTTP2ConnectionError) {
        let count = min(Self.preface.utf8CodeUnitCount - seen, bytes.count - position)
        let isPreface = Self.preface.withUTF8Buffer {
            $0[seen..<seen + count].elementsEqual(bytes[position..<position + count])
        }
        guard isPreface else { throw .malformed("the connection does not begin with the preface of HTTP/2") }
        position += count
        reading = seen + count == Self.preface.utf8CodeUnitCount ? .header : .preface(seen + count)
    }

    /// Collects so many bytes. False while some are missing.
    private func collect(_ count: Int, _ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Bool {
        let taken = min(count - partial.count, bytes.count - position)
        if taken > 0 {
            partial.append(contentsOf: bytes[position..<position + taken])
            position += taken
        }
        return partial.count == count
    }

    private func readSettings(
        _ left: Int, _ next: HTTP2Settings, _ bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard left > 0 else { return try apply(next) }
        guard collect(HTTP2Settings.entryBytes, bytes, at: &position) else { return nil }
        var next = next
        let (identifier, value) = partial.withUnsafeBytes {
            (UInt16($0[0]) << 8 | UInt16($0[1]), HTTP2FrameHeader.number($0, at: 2))
        }
        partial.removeAll(keepingCapacity: true)
        try next.take(identifier, value)
        reading = .settings(left: left - HTTP2Settings.entryBytes, next)
        return nil
    }

    private func apply(_ next: HTTP2Settings) throws(HTTP2ConnectionError) -> HTTP2Event? {
        reading = .header
        hasSettings = true
        let delta = next.initialWindow - settings.initialWindow
        settings = next
        encoder.tableSizeChanged(to: next.tableBytes)
        HTTP2FrameHeader.append(
            .settings, flags: HTTP2FrameHeader.Flags.acknowledge, stream: 0, count: 0, to: &output)
        try countControl(HTTP2FrameHeader.count)
        guard delta == 0 || streams.moveSendWindows(by: delta) else {
            throw .init(.flowControlError, "INITIAL_WINDOW_SIZE makes the window of a stream too large")
        }
        return delta > 0 ? .roomToSend : nil
    }

    /// Counts an acknowledgement that is to be sent.
    func countControl(_ count: Int) throws(HTTP2ConnectionError) {
        controlBytes += count
        guard controlBytes <= limits.waitingControlBytes else {
            throw .tooMuch("more than \(limits.waitingControlBytes) bytes of acknowledgements wait to be read")
        }
    }

    /// All that was sent has left.
    package func flushed() { controlBytes = 0 }

    // MARK: Windows

    /// Gives bytes of the connection's window back: those of a stream wait at the stream's.
    func returnToConnection(_ count: Int) {
        returnedBytes += count
        guard returnedBytes >= limits.connectionWindowBytes / 2 else { return }
        receiveWindow += returnedBytes
        appendWindowUpdate(0, returnedBytes)
        returnedBytes = 0
    }

    /// The reader of a stream has taken so many bytes of its body: the client may send as many more.
    package func taken(_ stream: UInt32, _ count: Int) {
        guard let place = streams.place(of: stream), !streams[place].isRemoteEnded else { return }
        streams[place].takenBytes += count
        let taken = streams[place].takenBytes
        guard taken >= limits.streamWindowBytes / 2 else { return }
        streams[place].takenBytes = 0
        streams[place].receiveWindow += taken
        appendWindowUpdate(stream, taken)
    }

    private func appendWindowUpdate(_ stream: UInt32, _ count: Int) {
        HTTP2FrameHeader.append(.windowUpdate, stream: stream, count: 4, to: &output)
        HTTP2FrameHeader.append(UInt32(clamping: count), to: &output)
    }
}
