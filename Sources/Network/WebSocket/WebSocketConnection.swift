/// One client's WebSocket: carries out on its channel what the parser and the state machine answer.
///
/// It belongs to the thread of the channel's loop. What it sends is joined with all else of the loop's turn into one
/// write. A client that falls behind by more than `outboundBytesMax` is closed: it never makes the others wait, nor the
/// server grow.
package final class WebSocketConnection: ChannelHandler, LoopBound, @unchecked Sendable {
    /// The name of the request that became this WebSocket.
    package let identifier: RequestIdentifier
    package let subprotocol: String?
    /// The code of the close frame by which the client hears that the server stops.
    package var stopCode = WebSocketCloseCode.goingAway

    private let channel: Channel
    private let settings: WebSocketSettings
    private let encoder: WebSocketEncoder
    private var parser: WebSocketParser
    private var machine: WebSocketStateMachine
    private var handler: (any WebSocketHandler)?

    /// Takes a channel over behind its 101 answer.
    package init(
        _ channel: Channel, identifier: RequestIdentifier, agreement: WebSocketHandshake.Agreement,
        settings: WebSocketSettings, handler: any WebSocketHandler
    ) {
        self.channel = channel
        self.identifier = identifier
        self.settings = settings
        self.handler = handler
        subprotocol = agreement.subprotocol
        encoder = WebSocketEncoder(compression: agreement.compression, settings: settings)
        parser = WebSocketParser(
            role: .server, settings: settings, isCompressionAgreed: agreement.compression != nil)
        machine = WebSocketStateMachine(settings: settings, now: channel.loop.now)
        channel.deadline = machine.deadline
        handler.webSocketDidOpen(self)
    }

    package var loop: EventLoop { channel.loop }

    package var peer: SocketAddress { channel.peer }

    /// True if messages can be sent. Sending to a WebSocket that is over does nothing.
    package var isOpen: Bool { machine.isOpen }

    /// Bytes that wait for the client to take them.
    package var outboundBytes: Int { channel.outgoingBytes }

    // MARK: Sending

    package func send(text: String) {
        send(.text, Array(text.utf8))
    }

    /// Sends a message; text has to be UTF-8.
    package func send(_ kind: WebSocketMessage.Kind, _ bytes: [UInt8]) {
        checkLoop()
        guard hasRoom(for: bytes.count) else { return }
        channel.write { output in
            bytes.withUnsafeBytes { encoder.append(kind, $0, to: &output, with: &loop.compression) }
        }
    }

    /// Sends messages whose beginning is for this client only. Answers false when the client is too slow: more than
    /// `waitingBytesMax` would wait for it.
    ///
    /// Hot path. At once, they leave in a write of their own, from memory that the next client uses again; otherwise they
    /// are joined with all else of the turn.
    package func send(
        head: [UInt8], _ messages: inout WebSocketFanOut, waitingBytesMax: Int, isAtOnce: Bool
    ) -> Bool {
        checkLoop()
        guard machine.isOpen else { return true }
        messages.address(head, encoder, with: &loop.compression)
        let bytes = messages.frames.count
        if isAtOnce {
            guard !channel.isBlocked || channel.outgoingBytes + bytes <= waitingBytesMax else { return false }
            channel.writeNow(messages.frames)
            return channel.outgoingBytes <= waitingBytesMax
        }
        if channel.outgoingBytes + bytes > waitingBytesMax {
            // What waits only for the end of the turn does not wait for the client.
            channel.flushNow()
            guard channel.outgoingBytes + bytes <= waitingBytesMax else { return false }
        }
        channel.write { $0.append(contentsOf: messages.frames) }
        return true
    }

    /// Says goodbye. The connection ends when the client has answered, or after a while.
    package func close(_ close: WebSocketClose) {
        checkLoop()
        switch machine.close(close, now: loop.now) {
        case .sendClose(let close): say(close)
        case .nothing: break
        }
        channel.deadline = machine.deadline
    }

    private func hasRoom(for bytes: Int) -> Bool {
        guard machine.isOpen else { return false }
        let waiting = channel.outgoingBytes + bytes + WebSocketEncoder.headerBytesMax
        guard waiting <= settings.outboundBytesMax else {
            close(
                WebSocketClose(
                    .policyViolation, "too slow: more than \(settings.outboundBytesMax) bytes wait to be read"))
            return false
        }
        return true
    }

    /// Sends our close frame and tells the application.
    private func say(_ close: WebSocketClose) {
        channel.write { encoder.appendClose(close, to: &$0) }
        tell(.closedByUs(close))
    }

    private func tell(_ ending: WebSocketEnding) {
        guard let handler else { return }
        self.handler = nil
        handler.webSocketDidClose(self, ending)
    }

    // MARK: Reading

    package func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        machine.heard(now: loop.now)
        var position = 0
        do throws(WebSocketViolation) {
            while let event = try parser.next(bytes, at: &position) {
                try act(on: machine.received(event, now: loop.now))
            }
        } catch {
            violated(error)
        }
        if !channel.holdIncoming(parser.heldBytes) {
            parser.abandon()
            _ = channel.holdIncoming(0)
            violated(.noRoom)
        }
        channel.deadline = machine.deadline
    }

    private func act(on action: WebSocketStateMachine.EventAction) throws(WebSocketViolation) {
        switch action {
        case .deliver(let message):
            let whole = try message.inflated(by: &loop.compression, bytesMax: settings.messageBytesMax)
            switch whole.kind {
            case .text: handler?.webSocket(self, didReceiveText: whole.bytes)
            case .binary: handler?.webSocket(self, didReceiveBinary: whole.bytes)
            }
        case .sendPong(let payload):
            guard hasRoom(for: payload.count) else { return }
            channel.write { encoder.appendPong(payload, to: &$0) }
        case .answerClose(let close):
            channel.write { encoder.appendClose(WebSocketClose(close.code), to: &$0) }
            tell(.closedByPeer(close))
            channel.closeAfterFlush(isPeerSending: true)
        case .endConnection:
            // Both have said their last: nothing can come that would have to be waited for.
            channel.closeAfterFlush(isPeerSending: false)
        case .nothing:
            break
        }
    }

    private func violated(_ violation: WebSocketViolation) {
        switch machine.violated(violation, now: loop.now) {
        case .sendClose(let close):
            say(close)
            channel.closeAfterFlush(isPeerSending: true)
        case .endConnection:
            channel.closeAfterFlush(isPeerSending: true)
        case .nothing:
            break
        }
    }

    package func channelDidReadAll() {
        channel.close(.peerGone)
    }

    // MARK: Time and ending

    package func channelDidTimeOut() {
        switch machine.timeIsUp(now: loop.now) {
        case .wait: break
        case .sendPing(let payload): channel.write { encoder.appendPing(payload, to: &$0) }
        case .sendClose(let close): say(close)
        case .abandon: return channel.close(.timedOut)
        }
        channel.deadline = machine.deadline
    }

    package func channelWillStop() {
        close(WebSocketClose(stopCode, "the server stops"))
    }

    package func channelDidWrite(_ count: Int) {}

    package func channelDidFlush() {}

    package func channelDidClose(_ reason: ChannelCloseReason) {
        switch machine.connectionLost() {
        case .tell: tell(.lost)
        case .nothing: handler = nil
        }
    }
}
