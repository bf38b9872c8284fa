import HTTP2

/// The part of a server that lives on one event loop: its listeners, its connections, and what they share.
final class HTTPServerShard: ChannelOwner, LoopBound, @unchecked Sendable {
    let loop: EventLoop
    let application: any HTTPApplication
    let limits: HTTPLimits
    let unreadField: String?
    let writer: HTTPResponseWriter
    /// The heads that came last, for all connections of the loop.
    let heads = HeadMemory()
    let rules: HTTPConnectionMachine.Rules
    /// The limits of HTTP/2, made for the first connection that speaks it.
    private(set) lazy var http2Limits = HTTP2Limits(limits)
    private let options: HTTPServerOptions
    private var tls: ReloadableTLSContext? { options.tls }
    private var handshakes: HandshakeTable
    private let counter: HTTPConnectionCounter
    private let bounds: SharedBounds
    private let report: @Sendable (SystemError) -> Void
    private var listeners: [Listener] = []
    private var channels: [ObjectIdentifier: Channel] = [:]
    private var upgraded: Set<ObjectIdentifier> = []
    private var identifiers = IdentifierGenerator()
    private var date = HTTPDate()
    private var isStopping = false
    private var cutOff = 0
    private var whenEmpty: (() -> Void)?

    init(
        loop: EventLoop, of loops: Int, application: any HTTPApplication, options: HTTPServerOptions,
        counter: HTTPConnectionCounter, bounds: SharedBounds
    ) {
        self.loop = loop
        self.application = application
        limits = options.limits
        unreadField = options.unreadField
        rules = HTTPConnectionMachine.Rules(limits)
        writer = HTTPResponseWriter(identifierField: options.identifierField)
        report = options.report
        self.options = options
        handshakes = HandshakeTable(max: options.limits.handshakesPerLoop(of: loops))
        self.counter = counter
        self.bounds = bounds
    }

    /// Begins to accept from a listening socket. Called from outside of the loop.
    func begin(_ descriptor: consuming FileDescriptor) async throws(SystemError) {
        let raw = descriptor.release()
        let outcome = await loop.run { [self] in
            Result { () throws(SystemError) in try listen(FileDescriptor(owning: raw)) }
        }
        try outcome.get()
    }

    private func listen(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        checkLoop()
        let listener = try Listener(
            descriptor, on: loop,
            accepted: { [unowned self] descriptor, peer in accept(descriptor, peer) },
            failed: { [unowned self] in report($0) })
        listeners.append(listener)
    }

    private func accept(_ descriptor: consuming FileDescriptor, _ peer: SocketAddress) {
        checkLoop()
        guard !isStopping else { return }
        Socket.setNoDelay(descriptor.raw)
        do throws(SystemError) {
            let channel = try Channel(descriptor, offering: tls?.current, peer: peer, on: loop)
            channels[ObjectIdentifier(channel)] = channel
            channel.owner = self
            channel.handshakeMilliseconds = limits.headMilliseconds
            channel.bounds = bounds
            channel.linger = Channel.Linger(
                milliseconds: limits.lingerMilliseconds, silenceMilliseconds: limits.lingerSilenceMilliseconds,
                bytesMax: limits.lingerBytes)
            let connection = HTTPServerConnection(channel: channel, shard: self)
            channel.handler = connection
            application.connectionOpened(on: loop.index)
            if !counter.enter(max: limits.connections) { connection.refuse() }
        } catch {
            report(error)
        }
    }

    /// Returns whether what comes in clear over a channel is refused.
    func refusesPlain(_ channel: Channel) -> Bool { !channel.isSecure && options.refusesPlain(from: channel.peer) }

    func channelBeginsHandshake(_ channel: Channel) {
        handshakes.begin(channel)?.close(.timedOut)
    }

    func channelEndsHandshake(_ channel: Channel) { handshakes.end(channel) }

    func channelIsUpgraded(_ channel: Channel) {
        upgraded.insert(ObjectIdentifier(channel))
        application.connectionUpgraded(on: loop.index)
    }

    func exchange(for head: HTTPRequestHead?, peer: SocketAddress) -> HTTPExchange {
        HTTPExchange(
            identifier: RequestIdentifier(using: &identifiers), head: head, peer: peer, loop: loop.index,
            began: loop.now)
    }

    /// The answer as it is sent: compressed when the client asks for that and it is worth the time.
    func compressed(_ response: HTTPResponse, for head: HTTPRequestHead?) -> HTTPResponse {
        guard let bytes = Self.compressible(response, for: head) else { return response }
        var compressed: [UInt8] = []
        guard bytes.withUnsafeBytes({ loop.compression.gzip($0, into: &compressed) }) else { return response }
        return Self.compressed(response, compressed)
    }

    /// The same for a body that is too long for one turn of the loop; nil for any other.
    static func longCompression(of response: HTTPResponse, for head: HTTPRequestHead?) -> LongCompression? {
        guard let bytes = compressible(response, for: head), bytes.count >= LongCompression.bodyBytesMin else {
            return nil
        }
        return LongCompression(bytes)
    }

    /// Whether the client asks for a compressed body and this one may be compressed.
    static func isCompressible(_ response: HTTPResponse, for head: HTTPRequestHead?) -> Bool {
        compressible(response, for: head) != nil
    }

    private static func compressible(_ response: HTTPResponse, for head: HTTPRequestHead?) -> [UInt8]? {
        guard case .bytes(let bytes, isCompressible: true) = response.body,
            bytes.count >= CompressionLimits.responseBytesMin,
            let accepted = head?.fields["accept-encoding"], ContentCoding.isGzipAccepted(by: accepted)
        else { return nil }
        return bytes
    }

    static func compressed(_ response: HTTPResponse, _ compressed: [UInt8]) -> HTTPResponse {
        var response = response
        response.fields.append("content-encoding", "gzip")
        response.fields.append("vary", "accept-encoding")
        response.body = .bytes(compressed)
        return response
    }

    func dateLine() -> [UInt8] {
        date.line(at: loop.now)
    }

    func channelIsClosed(_ channel: Channel) {
        checkLoop()
        handshakes.end(channel)
        guard channels.removeValue(forKey: ObjectIdentifier(channel)) != nil else { return }
        counter.leave()
        application.connectionClosed(on: loop.index, wasUpgraded: upgraded.remove(ObjectIdentifier(channel)) != nil)
        if channels.isEmpty { whenEmpty?() }
    }

    /// Takes no new connections, lets the open ones finish until the limit, then closes them. Answers how many it cut
    /// off. Called from outside of the loop.
    func stop() async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in beginToStop(continuation) }
        }
    }

    /// How long a client that is still sending is listened to when the server stops.
    private static let lingerMillisecondsAtStop = 2000

    private func beginToStop(_ continuation: CheckedContinuation<Int, Never>) {
        checkLoop()
        for listener in listeners {
            // Who has got as far as the kernel's queue is still served.
            listener.pollTargetIsReady(.readable)
            listener.close()
        }
        listeners = []
        isStopping = true
        let timeout = loop.schedule(at: loop.now.advanced(byMilliseconds: limits.stopMilliseconds)) { [self] in
            cutOff = channels.count
            for channel in Array(channels.values) { channel.close(.stopping) }
        }
        whenEmpty = { [self] in
            whenEmpty = nil
            loop.cancel(timeout)
            continuation.resume(returning: cutOff)
        }
        for channel in Array(channels.values) {
            channel.lingerNoLonger(than: Self.lingerMillisecondsAtStop)
            channel.handler?.channelWillStop()
        }
        if channels.isEmpty { whenEmpty?() }
    }
}
