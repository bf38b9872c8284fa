import HTTP2

/// One client's connection of HTTP/2: carries out on its channel what the machine says, and hands each stream to an exchange.
///
///     bytes ─▶ HTTP2Machine ─▶ events ─▶ HTTP2Exchange (one for each stream) ─▶ the application, as for HTTP/1.1
///     channel ◀─ frames, in turns, while it takes them ◀─ what exchanges have to send
///
/// It takes a channel over behind the first half of the preface. Everything here happens on the thread of the channel's loop.
final class HTTP2Connection: ChannelHandler, LoopBound, @unchecked Sendable {
    let channel: Channel
    let shard: HTTPServerShard
    let machine: HTTP2Machine
    /// The streams that are being served, in ascending order.
    private var exchanges: [HTTP2Exchange] = []
    /// The exchange whose turn it is to send.
    private var turn = 0
    private var isPumpScheduled = false
    private var isReading = false
    /// Bytes that wait for the next turn of the loop. Nothing more is read meanwhile.
    private var unread: [UInt8] = []
    /// True if something can be sent when all that has come is read.
    private var hasRoom = false
    /// The memory of all bodies that are not complete.
    private var heldBytes = 0
    private(set) var hasReadAll = false
    /// True if an answer came before the end of a body, of which some may still be on its way.
    var isBodyCutOff = false
    private var isLeaving = false
    /// True if nothing more is read or answered.
    private var isOver = false

    private var idleDeadline: MonotonicTime
    private var restDeadline: MonotonicTime
    /// The head that the deadline is for, by its number.
    private var awaitedHead = 0
    private var watch: HTTPAnswerWatch?
    private var watchDeadline = MonotonicTime.never

    /// Bytes of frames that wait in the channel: exchanges keep what is beyond, so that one that comes later has its turn soon.
    private static let waitingFramesBytes = 64 * 1024

    init(channel: Channel, shard: HTTPServerShard) {
        self.channel = channel
        self.shard = shard
        machine = HTTP2Machine(
            limits: shard.http2Limits, prefaceBytesSeen: HTTPRequestParser.prefaceBytes,
            nowMilliseconds: Self.milliseconds(shard.loop.now))
        idleDeadline = shard.loop.now.advanced(byMilliseconds: shard.limits.idleMilliseconds)
        restDeadline = shard.loop.now.advanced(byMilliseconds: shard.limits.headMilliseconds)
    }

    var loop: EventLoop { shard.loop }

    private var now: MonotonicTime { loop.now }

    private static func milliseconds(_ time: MonotonicTime) -> UInt64 { time.nanoseconds / 1_000_000 }

    /// Sends the server's settings.
    func begin() {
        flushOutput()
        updateDeadline()
    }

    /// Ends a connection that was agreed to be HTTP/2 and begins as another.
    func refusePreface() {
        end(.init(.protocolError, "the connection does not begin with the preface of HTTP/2"))
    }

    // MARK: Reading

