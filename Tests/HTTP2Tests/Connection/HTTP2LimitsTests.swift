import Testing

@testable import HTTP2

@Suite("The limits of HTTP/2")
struct HTTP2LimitsTests {
    /// Repeats frames until the connection ends, and answers how many came before, with the error.
    private static func endures(
        _ limits: HTTP2Limits = HTTP2Limits(), _ frames: (_ round: Int) -> [UInt8]
    ) -> (rounds: Int, error: HTTP2ErrorCode?) {
        var connection = HTTP2Transcript(limits)
        connection.feed(Frame.head(1, flags: 4, Frame.post))
        for round in 0..<3000 {
            connection.feed(frames(round))
            if let error = connection.error { return (round, error.code) }
        }
        return (3000, nil)
    }

    @Test("streams beyond the limit are refused, and served when there is room again")
    func streams() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 2
        var connection = HTTP2Transcript(limits)
        connection.feed(Frame.head(1) + Frame.head(3) + Frame.head(5) + Frame.reset(1) + Frame.head(7))
        #expect(connection.text == "1 GET / end, 3 GET / end, 1 reset, 7 GET / end, >5 refusedStream")
    }

    @Test("a cancelled stream counts until its work has ended")
    func detachedWork() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 1
        var connection = HTTP2Transcript(limits)
        connection.feed(Frame.head(1) + Frame.reset(1))
        connection.machine.workGoesOn()
        connection.feed(Frame.head(3))
        connection.machine.workEnded()
        connection.feed(Frame.head(5))
        #expect(connection.text == "1 GET / end, 1 reset, 5 GET / end, >3 refusedStream")
    }

    @Test(
        "fields beyond the limit are left out, and the next block is still understood",
        arguments: [
            (1000, 100, String(repeating: "v", count: 1000)), (32_000, 4, "v"),
        ])
    func headerList(_ bytes: Int, _ fields: Int, _ value: String) {
        var limits = HTTP2Limits()
        (limits.headerListBytes, limits.headerFields) = (bytes, fields)
        var connection = HTTP2Transcript(limits)
        var block = Frame.block(Frame.get + [("x", value)])
        // The field that is too much goes into the table all the same.
        block[Frame.block(Frame.get).count] = 0x40
        connection.feed(Frame.frame(1, 5, 1, block))
        connection.feed(Frame.head(3, flags: 5, Frame.get))
        #expect(connection.text == "1 too large end, 3 GET / end")
    }

    @Test("a block whose fields are many times the limit ends the connection")
    func bomb() {
        var connection = HTTP2Transcript()
        let field: [UInt8] = Array(Frame.block([("x", String(repeating: "v", count: 4000))]).dropFirst())
        // One field of 4,000 bytes, and then its index 16,000 times in a byte each.
        connection.feed(
            Frame.frame(1, 1, 1, [0x40] + field) + Frame.frame(9, 4, 1, [UInt8](repeating: 0xBE, count: 16_000)))
        #expect(connection.text == "error enhanceYourCalm")
    }

    @Test("a header block has so many frames and bytes")
    func continuations() {
        var connection = HTTP2Transcript()
        connection.feed(Frame.head(1, flags: 1))
        for _ in 0..<16 { connection.feed(Frame.frame(9, 0, 1, [])) }
        #expect(connection.error == nil)
        connection.feed(Frame.frame(9, 0, 1, []))
        #expect(connection.error?.code == .enhanceYourCalm)

        var large = HTTP2Transcript()
        large.feed(Frame.head(1, flags: 1))
        for _ in 0..<4 { large.feed(Frame.frame(9, 0, 1, [UInt8](repeating: 0x82, count: 16_000))) }
        #expect(large.error == nil)
        #expect(large.machine.heldBytes <= 160_000)
        large.feed(Frame.frame(9, 0, 1, [UInt8](repeating: 0x82, count: 16_000)))
        #expect(large.error?.code == .enhanceYourCalm)
    }

    @Test("a frame beyond the limit ends the connection")
    func frameSize() {
        var connection = HTTP2Transcript()
        connection.feed(Array(Frame.data(1, 16_385).prefix(9)))
        #expect(connection.error?.code == .frameSizeError)
    }

    @Test("a SETTINGS frame has so many settings")
    func settings() {
        var connection = HTTP2Transcript()
        connection.feed(Frame.settings([(UInt16, UInt32)](repeating: (99, 1), count: 64)))
        #expect(connection.text == ">settings ok")
        connection.feed(Frame.settings([(UInt16, UInt32)](repeating: (99, 1), count: 65)))
        #expect(connection.error?.code == .enhanceYourCalm)
    }

    @Test(
        "frames that carry nothing are bounded",
        arguments: [
            Frame.ping(), Frame.settings([]), Frame.frame(4, 1, 0, []), Frame.frame(2, 0, 1, [0, 0, 0, 0, 1]),
            Frame.frame(77, 0, 0, []), Frame.window(0, 1), Frame.window(1, 1), Frame.data(1, 0),
            Frame.frame(0, 8, 1, [0]),
        ])
    func emptyFrames(_ frame: [UInt8]) {
        #expect(Self.endures { _ in frame } == (999, .enhanceYourCalm))
    }

    @Test(
        "streams that end early are bounded, by whomever",
        arguments: [
            // The client resets them, or makes the server reset them: a window of nothing, one that is too large, data behind the
            // end, a request that is none, a stream that depends on itself.
            [Frame.head, Frame.cancel], [Frame.head, Frame.noWindow], [Frame.head, Frame.hugeWindow],
            [Frame.head, Frame.lateData],
            [Frame.badHead], [Frame.selfDependent],
        ])
    func resets(_ frames: [@Sendable (UInt32) -> [UInt8]]) {
        let outcome = Self.endures { round in frames.flatMap { $0(UInt32(2 * round + 3)) } }
        #expect(outcome == (200, .enhanceYourCalm))
    }

    @Test("allowances come back with time, and with data that is sent")
    func allowances() {
        var connection = HTTP2Transcript()
        // The first SETTINGS has taken one.
        for _ in 0..<999 { connection.feed(Frame.ping()) }
        connection.machine.flushed()
        connection.now = 1000
        for _ in 0..<100 { connection.feed(Frame.ping()) }
        #expect(connection.error == nil)
        connection.feed(Frame.head(1))
        var sent: [UInt8] = []
        connection.machine.appendData(1, ArraySlice([UInt8](repeating: 0, count: 600)), endsStream: false, to: &sent)
        for _ in 0..<3 { connection.feed(Frame.window(1, 1)) }
        #expect(connection.error == nil)
        connection.feed(Frame.window(1, 1))
        #expect(connection.error?.code == .enhanceYourCalm)
    }

    @Test("acknowledgements that nobody reads are bounded")
    func acknowledgements() {
        var limits = HTTP2Limits()
        limits.waitingControlBytes = 100
        #expect(Self.endures(limits) { _ in Frame.ping() } == (5, .enhanceYourCalm))
    }

    @Test("data beyond a window is refused: a stream's for itself, the connection's for all")
    func windows() {
        var limits = HTTP2Limits()
        limits.streamWindowBytes = 65_535
        limits.connectionWindowBytes = 10_000_000
        var connection = HTTP2Transcript(limits)
        connection.feed(Frame.head(1, flags: 4, Frame.post))
        for _ in 0..<5 { connection.feed(Frame.data(1, 16_000)) }
        #expect(connection.text.hasSuffix("1 reset, >1 flowControlError"))

        // What is not given back yet counts.
        limits.streamWindowBytes = 10_000_000
        limits.connectionWindowBytes = 10_000
        var narrow = HTTP2Transcript(limits)
        narrow.feed(Frame.head(1, flags: 4, Frame.post))
        narrow.feed(Frame.data(1, 4_000) + Frame.data(1, 6_001))
        #expect(narrow.error?.code == .flowControlError)
    }
}

extension Frame {
    @Sendable static func head(_ stream: UInt32) -> [UInt8] { head(stream, flags: 5, get) }
    @Sendable static func cancel(_ stream: UInt32) -> [UInt8] { reset(stream) }
    @Sendable static func noWindow(_ stream: UInt32) -> [UInt8] { window(stream, 0) }
    @Sendable static func hugeWindow(_ stream: UInt32) -> [UInt8] { window(stream, 0x7FFF_FFFF) }
    @Sendable static func lateData(_ stream: UInt32) -> [UInt8] { data(stream, 1) }
    @Sendable static func badHead(_ stream: UInt32) -> [UInt8] { head(stream, [(":method", "GET")]) }
    @Sendable static func selfDependent(_ stream: UInt32) -> [UInt8] {
        var payload: [UInt8] = []
        HTTP2FrameHeader.append(stream, to: &payload)
        return frame(1, 0x25, stream, payload + [1] + block(get))
    }
}
