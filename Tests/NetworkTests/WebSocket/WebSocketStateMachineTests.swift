import Testing

@testable import Network

struct WebSocketStateMachineTests {
    static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    func at(_ milliseconds: Int) -> MonotonicTime { Self.start.advanced(byMilliseconds: milliseconds) }

    func machine() -> WebSocketStateMachine {
        var settings = WebSocketSettings()
        settings.pingAfterMilliseconds = 100
        settings.silenceMillisecondsMax = 250
        settings.closeMillisecondsMax = 50
        return WebSocketStateMachine(settings: settings, now: Self.start)
    }

    static let message = WebSocketMessage(kind: .text, bytes: [0x61])

    @Test("while open it delivers messages, answers pings and overlooks pongs")
    func open() {
        var machine = machine()
        #expect(machine.received(.message(Self.message), now: at(1)) == .deliver(Self.message))
        #expect(machine.received(.ping([1, 2]), now: at(1)) == .sendPong([1, 2]))
        #expect(machine.received(.pong([]), now: at(1)) == .nothing)
        let isOpen = machine.isOpen
        #expect(isOpen)
    }

    @Test(
        "a close frame is answered, and then nothing more happens",
        arguments: [nil, 1000, 3000] as [UInt16?])
    func peerCloses(_ code: UInt16?) {
        var machine = machine()
        let code = code.map(WebSocketCloseCode.init(rawValue:))
        #expect(
            machine.received(.close(WebSocketClose(code, "bye")), now: at(1))
                == .answerClose(WebSocketClose(code, "bye")))
        let isOpen = machine.isOpen
        #expect(!isOpen)
        #expect(machine.received(.ping([]), now: at(1)) == .nothing)
        #expect(machine.received(.message(Self.message), now: at(1)) == .nothing)
        #expect(machine.close(WebSocketClose(.normal), now: at(1)) == .nothing)
        #expect(machine.violated(.notMasked, now: at(1)) == .nothing)
        #expect(machine.connectionLost() == .nothing)
    }

    @Test("when we close, messages are overlooked until the peer answers")
    func weClose() {
        var machine = machine()
        let close = WebSocketClose(.goingAway, "the server stops")
        #expect(machine.close(close, now: at(1)) == .sendClose(close))
        #expect(machine.close(close, now: at(1)) == .nothing)
        #expect(machine.received(.message(Self.message), now: at(2)) == .nothing)
        #expect(machine.received(.ping([]), now: at(2)) == .nothing)
        #expect(machine.received(.close(WebSocketClose(.goingAway)), now: at(3)) == .endConnection)
        #expect(machine.connectionLost() == .nothing)
    }

    @Test("a peer that does not answer our close is dropped in time")
    func noAnswerToClose() {
        var machine = machine()
        _ = machine.close(WebSocketClose(.normal), now: at(10))
        #expect(machine.deadline == at(60))
        machine.heard(now: at(50))
        #expect(machine.timeIsUp(now: at(59)) == .wait)
        #expect(machine.timeIsUp(now: at(60)) == .abandon)
        #expect(machine.connectionLost() == .nothing)
    }

    @Test("a violation closes with its code; one while closing just ends")
    func violations() {
        var machine = machine()
        #expect(machine.violated(.textNotUTF8, now: at(1)) == .sendClose(WebSocketViolation.textNotUTF8.close))
        #expect(machine.violated(.textNotUTF8, now: at(1)) == .nothing)
        var closing = self.machine()
        _ = closing.close(WebSocketClose(.normal), now: at(1))
        #expect(closing.violated(.textNotUTF8, now: at(2)) == .endConnection)
    }

    @Test("a silent peer is asked once, then closed, then dropped")
    func silence() {
        var machine = machine()
        #expect(machine.deadline == at(100))
        #expect(machine.timeIsUp(now: at(99)) == .wait)
        #expect(machine.timeIsUp(now: at(100)) == .sendPing([]))
        #expect(machine.deadline == at(250))
        #expect(machine.timeIsUp(now: at(250)) == .sendClose(WebSocketClose(.internalError, "no answer to a ping")))
        #expect(machine.deadline == at(300))
        #expect(machine.timeIsUp(now: at(300)) == .abandon)
    }

    @Test("any sign of life puts the next ping off")
    func signOfLife() {
        var machine = machine()
        machine.heard(now: at(60))
        #expect(machine.timeIsUp(now: at(100)) == .wait)
        #expect(machine.deadline == at(160))
        #expect(machine.timeIsUp(now: at(160)) == .sendPing([]))
        machine.heard(now: at(170))
        #expect(machine.deadline == at(270))
        #expect(machine.timeIsUp(now: at(270)) == .sendPing([]))
    }

    @Test("the application hears of a connection that breaks")
    func lost() {
        var machine = machine()
        #expect(machine.connectionLost() == .tell)
        #expect(machine.connectionLost() == .nothing)
    }
}
