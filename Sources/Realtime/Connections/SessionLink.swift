import Access
import JSON
import Network

/// A client's WebSocket as the protocols see it: frames out, with a bound to what waits, signs of life, the caller and its
/// operations.
///
/// The protocols' sessions differ in what they say; what they have in common is here.
final class SessionLink: KeepAliveMember, EventCarrier, LoopBound, @unchecked Sendable {
    let socket: WebSocketConnection
    var loop: EventLoop { socket.loop }
    let shard: RealtimeShard
    let operations: ConnectionOperations
    private let framing: EventFraming
    /// What the handshake showed, until the gate has been asked.
    private var credentials: RealtimeCredentials?
    /// What a signature may be over.
    private let authority: String?
    private let isFromThisMachine: Bool
    /// Who is calling, once the gate has said so.
    private(set) var caller: Identity?
    private let opened: MonotonicTime
    private var place: KeepAliveWheel.Place?
    private var initTimer: TimerToken?
    private var closeTimer: TimerToken?
    private var isOver = false
    /// Nil but under tests.
    private var held: HeldFrames?
    /// Whether the client counts on signs of life in messages.
    private var saysKeepAlive = false
    /// The code of the close frame when the connection has lived as long as it may.
    private let endOfLifeCode: WebSocketCloseCode
    /// The same behind an error that ends the connection.
    private let errorCode: WebSocketCloseCode
    /// What may wait for the client to take it.
    private let outboundBytesMax: Int

    init(
        _ socket: WebSocketConnection, _ shard: RealtimeShard, _ framing: EventFraming,
        _ credentials: RealtimeCredentials, protocolName: String, endOfLifeCode: WebSocketCloseCode,
        errorCode: WebSocketCloseCode, outboundBytesMax: Int
    ) {
        self.errorCode = errorCode
        self.outboundBytesMax = outboundBytesMax
        self.socket = socket
        self.endOfLifeCode = endOfLifeCode
        self.shard = shard
        self.framing = framing
        self.credentials = credentials
        authority = credentials.authority
        isFromThisMachine = credentials.areFromThisMachine
        operations = ConnectionOperations(
            shard, by: OperationCarrier(identifier: socket.identifier, name: protocolName))
        opened = socket.loop.now
    }

    /// A session begins, or takes over from another one.
    func begin(_ session: any RealtimeSession, runsEverything: Bool) {
        operations.belong(to: session, runsEverything: runsEverything)
    }

    // MARK: Who is calling

    /// Whether the handshake shows a caller whom the gate has not been asked about.
    var showsCaller: Bool { credentials?.tellsSomething == true }

    /// Asks the gate who is calling: by the handshake, or by the fields of a message where that has shown nobody. `then`
    /// gets the reason when the caller is refused. `asking` is another gate than that of GraphQL.
    func identify(
        _ fields: [CredentialField],
        asking: (@Sendable (RealtimeCredentials) async -> Identification)? = nil,
        then: @escaping @Sendable (RealtimeRefusal?) -> Void
    ) {
        var shown =
            credentials
            ?? RealtimeCredentials(fields: [], authority: authority, areFromThisMachine: isFromThisMachine)
        credentials = nil
        if !shown.tellsSomething { shown.fields += fields.map { ($0.name.inLowerCaseASCII, $0.value) } }
        Task(executorPreference: shard.loop) { [self, shown] in
            let answer = if let asking { await asking(shown) } else { await shard.gate.identify(shown) }
            switch answer {
            case .accepted(let caller):
                self.caller = caller
                operations.rest(on: caller)
                then(nil)
            case .refused(let refusal):
                shard.counters.add(1, to: .denials)
                shard.report(
                    .refused(
                        socket.identifier, errorType: refusal.errorType, message: refusal.reason ?? refusal.message))
                then(refusal)
            }
        }
    }

    // MARK: Operations

    /// Runs an operation for the caller that it shows itself, or else for the connection's.
    func run(_ start: OperationStart) {
        if let replaced = start.replaced { operations.stop(replaced) }
        let asker = asker(of: start)
        if start.isRepeated { operations.runAgain(start, for: asker) } else { operations.run(start, for: asker) }
    }

    /// What a message of the client shows, with what the connection knows beside.
    func credentials(_ fields: [(name: String, value: String)], signed: [UInt8]) -> RealtimeCredentials {
        var credentials = RealtimeCredentials(
            fields: fields, purpose: .operation(String(decoding: signed, as: UTF8.self)), authority: authority,
            areFromThisMachine: isFromThisMachine)
        credentials.peer = socket.peer.hostText
        return credentials
    }

