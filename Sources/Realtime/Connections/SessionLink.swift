import Network

/// A client's WebSocket as the protocols see it: frames out, with a bound to what waits, signs of life, and the caller.
///
/// The protocols' sessions differ in what they say; what they have in common is here.
final class SessionLink: KeepAliveMember {
    let socket: WebSocketConnection
    let shard: RealtimeShard
    private let framing: EventFraming
    private let opened: MonotonicTime
    private var place: KeepAliveWheel.Place?
    private var initTimer: TimerToken?
    private var expiryTimer: TimerToken?
    private var closeTimer: TimerToken?
    private var isOver = false
    /// Whether the client counts on signs of life in messages.
    private var saysKeepAlive = false

    init(_ socket: WebSocketConnection, _ shard: RealtimeShard, _ framing: EventFraming) {
        self.socket = socket
        self.shard = shard
        self.framing = framing
        opened = socket.loop.now
    }

    // MARK: Frames

    func send(_ bytes: [UInt8]) {
        if hasRoom(for: bytes.count) { socket.send(.text, bytes) }
    }

    /// Hot path.
    func carry(_ batch: EventBatch, to subscriber: Subscriber) {
        let isQuickEnough = socket.send(
            head: subscriber.head, batch.frames(framing), waitingBytesMax: shard.limits.outboundBytes,
            isAtOnce: batch.isWhole)
        if !isQuickEnough { closeSlow() }
    }

    var lane: EventLane? { socket.lane.map { EventLane(socket: $0, framing: framing) } }

    func laneIsFull() {
        if socket.outboundBytes > shard.limits.outboundBytes { closeSlow() }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        guard socket.isOpen else { return false }
        guard socket.outboundBytes + bytes + WebSocketEncoder.headerBytesMax > shard.limits.outboundBytes else {
            return true
        }
        closeSlow()
        return false
    }

    private func closeSlow() {
        shard.counters.add(1, to: .slowCloses)
        socket.close(
            WebSocketClose(
                .policyViolation, "too slow: more than \(shard.limits.outboundBytes) bytes wait to be read"))
    }

    // MARK: Time

    /// Calls once after a while, in place of what was to be called before.
    func afterInit(milliseconds: Int, _ action: @escaping () -> Void) {
        cancelInitTimer()
        guard !isOver else { return }
        initTimer = socket.loop.schedule(at: socket.loop.now.advanced(byMilliseconds: milliseconds)) { [weak self] in
            self?.initTimer = nil
            action()
        }
    }

    func cancelInitTimer() {
        if let initTimer { socket.loop.cancel(initTimer) }
        initTimer = nil
    }

    /// Calls when what proved a caller has run out; at once if it has.
    func whenExpired(_ caller: RealtimeCaller, _ action: @escaping () -> Void) {
        guard let expiry = caller.expiresAtMilliseconds, !isOver else { return }
        let left = max(0, expiry - ConnectionOperations.wallClockMilliseconds)
        expiryTimer = socket.loop.schedule(
            at: socket.loop.now.advanced(byMilliseconds: Int(clamping: left))
        ) { [weak self] in
            self?.expiryTimer = nil
            action()
        }
    }

    /// Signs of life from now on, the first at once where the protocol has them.
    func startKeepAlive(isSaid: Bool) {
        guard !isOver else { return }
        saysKeepAlive = isSaid
        if isSaid { send(ServerFrame.keepAlive) }
        if place == nil { place = shard.enter(self) }
    }

    func keepAlive(now: MonotonicTime) {
        guard now < opened.advanced(byMilliseconds: shard.limits.connectionSeconds * 1_000) else {
            return close(WebSocketClose(.normal, "the connection has lived its \(shard.limits.connectionSeconds) s"))
        }
        if saysKeepAlive { send(ServerFrame.keepAlive) }
    }

    // MARK: Ending

    func close(_ close: WebSocketClose) {
        socket.close(close)
    }

    /// Sends an error that ends the connection, and ends it a moment later.
    func fail(_ bytes: [UInt8]) {
        send(bytes)
        guard !isOver, closeTimer == nil else { return }
        closeTimer = socket.loop.schedule(
            at: socket.loop.now.advanced(byMilliseconds: shard.limits.closeAfterErrorMilliseconds)
        ) { [weak self] in
            self?.closeTimer = nil
            self?.close(WebSocketClose(.policyViolation, "connection_error"))
        }
    }

    /// The connection is over: nothing will call any more.
    func end() {
        isOver = true
        cancelInitTimer()
        for timer in [expiryTimer, closeTimer].compactMap(\.self) { socket.loop.cancel(timer) }
        (expiryTimer, closeTimer) = (nil, nil)
        if let place { shard.leave(place) }
        place = nil
    }

    // MARK: Log

    func reportRefusal(_ refusal: RealtimeRefusal) {
        shard.counters.add(1, to: .denials)
        shard.report(
            .refused(socket.identifier, errorType: refusal.errorType, message: refusal.message))
    }

    func reportDenial(_ failure: OperationFailure) {
        guard let first = failure.entries.first else { return }
        shard.report(
            .denied(socket.identifier, errorType: first.errorType ?? "ValidationError", message: first.message))
    }
}
