/// A connection to a mail server, over which mails are sent one after the other.
///
/// It carries out what its `SMTPConversation` says. A task that is cancelled while it waits here ends the connection, but for
/// one moment: the answer to a mail that has left completely is waited for, for a while.
package final class SMTPConnection: LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    private let client: SMTPClient
    private var conversation: SMTPConversation?
    private var connector: SocketConnector?
    private var connectTimer: TimerToken?
    private var channel: Channel?
    private var waiting: CheckedContinuation<SMTPConversation.Outcome, Never>?
    /// Why it is not to be used any more.
    private var end: MailFailure?
    /// The callers that wait for the socket to be closed.
    private var leaving: [CheckedContinuation<Void, Never>] = []

    init(by client: SMTPClient) {
        self.client = client
        loop = client.loop
    }

    func open() async throws(MailFailure) {
        try Self.check(await outcome { $0.connect() })
    }

    /// Sends a mail. An error that ends the connection, or that of a task which was cancelled, leaves it closed.
    package func send(_ message: MailMessage) async throws(MailFailure) { try await send(SMTPEnvelope(message)) }

    func send(_ envelope: SMTPEnvelope) async throws(MailFailure) {
        try Self.check(await outcome { $0.run($0.conversation?.send(envelope, now: .now)) })
    }

    /// True if another mail can be sent. Called on the loop.
    package var isOpen: Bool {
        checkLoop()
        return conversation?.isReady ?? false
    }

    /// Says goodbye, and waits until the connection is closed.
    package func quit() async {
        await withCheckedContinuation { continuation in
            onLoop {
                guard self.channel != nil else { return continuation.resume() }
                self.leaving.append(continuation)
                self.run(self.conversation?.quit(now: .now))
            }
        }
    }

    // MARK: Who waits

    /// Begins something on the loop, and waits for what is told of it.
    private func outcome(
        of begin: @escaping @Sendable (SMTPConnection) -> Void
    ) async -> SMTPConversation.Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                onLoop {
                    if let end = self.end { return continuation.resume(returning: .failed(end)) }
                    guard self.waiting == nil else {
                        return continuation.resume(returning: .failed(MailFailure(.cancelled)))
                    }
                    self.waiting = continuation
                    begin(self)
                }
            }
        } onCancel: {
            loop.execute { self.stop() }
        }
    }

    private static func check(_ outcome: SMTPConversation.Outcome) throws(MailFailure) {
        if case .failed(let failure) = outcome { throw failure }
    }

    private func onLoop(_ action: @escaping @Sendable () -> Void) {
        if loop.isCurrent { action() } else { loop.execute(action) }
    }

    private func tell(_ outcome: SMTPConversation.Outcome) {
        if case .failed(let failure) = outcome, failure.endsConnection, end == nil { end = failure }
        let waiting = self.waiting
        self.waiting = nil
        waiting?.resume(returning: outcome)
    }

    private func stop() {
        checkLoop()
        guard conversation != nil else { return fail(.cancelled) }
        run(conversation?.stop(now: .now))
    }

    // MARK: Opening

    private func connect() {
        let connector = SocketConnector(on: loop, addressesMax: client.limits.addresses) { [self] descriptor, peer in
            isConnected(descriptor, to: peer)
        } failed: { [self] error in
            switch error {
            case .lookup(let error): fail(.lookup(error))
            case .connect(let error): fail(.connect(error))
            }
        }
        self.connector = connector
        let milliseconds = client.limits.connectMilliseconds
        connectTimer = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds)) { [self] in
            connectTimer = nil
            fail(.timedOut(.connecting, milliseconds: milliseconds))
        }
        connector.start(client.server.host, port: client.server.port, resolver: client.resolver)
    }

    private func isConnected(_ descriptor: consuming FileDescriptor, to peer: SocketAddress) {
        endConnecting()
        do throws(MailFailure) {
            let channel = try channel(over: descriptor, at: peer)
            let conversation = SMTPConversation(settings(of: channel), now: .now)
            channel.handler = self
            channel.deadline = conversation.deadline
            self.channel = channel
            self.conversation = consume conversation
            // With TLS the client has to begin, and the server's greeting is the first that is said.
            if channel.isSecure { channel.readNow() }
        } catch {
            fail(error.reason)
        }
    }

    private func channel(
        over descriptor: consuming FileDescriptor, at peer: SocketAddress
    ) throws(MailFailure) -> Channel {
        let transport: Transport
        if client.server.isSecure {
            let context = try context()
            do {
                transport = try Transport(descriptor, securedBy: context, host: client.server.host)
            } catch {
                throw MailFailure(.insecure(error))
            }
        } else {
            transport = Transport(descriptor)
        }
        do {
            return try Channel(transport, peer: peer, on: loop)
        } catch {
            throw MailFailure(.connect(error))
        }
    }

    private func context() throws(MailFailure) -> TLSContext {
        do {
            return try client.tls.context()
        } catch {
            throw MailFailure(.configuration(error))
        }
    }

    private func settings(of channel: Channel) -> SMTPConversation.Settings {
        let isLocal = channel.peer.isLoopback
        var settings = SMTPConversation.Settings()
        settings.clientName = Self.name(of: channel.localAddress)
        settings.credentials = client.server.credentials
        settings.isLocal = isLocal
        settings.limits = client.limits
        settings.security =
            switch (client.server.isSecure, client.server.startTLS) {
            case (true, _): .secured
            case (false, .always): .upgraded
            case (false, .unlessLocal): isLocal ? .clear : .upgraded
            case (false, .never): .clear
            }
        return settings
    }

    /// Our end as a mail server wants it called: by its address, since it may have no name (RFC 5321, 4.1.3).
    private static func name(of address: SocketAddress?) -> String {
        switch address?.host {
        case .version4: "[\(address?.hostText ?? "")]"
        case .version6: "[IPv6:\(address?.hostText ?? "")]"
        case nil: "localhost"
        }
    }

    private func endConnecting() {
        if let connectTimer { loop.cancel(connectTimer) }
        connectTimer = nil
        connector?.cancel()
        connector = nil
    }

    /// It ends before a conversation has begun.
    private func fail(_ reason: MailFailure.Reason) {
        checkLoop()
        endConnecting()
        tell(.failed(MailFailure(reason)))
    }

    // MARK: What the conversation says

    private func run(_ actions: [SMTPConversation.Action]?) {
        checkLoop()
        for action in actions ?? [] {
            switch action {
            case .send(let bytes): channel?.write { $0.append(contentsOf: bytes) }
            case .secure:
                guard secure() else { return }
            case .tell(let outcome): tell(outcome)
            case .close: close()
            }
        }
        if let deadline = conversation?.deadline { channel?.deadline = deadline }
    }

    private func close() {
        if end == nil { end = MailFailure(.closed(.rest)) }
        channel?.close(.done)
    }

    private func secure() -> Bool {
        do throws(MailFailure) {
            let context = try context()
            do {
                try channel?.secure(by: context, host: client.server.host)
            } catch {
                throw MailFailure(.insecure(error))
            }
            return true
        } catch {
            run(conversation?.lost(error.reason))
            return false
        }
    }
}

extension SMTPConnection: ChannelHandler {
    package func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        run(conversation?.received(Array(bytes), now: .now))
    }

    package func channelDidReadAll() { run(conversation?.lost()) }

    package func channelDidWrite(_ count: Int) {}

    package func channelDidFlush() {
        conversation?.flushed(now: .now)
        if let deadline = conversation?.deadline { channel?.deadline = deadline }
    }

    package func channelDidTimeOut() { run(conversation?.timeIsUp(now: .now)) }

    package func channelWillStop() { stop() }

    package func channelDidClose(_ reason: ChannelCloseReason) {
        channel = nil
        if let stage = conversation?.stage { run(conversation?.lost(Self.reason(of: reason, at: stage))) }
        let leaving = self.leaving
        self.leaving = []
        for continuation in leaving { continuation.resume() }
    }

    private static func reason(of reason: ChannelCloseReason, at stage: SMTPStage) -> MailFailure.Reason {
        switch reason {
        case .done, .peerGone, .timedOut, .stopping: .closed(stage)
        case .failed(.system(let error)): .broken(error, stage)
        case .failed(.tls(.truncated)): .closed(stage)
        case .failed(.tls(let error)): .insecure(error)
        }
    }
}