    private func asker(of start: OperationStart) -> ConnectionOperations.Asker {
        guard start.credentials == nil, let caller else {
            var credentials = start.credentials ?? RealtimeCredentials(fields: [])
            credentials.authority = authority
            credentials.areFromThisMachine = isFromThisMachine
            return .shown(credentials)
        }
        return .known(caller)
    }

    /// Sends the frames that tell what became of an operation.
    func send(_ frames: [[UInt8]], after outcome: ConnectionOperations.Outcome) {
        if case .failed(let failure) = outcome, let first = failure.entries.first {
            shard.report(
                .denied(socket.identifier, errorType: first.errorType ?? "ValidationError", message: first.message))
        }
        for frame in frames { send(frame) }
    }

    var hasOneSubscription: Bool { operations.count == 1 }

    // MARK: Frames

    func send(_ bytes: [UInt8]) {
        checkLoop()
        guard let faults = shard.faults else { return sendNow(bytes) }
        switch Self.type(of: bytes).flatMap(faults) {
        case .lose?: return
        case .delay(let milliseconds)?: hold(bytes.count, milliseconds) { $0.sendNow(bytes) }
        case nil: hold(bytes.count, 0) { $0.sendNow(bytes) }
        }
    }

    private func sendNow(_ bytes: [UInt8]) {
        if hasRoom(for: bytes.count) { socket.send(.text, bytes) }
    }

    /// Sends something behind what tests have delayed, at once where that is nothing.
    private func hold(_ bytes: Int, _ milliseconds: Int64, _ send: @escaping (SessionLink) -> Void) {
        guard milliseconds > 0 || !(held?.isEmpty ?? true) else { return send(self) }
        let frames = held ?? HeldFrames(on: loop)
        held = frames
        guard frames.bytes + bytes <= outboundBytesMax else { return closeSlow() }
        frames.hold(bytes, milliseconds: milliseconds) { [weak self] in
            if let self, !isOver { send(self) }
        }
    }

    /// What a frame calls itself.
    private static func type(of frame: [UInt8]) -> String? { (try? JSONReader.value(of: frame))?["type"]?.string }

    /// Hot path.
    func carry(_ batch: EventBatch, _ head: [UInt8]) {
        checkLoop()
        guard let faults = shard.faults else { return carryNow(batch, head) }
        var longest: Int64 = 0
        let left = batch.without { _ in
            switch faults(framing.type) {
            case .lose?: return true
            case .delay(let milliseconds)?: longest = max(longest, milliseconds)
            case nil: break
            }
            return false
        }
        hold(head.count, longest) { $0.carryNow(left, head) }
    }

    private func carryNow(_ batch: EventBatch, _ head: [UInt8]) {
        let isQuickEnough = batch.send(head, framing, to: socket, waitingBytesMax: outboundBytesMax)
        if !isQuickEnough { closeSlow() }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        guard socket.isOpen else { return false }
        guard socket.outboundBytes + bytes + WebSocketEncoder.headerBytesMax > outboundBytesMax else {
            return true
        }
        closeSlow()
        return false
    }

    private func closeSlow() {
        shard.counters.add(1, to: .slowCloses)
        socket.close(
            WebSocketClose(
                .policyViolation, "too slow: more than \(outboundBytesMax) bytes wait to be read"))
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

    /// Signs of life from now on, the first at once where the protocol has it so.
    func startKeepAlive(isSaid: Bool, isSaidAtOnce: Bool = true) {
        guard !isOver else { return }
        saysKeepAlive = isSaid
        if isSaid, isSaidAtOnce { send(ServerFrame.keepAlive) }
        if place == nil { place = shard.enter(self) }
    }

    func keepAlive(now: MonotonicTime) {
        checkLoop()
        guard now < opened.advanced(byMilliseconds: shard.limits.connectionSeconds * 1_000) else {
            return close(
                WebSocketClose(endOfLifeCode, "the connection has lived its \(shard.limits.connectionSeconds) s"))
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
            guard let self else { return }
            closeTimer = nil
            close(WebSocketClose(errorCode, "connection_error"))
        }
    }

    /// The connection is over: nothing will call any more.
    func end() {
        checkLoop()
        isOver = true
        held?.drop()
        operations.end()
        cancelInitTimer()
        if let closeTimer { socket.loop.cancel(closeTimer) }
        closeTimer = nil
        if let place { shard.leave(place) }
        place = nil
    }
}
