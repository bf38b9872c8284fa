/// The life of a WebSocket after its opening handshake: pings, the close handshake, and time.
///
///     open ──── we close ────▶ closing ──── peer answers, or time is up ────▶ ended
///       └──── peer closes, breaks the protocol, or vanishes ─────────────────▶ ended
///
/// Each event is a method that answers with what is to be done. The application hears of the end with the answer that
/// leaves `open`: from then on nothing can be sent and nothing is delivered.
package struct WebSocketStateMachine: ~Copyable {
    private enum State {
        case open, closing, ended
    }

    private let settings: WebSocketSettings
    private var state = State.open
    private var lastHeard: MonotonicTime
    private var isPingUnanswered = false

    /// When `timeIsUp` has something to do next.
    package private(set) var deadline: MonotonicTime

    package init(settings: WebSocketSettings, now: MonotonicTime) {
        self.settings = settings
        lastHeard = now
        deadline = now.advanced(byMilliseconds: settings.pingAfterMilliseconds)
    }

    /// True if messages may be sent.
    package var isOpen: Bool { state == .open }

    /// The peer sent something, be it half a frame: it is alive.
    package mutating func heard(now: MonotonicTime) {
        guard state == .open else { return }
        lastHeard = now
        isPingUnanswered = false
        deadline = now.advanced(byMilliseconds: settings.pingAfterMilliseconds)
    }

    package enum EventAction: Hashable, Sendable {
        case deliver(WebSocketMessage)
        case sendPong([UInt8])
        /// Send the code back, tell the application, end the connection.
        case answerClose(WebSocketClose)
        /// Both sides have said that it is over.
        case endConnection
        case nothing
    }

    package mutating func received(_ event: consuming WebSocketParser.Event, now: MonotonicTime) -> EventAction {
        switch (state, event) {
        case (.open, .message(let message)):
            return .deliver(message)
        case (.open, .ping(let payload)):
            return .sendPong(payload)
        case (.open, .close(let close)):
            end(now: now)
            return .answerClose(close)
        case (.closing, .close):
            end(now: now)
            return .endConnection
        case (_, .pong), (.closing, _), (.ended, _):
            return .nothing
        }
    }

    package enum ViolationAction: Hashable, Sendable {
        /// Send the frame, tell the application, end the connection.
        case sendClose(WebSocketClose)
        case endConnection
        case nothing
    }

    /// The peer broke the protocol or a limit. What it sends further cannot be understood.
    package mutating func violated(_ violation: WebSocketViolation, now: MonotonicTime) -> ViolationAction {
        let wasIn = state
        end(now: now)
        switch wasIn {
        case .open: return .sendClose(violation.close)
        case .closing: return .endConnection
        case .ended: return .nothing
        }
    }

    package enum CloseAction: Hashable, Sendable {
        /// Send the frame, tell the application, and wait for the peer's answer.
        case sendClose(WebSocketClose)
        case nothing
    }

    /// We close: the application wants it, the server stops, or the client is too slow.
    package mutating func close(_ close: WebSocketClose, now: MonotonicTime) -> CloseAction {
        guard state == .open else { return .nothing }
        state = .closing
        deadline = now.advanced(byMilliseconds: settings.closeMillisecondsMax)
        return .sendClose(close)
    }

    package enum TimeAction: Hashable, Sendable {
        case wait
        case sendPing([UInt8])
        /// Send the frame, tell the application, and wait for the peer's answer.
        case sendClose(WebSocketClose)
        /// Drop the connection.
        case abandon
    }

    package mutating func timeIsUp(now: MonotonicTime) -> TimeAction {
        guard now >= deadline else { return .wait }
        guard state == .open else {
            state = .ended
            return .abandon
        }
        guard isPingUnanswered else {
            isPingUnanswered = true
            deadline = lastHeard.advanced(
                byMilliseconds: max(settings.silenceMillisecondsMax, settings.pingAfterMilliseconds + 1))
            return .sendPing([])
        }
        state = .closing
        deadline = now.advanced(byMilliseconds: settings.closeMillisecondsMax)
        return .sendClose(WebSocketClose(.internalError, "no answer to a ping"))
    }

    package enum LossAction: Hashable, Sendable {
        /// Nobody has said goodbye: tell the application.
        case tell
        case nothing
    }

    /// The connection is gone.
    package mutating func connectionLost() -> LossAction {
        defer { state = .ended }
        return state == .open ? .tell : .nothing
    }

    private mutating func end(now: MonotonicTime) {
        guard state != .ended else { return }
        state = .ended
        deadline = now.advanced(byMilliseconds: settings.closeMillisecondsMax)
    }
}
