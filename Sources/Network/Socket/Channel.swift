import CSystem

/// A connection on an event loop: a transport, the bytes that wait to be written, and one deadline.
///
///     transport ──read──▶ loop's scratch buffer ──▶ handler
///     transport ◀─flush── outgoing, queue (once a turn, so many bytes) ◀── write
///
/// Long answers are not copied: they stand in the queue as they came, and leave in pieces, a few in each turn.
///
/// It knows no protocol: the handler does, and can be exchanged (HTTP becomes WebSocket). A channel belongs to the
/// thread of its loop. When nothing is on its way it holds no buffer.
package final class Channel: PollTarget, EndOfTurnHandler, LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    package let peer: SocketAddress
    package private(set) var isClosed = false

    /// True if the transport is TLS.
    package var isSecure: Bool { transport.isSecure }

    /// How long a TLS handshake may take from its first byte on. What it holds in memory is a multiple of what an
    /// open connection does.
    var handshakeMilliseconds = 10_000
    private var handshakeTimer: TimerToken?

    /// How long and how much a lingering close reads and throws away.
    struct Linger {
        var milliseconds = 30_000
        var silenceMilliseconds = 5_000
        var bytesMax = 256 * 1024 * 1024
    }

    var linger = Linger()

    /// The bounds that it shares with others; nil: as much as its handler lets it.
    var bounds: SharedBounds?

    /// The owner, which counts the channel whatever handles it.
    weak var owner: (any ChannelOwner)?

    /// The handler of the bytes that are read. The channel and its handler hold each other until the channel is closed.
    package var handler: (any ChannelHandler)?

    private var transport: Transport
    private var registration: PollRegistration?
    private var outgoing: [UInt8] = []
    private var written = 0
    private var queue = OutgoingQueue()
    /// True if anything was written since nothing waited.
    private var hasWritten = false
    private var file: FileSend?
    private var isFlushScheduled = false
    /// True if what waits goes on to be written in the next turn.
    private var isFlushPending = false
    private var isReadingPaused = false
    private var hasReadAll = false
    private var ending: Ending = .none
    private var discardedBytes = 0
    private var lingerEnd = MonotonicTime.never
    /// The bytes that count for the bounds of all connections.
    private var incomingBytes = 0
    private var isInLedger = false
    /// Bytes that were handed to the system so far.
    private var sentBytes = 0
    private var timer: TimerToken?
    private var timerDeadline: MonotonicTime = .never

    /// When the handler is told that time is up. Moving it forward costs nothing.
    package var deadline: MonotonicTime = .never {
        didSet { if deadline < timerDeadline { armTimer() } }
    }

    private enum Ending {
        case none
        /// Close when all is written.
        case afterFlush
        /// When all is written say so to the peer, but read on for a while: closing at once would let the kernel throw
        /// away an answer that the peer, still sending, has not read.
        case lingerAfterFlush
        case lingering
    }

    /// Reads in one turn, so that a fast sender does not hold up the others.
    private static let readsPerTurn = 4
    /// A buffer that has grown beyond this is moved up when half of it is written, and the rest is not too much to be copied.
    private static let compactBytes = 256 * 1024
    private static let compactedBytesMax = 1024 * 1024
    /// The bytes that one connection writes in one turn of its loop: the others have theirs before the rest.
    private static let bytesPerTurn = 1024 * 1024
    private static let bytesPerCall = 256 * 1024

    /// A server's connection, which speaks TLS when it is offered and the client begins with it. Starts to read at
    /// once. Called on the loop.
    package convenience init(
        _ descriptor: consuming FileDescriptor, offering tls: TLSContext? = nil, peer: SocketAddress, on loop: EventLoop
    ) throws(SystemError) {
        try self.init(Transport(descriptor, offering: tls), peer: peer, on: loop)
    }

    /// Starts to read at once. Called on the loop.
    init(_ transport: consuming Transport, peer: SocketAddress, on loop: EventLoop) throws(SystemError) {
        self.transport = transport
        self.peer = peer
        self.loop = loop
        registration = try loop.register(self.transport.raw, interest: .reading, target: self)
    }

    // MARK: Reading

    func pollTargetIsReady(_ events: PollEvents) {
        let (isReadable, isWritable) = (events.contains(.readable), events.contains(.writable))
        if isWritable || isReadable && transport.writeWaitsForReading { flush() }
        guard !isClosed else { return }
        let canRead = isReadable || isWritable && transport.readWaitsForWriting
        if canRead, !isReadingPaused, !hasReadAll { readAvailable() }
        guard !isClosed else { return }
        // With everything read, or nobody reading, an error would be reported for ever.
        if events.contains(.broken), hasReadAll || isReadingPaused || !events.contains(.readable) {
            close(.peerGone)
        }
    }

    /// Reads what has arrived without waiting to be told of it.
    func readNow() {
        checkLoop()
        if !isClosed, !isReadingPaused, !hasReadAll { readAvailable() }
    }

    private func readAvailable() {
        for _ in 0..<Self.readsPerTurn {
            switch transport.read(into: loop.scratch) {
            case .bytes(let count):
                if ending == .lingering {
                    discardedBytes += count
                    if discardedBytes > linger.bytesMax { return close(.done) }
                    deadline = min(lingerEnd, loop.now.advanced(byMilliseconds: linger.silenceMilliseconds))
                } else {
                    handler?.channelDidRead(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
                }
                if isClosed || isReadingPaused { return }
                if count < loop.scratch.count, !transport.hasMore { return transportHasNoMore() }
            case .wouldBlock:
                return transportHasNoMore()
            case .ended:
                hasReadAll = true
                updateInterest()
                if ending == .none { handler?.channelDidReadAll() } else if outgoingBytes == 0 { close(.done) }
                return
            case .failed(let error):
                return close(.failed(error))
            }
        }
        readMoreSoon()
    }

    /// With TLS, what is waited for can be other than what was tried.
    private func transportHasNoMore() {
        guard transport.isSecure else { return }
        updateInterest()
        guard transport.isHandshaking else { return endHandshake() }
        guard handshakeTimer == nil else { return }
        handshakeTimer = loop.schedule(at: loop.now.advanced(byMilliseconds: handshakeMilliseconds)) { [self] in
            handshakeTimer = nil
            if !isClosed, transport.isHandshaking { close(.timedOut) } else { owner?.channelEndsHandshake(self) }
        }
        owner?.channelBeginsHandshake(self)
    }

    /// The handshake is over, if there was one.
    private func endHandshake() {
        guard let handshakeTimer else { return }
        loop.cancel(handshakeTimer)
        self.handshakeTimer = nil
        owner?.channelEndsHandshake(self)
    }

    /// The poller does not tell of bytes that TLS has taken from the socket already.
    private func readMoreSoon() {
        guard transport.hasMore else { return }
        loop.execute { [self] in readNow() }
    }

    /// Stops reading until `resumeReading`: the kernel's buffer fills, and the peer has to wait.
    package func pauseReading() {
        checkLoop()
        guard !isReadingPaused else { return }
        isReadingPaused = true
        updateInterest()
    }

    package func resumeReading() {
        checkLoop()
        guard isReadingPaused else { return }
        isReadingPaused = false
        updateInterest()
        readMoreSoon()
    }

    // MARK: TLS

    /// True if both sides have agreed on HTTP/2 in the handshake of TLS.
    var hasAgreedHTTP2: Bool { transport.hasAgreedHTTP2 }

    /// Puts TLS on a plain connection, as its client. All that was written before has to have left, and what has been read is
    /// all that came before: an answer to that is the last thing that was said in clear.
    func secure(by context: TLSContext, host: String) throws(TLSError) {
        checkLoop()
        guard outgoingBytes == 0 else { throw .protocolFailure("the connection still sends in clear") }
        try transport.secure(by: context, host: host)
    }

    /// The address of this end.
    var localAddress: SocketAddress? { Socket.localAddress(of: transport.raw) }

    // MARK: Writing

    /// Bytes that wait for the peer to take them.
    package var outgoingBytes: Int { outgoing.count - written + queue.bytes + (file?.remaining ?? 0) }

    /// The memory held for them, with the written part of a buffer.
    private var heldBytes: Int { outgoing.capacity + queue.bytes + bytesBehind }

    /// The bytes that its handler keeps to be written later.
    private var bytesBehind = 0
    private var isHoldRefused = false

    /// Tells how much that is. It counts while the peer does not take what was written before.
    ///
    /// `isRefused`: the peer takes none of it, by the rules of its protocol, whatever its socket does.
    func holdBehind(_ count: Int, isRefused: Bool = false) {
        guard count != bytesBehind || isRefused != isHoldRefused else { return }
        (bytesBehind, isHoldRefused) = (count, isRefused)
        if isRefused { isInLedger = bounds != nil } else if !isBlocked { leaveLedger() }
        if isInLedger { bounds?.outgoing.hold(heldBytes, in: self, sent: sentBytes, now: loop.now) }
    }

    var isSendingFile: Bool { file != nil }

    /// Lets the body append to what will be written at the end of this turn.
    package func write(_ body: (inout [UInt8]) -> Void) {
        checkLoop()
        guard !isClosed, ending == .none else { return }
        append(body)
        scheduleFlush()
    }

    /// The same for bytes that are written as they are, without a copy where they are many.
    func write(whole bytes: [UInt8]) {
        checkLoop()
        guard bytes.count >= OutgoingQueue.wholeBytesMin else { return write { $0.append(contentsOf: bytes) } }
        guard !isClosed, ending == .none else { return }
        queue.append(whole: bytes)
        scheduleFlush()
    }

    /// Behind all that waits.
    private func append(_ body: (inout [UInt8]) -> Void) {
        guard queue.isEmpty else { return queue.append(body, spare: loop.takeBuffer) }
        if outgoing.capacity == 0 { outgoing = loop.takeBuffer() }
        body(&outgoing)
    }

    /// Writes these bytes after what is written already, without waiting for the end of the turn: who sends to many peers
    /// uses one buffer for all of them.
    func writeNow(_ bytes: [UInt8]) {
        checkLoop()
        flushNow()
        guard !isClosed, ending == .none else { return }
        var position = 0
        if outgoingBytes == 0 {
            switch bytes.withUnsafeBytes({ transport.write($0) }) {
            case .bytes(let count):
                sentBytes += count
                handler?.channelDidWrite(count)
                if count == bytes.count { return }
                position = count
            case .wouldBlock: break
            case .failed(let error): return close(.failed(error))
            }
        }
        keep(bytes[position...])
    }

    /// Keeps what the peer has not taken until it does.
    private func keep(_ rest: ArraySlice<UInt8>) {
        append { $0.append(contentsOf: rest) }
        becameBlocked()
        updateInterest()
    }

    /// When the peer has begun not to take what is written; nil while it takes all.
    private(set) var blockedSince: MonotonicTime?

    /// True if the peer has not taken what was written last.
    var isBlocked: Bool { blockedSince != nil }

    private func becameBlocked() {
        if blockedSince == nil { blockedSince = loop.now }
        guard let bounds else { return }
        isInLedger = true
        bounds.outgoing.hold(heldBytes, in: self, sent: sentBytes, now: loop.now)
    }

    private func leaveLedger() {
        guard isInLedger else { return }
        isInLedger = false
        bounds?.outgoing.release(self)
    }

    /// The written bytes that the peer's system has: those that wait in ours do not count.
    var deliveredBytes: Int { sentBytes - Int(max(0, homeport_unsent_bytes(transport.raw))) }

    /// Tells how many bytes the handler keeps of what is not complete. False where all connections together would hold too
    /// much: the handler has to let go of them.
    func holdIncoming(_ count: Int) -> Bool {
        checkLoop()
        guard count != incomingBytes, let bounds else { return true }
        guard bounds.incoming.change(from: incomingBytes, to: count) else { return false }
        incomingBytes = count
        return true
    }

    /// Writes what was to be written at the end of the turn, unless it waits for the peer.
    func flushNow() {
        if !isClosed, !isBlocked, outgoingBytes > 0 { flush() }
    }

    /// Sends a part of a file after what is written already. Nothing may be written until it is gone.
    func send(_ file: consuming FileSend) {
        checkLoop()
        guard !isClosed, ending == .none else { return }
        self.file = consume file
        scheduleFlush()
    }

    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        loop.callAtEndOfTurn(self)
    }

    package func turnEnded() {
        isFlushScheduled = false
        if !isClosed { flush() }
    }

    private func flush() {
        // It had its part of this turn, or will have it.
        guard !isFlushPending else { return }
        var left = Self.bytesPerTurn
        while outgoingBytes > 0 {
            guard left > 0 else { return flushInNextTurn() }
            takeNextPiece()
            let end = min(written + Self.bytesPerCall, outgoing.count)
            // The head of a response goes with the body behind it: the peer wakes once.
            let isMoreBehind =
                end == outgoing.count && end - written < left && (queue.bytes > 0 || file?.remaining ?? 0 > 0)
            let result =
                written < end
                ? outgoing.withUnsafeBytes {
                    transport.write(UnsafeRawBufferPointer(rebasing: $0[written..<end]), isMoreBehind: isMoreBehind)
                }
                : sendFile()
            switch result {
            case .bytes(let count):
                if written < end { written += count }
                hasWritten = true
                left -= count
                sentBytes += count
                handler?.channelDidWrite(count)
            case .wouldBlock:
                compact()
                becameBlocked()
                updateInterest()
                return
            case .failed(let error):
                return close(.failed(error))
            }
            if isClosed { return }
        }
        finishFlush()
    }

    /// Not when the poller says that there is room: it does so when there is much, and only a write that is refused shows
    /// that the peer does not read.
    private func flushInNextTurn() {
        guard !isFlushPending else { return }
        isFlushPending = true
        loop.execute { [self] in
            isFlushPending = false
            if !isClosed { flush() }
        }
    }

    /// Goes on with what stands behind a buffer that is written.
    private func takeNextPiece() {
        guard written == outgoing.count, let next = queue.takeFirst() else { return }
        loop.giveBack(&outgoing)
        outgoing = next
        written = 0
    }

    /// Moves the rest of a long buffer into memory of its own size: what was written is not held any longer.
    private func compact() {
        let rest = outgoing.count - written
        guard outgoing.count > Self.compactBytes, rest < written, rest <= Self.compactedBytesMax else { return }
        outgoing = Array(outgoing[written...])
        written = 0
    }

    private func sendFile() -> Transport.WriteResult {
        guard file != nil else { return .bytes(0) }
        return file?.send(to: &transport) ?? .bytes(0)
    }

    private func finishFlush() {
        let hadOutgoing = hasWritten || file != nil
        hasWritten = false
        blockedSince = nil
        if !isHoldRefused { leaveLedger() }
        file = nil
        written = 0
        loop.giveBack(&outgoing)
        updateInterest()
        switch ending {
        case .none:
            if hadOutgoing { handler?.channelDidFlush() }
        case .afterFlush:
            close(.done)
        case .lingerAfterFlush:
            if hasReadAll { return close(.done) }
            ending = .lingering
            transport.shutdownWriting()
            resumeReading()
            lingerEnd = loop.now.advanced(byMilliseconds: linger.milliseconds)
            deadline = min(lingerEnd, loop.now.advanced(byMilliseconds: linger.silenceMilliseconds))
        case .lingering:
            break
        }
    }

    private func updateInterest() {
        guard var registration else { return }
        var interest: PollInterest = []
        let (wantsRead, wantsWrite) = (!isReadingPaused && !hasReadAll, outgoingBytes > 0)
        // A direction that waits for the other one must not be watched: it would be reported ready for ever.
        if wantsRead && !transport.readWaitsForWriting || wantsWrite && transport.writeWaitsForReading {
            interest.insert(.reading)
        }
        if wantsWrite && !transport.writeWaitsForReading || wantsRead && transport.readWaitsForWriting {
            interest.insert(.writing)
        }
        loop.change(&registration, to: interest)
        self.registration = registration
    }

    // MARK: Ending

    /// Closes when all is written. The handler hears nothing more but `channelDidClose`.
    package func closeAfterFlush(isPeerSending: Bool) {
        checkLoop()
        guard !isClosed, ending == .none else { return }
        ending = isPeerSending ? .lingerAfterFlush : .afterFlush
        scheduleFlush()
    }

    /// Shortens a lingering close, be it one that has begun or one that comes.
    func lingerNoLonger(than milliseconds: Int) {
        linger.milliseconds = min(linger.milliseconds, milliseconds)
        guard ending == .lingering else { return }
        lingerEnd = min(lingerEnd, loop.now.advanced(byMilliseconds: milliseconds))
        deadline = min(deadline, lingerEnd)
    }

    package func close(_ reason: ChannelCloseReason) {
        checkLoop()
        guard !isClosed else { return }
        isClosed = true
        leaveLedger()
        _ = holdIncoming(0)
        let isOrderly = reason.isOrderly && outgoingBytes == 0
        if let timer { loop.cancel(timer) }
        timer = nil
        if let handshakeTimer { loop.cancel(handshakeTimer) }
        handshakeTimer = nil
        if let registration { loop.unregister(registration) }
        registration = nil
        file = nil
        loop.giveBack(&outgoing)
        queue = OutgoingQueue()
        transport.close(isOrderly: isOrderly)
        let handler = self.handler
        self.handler = nil
        handler?.channelDidClose(reason)
        owner?.channelIsClosed(self)
    }

    // MARK: Time

    private func armTimer() {
        guard !isClosed else { return }
        if let timer { loop.cancel(timer) }
        timerDeadline = deadline
        timer = loop.schedule(at: deadline) { [self] in timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDeadline = .never
        if loop.now < deadline {
            if deadline != .never { armTimer() }
            return
        }
        deadline = .never
        if ending == .lingering { close(.done) } else { handler?.channelDidTimeOut() }
    }
}