    /// Takes a bounded number of requests in one turn of the loop: thousands of tiny ones may come in one read.
    func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        guard unread.isEmpty else { return unread.append(contentsOf: bytes) }
        take(bytes, requestsMax: HTTP2Limits.requestsPerTurn)
        guard !unread.isEmpty, !isOver, !channel.isClosed else { return }
        channel.pauseReading()
        loop.execute { [self] in
            channel.resumeReading()
            takeUnread(requestsMax: HTTP2Limits.requestsPerTurn)
        }
    }

    private func takeUnread(requestsMax: Int) {
        guard !unread.isEmpty, !isOver, !channel.isClosed else { return }
        let bytes = unread
        unread = []
        bytes.withUnsafeBytes { bytes in requestsMax == .max ? take(bytes, requestsMax: .max) : channelDidRead(bytes) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, requestsMax: Int) {
        var position = 0
        var left = requestsMax
        isReading = true
        defer { isReading = false }
        do throws(HTTP2ConnectionError) {
            while let event = try machine.next(bytes, at: &position, nowMilliseconds: Self.milliseconds(now)) {
                act(on: event)
                if isOver || channel.isClosed { return }
                if event.isRequest { left -= 1 }
                if left == 0, position < bytes.count {
                    unread = Array(bytes[position...])
                    break
                }
            }
        } catch {
            return end(error)
        }
        guard holdIncoming() else { return end(.init(.enhanceYourCalm, "the server holds too many bytes of requests")) }
        isReading = false
        flushOutput()
        if hasRoom {
            hasRoom = false
            pump()
        }
        leaveIfDone()
        // Heads of answers that a client does not read must not pile up.
        if channel.outgoingBytes > Self.waitingFramesBytes + shard.limits.streamedBytes { channel.pauseReading() }
        updateDeadline()
    }

    private func act(on event: HTTP2Event) {
        switch event {
        case .head(let stream, let request, let endsStream):
            let exchange = add(stream)
            do throws(HTTPParseError) {
                exchange.begin(
                    try HTTPRequestHead.ofHTTP2(request, endsStream: endsStream, limits: shard.limits),
                    endsStream: endsStream)
            } catch {
                exchange.refuse(error, endsStream: endsStream)
            }
        case .headTooLarge(let stream, let endsStream):
            add(stream).refuse(
                HTTPParseError(
                    .headTooLarge,
                    "the head has more than \(machine.limits.headerListBytes) bytes or \(machine.limits.headerFields) fields"
                ),
                endsStream: endsStream)
        case .data(let stream, let piece):
            exchange(of: stream)?.receive(piece)
        case .trailer(let stream, let fields):
            exchange(of: stream)?.receive(fields)
        case .end(let stream):
            exchange(of: stream)?.receiveEnd()
        case .reset(let stream):
            exchange(of: stream)?.cancel()
        case .roomToSend:
            hasRoom = true
        case .goAway:
            isLeaving = true
        }
    }

    private func add(_ stream: UInt32) -> HTTP2Exchange {
        let exchange = HTTP2Exchange(stream, on: self)
        exchanges.append(exchange)
        return exchange
    }

    private func exchange(of stream: UInt32) -> HTTP2Exchange? {
        exchanges.first { $0.stream == stream }
    }

    /// The memory of a body has changed.
    func holds(_ count: Int, insteadOf before: Int) -> Bool {
        heldBytes += count - before
        return holdIncoming()
    }

    private func holdIncoming() -> Bool { channel.holdIncoming(heldBytes + machine.heldBytes + unread.count) }

    // MARK: Sending

    /// Sends what the protocol has to say.
    func flushOutput() {
        guard machine.hasOutput else { return }
        channel.write { machine.takeOutput(into: &$0) }
    }

    /// An exchange has something to send.
    func wantsToSend() {
        if isReading { hasRoom = true } else { pump() }
    }

    private func pumpSoon() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        loop.execute { [self] in
            isPumpScheduled = false
            pump()
        }
    }

    /// Lets exchanges send in turns, a frame each, while the channel takes it.
    func pump() {
        checkLoop()
        guard !isOver, !channel.isClosed else { return }
        var isBlocked = false
        var waiting = 0
        repeat {
            var hasSent = false
            // The list may become empty meanwhile: an answer can end the connection.
            let all = exchanges
            let count = all.count
            for place in all.indices where channel.outgoingBytes < Self.waitingFramesBytes {
                let exchange = all[(turn + place) % count]
                if exchange.hasToSend, exchange.sendFrame() { hasSent = true }
            }
            turn = count > 0 ? (turn + 1) % count : 0
            removeEnded()
            if !hasSent { break }
        } while channel.outgoingBytes < Self.waitingFramesBytes
        for exchange in exchanges {
            waiting += exchange.waitingBytes
            if exchange.isRefused { isBlocked = true }
        }
        channel.holdBehind(waiting, isRefused: isBlocked)
        flushOutput()
        leaveIfDone()
        updateDeadline()
    }

    /// Lets go of exchanges that are over. Each has told so.
    private func removeEnded() {
        let before = exchanges.count
        exchanges.removeAll { $0.isOver }
        if before > 0, exchanges.isEmpty {
            exchanges = []
            turn = 0
            idleDeadline = now.advanced(byMilliseconds: shard.limits.idleMilliseconds)
        }
    }

    // MARK: Ending

    private static let lingerBehindError = Channel.Linger(
        milliseconds: 2_000, silenceMilliseconds: 1_000, bytesMax: 1024 * 1024)

    /// An answer asks for the end of the connection.
    func leave() {
        isLeaving = true
        machine.goAway(.noError)
    }

    private func leaveIfDone() {
        if isLeaving {
            for exchange in exchanges where exchange.isDraining { exchange.endDraining() }
            flushOutput()
        }
        guard exchanges.contains(where: { $0.isOver }) || exchanges.isEmpty else { return }
        removeEnded()
        guard exchanges.isEmpty, isLeaving || hasReadAll, !isOver else { return }
        machine.goAway(.noError)
        flushOutput()
        finish(isPeerSending: isBodyCutOff && !hasReadAll)
    }

    /// Ends the connection because of what has come. The client is listened to until it has read why, and no longer: it may be one that
    /// sends without an end.
    private func end(_ error: HTTP2ConnectionError) {
        guard !isOver else { return }
        let (linger, most) = (channel.linger, Self.lingerBehindError)
        channel.linger = Channel.Linger(
            milliseconds: min(linger.milliseconds, most.milliseconds),
            silenceMilliseconds: min(linger.silenceMilliseconds, most.silenceMilliseconds),
            bytesMax: min(linger.bytesMax, most.bytesMax))
        machine.goAway(error.code, error.reason)
        flushOutput()
        finish(isPeerSending: true)
    }

    private func finish(isPeerSending: Bool) {
        isOver = true
        abandonAll()
        channel.deadline = now.advanced(byMilliseconds: shard.limits.writeStallMilliseconds)
        channel.closeAfterFlush(isPeerSending: isPeerSending)
    }

    private func abandonAll() {
        unread = []
        let all = exchanges
        exchanges = []
        for exchange in all { exchange.abandon() }
        heldBytes = 0
        _ = channel.holdIncoming(0)
        channel.holdBehind(0)
    }

    func channelDidReadAll() {
        guard !isOver else { return }
        hasReadAll = true
        for exchange in exchanges { exchange.clientHasLeft() }
        leaveIfDone()
    }

    func channelWillStop() {
        guard !isOver else { return }
        // What has been sent by now is still answered.
        channel.readNow()
        takeUnread(requestsMax: .max)
        guard !isOver, !channel.isClosed else { return }
        leave()
        flushOutput()
        leaveIfDone()
    }

    func channelDidWrite(_ count: Int) {}

    func channelDidFlush() {
        machine.flushed()
        if !isOver, unread.isEmpty { channel.resumeReading() }
        watch = nil
        watchDeadline = .never
        // In the next turn: a client that reads quickly must not hold this one.
        if exchanges.contains(where: { $0.hasToSend }) { pumpSoon() }
    }

    func channelDidClose(_ reason: ChannelCloseReason) {
        isOver = true
        abandonAll()
    }

    // MARK: Time

    private var outgoing: HTTPAnswerWatch.Outgoing {
        HTTPAnswerWatch.Outgoing(
            waitingBytes: channel.outgoingBytes, deliveredBytes: channel.deliveredBytes,
            blockedSince: channel.blockedSince)
    }

    /// Sets the channel's deadline to the next one of all. Not once the connection is over: a channel that lingers has its own.
    func updateDeadline() {
        guard !isOver, !channel.isClosed else { return }
        if machine.awaitsRest {
            if restDeadline == .never || awaitedHead != machine.headsBegun {
                restDeadline = now.advanced(byMilliseconds: shard.limits.headMilliseconds)
                awaitedHead = machine.headsBegun
            }
        } else {
            restDeadline = .never
        }
        if channel.outgoingBytes > 0, watchDeadline == .never {
            watchDeadline = now.advanced(byMilliseconds: shard.limits.writeStallMilliseconds)
        }
        var next = min(restDeadline, watchDeadline)
        if exchanges.isEmpty { next = min(next, idleDeadline) }
        for exchange in exchanges { next = min(next, exchange.deadline) }
        channel.deadline = next
    }

    func channelDidTimeOut() {
        guard !isOver else { return channel.close(.timedOut) }
        if now >= restDeadline { return end(.init(.enhanceYourCalm, "settings or a head took too long")) }
        if exchanges.isEmpty, now >= idleDeadline { isLeaving = true }
        if now >= watchDeadline, !isClientQuick() { return channel.close(.timedOut) }
        for exchange in exchanges where now >= exchange.deadline { exchange.timeIsUp() }
        guard !channel.isClosed else { return }
        flushOutput()
        leaveIfDone()
        pump()
    }

    /// Returns whether the client takes what was written for it.
    private func isClientQuick() -> Bool {
        watchDeadline = .never
        guard channel.isBlocked else {
            watch = nil
            return true
        }
        if watch == nil {
            watch = HTTPAnswerWatch(shard.rules.answer, outgoing, now: now)
        } else if watch?.isQuickEnough(outgoing, now: now) == false {
            return false
        }
        watchDeadline = watch?.deadline ?? .never
        return true
    }
}
