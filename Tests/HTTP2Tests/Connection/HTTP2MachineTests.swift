import TestSupport
import Testing

@testable import HTTP2

/// Frames of a client, and what the server makes of them.
struct HTTP2Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let text: String

    var testDescription: String { name }

    init(_ name: String, _ frames: [[UInt8]], _ text: String) {
        (self.name, bytes, self.text) = (name, frames.flatMap { $0 }, text)
    }

    private static func refused(_ name: String, _ fields: [(String, String)]) -> HTTP2Case {
        .init("a request with \(name)", [Frame.head(1, fields)], ">1 protocolError")
    }

    static let requests: [HTTP2Case] = [
        .init("a request without a body", [Frame.head(1)], "1 GET / end"),
        .init("two at once", [Frame.head(1), Frame.head(3)], "1 GET / end, 3 GET / end"),
        .init(
            "a body", [Frame.head(1, flags: 4, Frame.post), Frame.data(1, 5), Frame.data(1, 3, ends: true)],
            "1 POST /, 1 data 5, 1 data 3, 1 end"),
        .init(
            "an end without data", [Frame.head(1, flags: 4, Frame.post), Frame.data(1, 0, ends: true)],
            "1 POST /, 1 end"),
        .init(
            "bodies in turns",
            [
                Frame.head(1, flags: 4, Frame.post), Frame.head(3, flags: 4, Frame.post), Frame.data(3, 2),
                Frame.data(1, 1, ends: true), Frame.data(3, 1, ends: true),
            ], "1 POST /, 3 POST /, 3 data 2, 1 data 1, 1 end, 3 data 1, 3 end"),
        .init(
            "a trailer", [Frame.head(1, flags: 4, Frame.post), Frame.data(1, 1), Frame.head(1, [("x-sum", "1")])],
            "1 POST /, 1 data 1, 1 trailer x-sum: 1, 1 end"),
        .init(
            "padding",
            [
                Frame.frame(1, 0x0C, 1, [2] + Frame.block(Frame.post) + [0, 0]),
                Frame.frame(0, 9, 1, [3, 0x61, 0, 0, 0]),
            ], "1 POST /, 1 data 1, 1 end"),
        .init(
            "a priority",
            [
                Frame.frame(1, 0x25, 1, [0, 0, 0, 0, 16] + Frame.block(Frame.get)),
                Frame.frame(2, 0, 3, [0, 0, 0, 1, 1]),
            ],
            "1 GET / end"),
        .init(
            "a head in three frames",
            [
                Frame.frame(1, 1, 1, Array(Frame.block(Frame.get)[..<7])),
                Frame.frame(9, 0, 1, Array(Frame.block(Frame.get)[7..<9])),
                Frame.frame(9, 4, 1, Array(Frame.block(Frame.get)[9...])),
            ], "1 GET / end"),
        .init(
            "a length that holds",
            [Frame.head(1, flags: 4, Frame.post + [("content-length", "2")]), Frame.data(1, 2, ends: true)],
            "1 POST /, 1 data 2, 1 end"),
        .init("an unknown frame", [Frame.frame(77, 255, 9, [1, 2, 3]), Frame.head(1)], "1 GET / end"),
        .init("a ping", [Frame.ping(), Frame.frame(6, 1, 0, [UInt8](repeating: 0, count: 8))], ">pong"),
        .init("settings", [Frame.settings([(4, 100), (99, 1)]), Frame.frame(4, 1, 0, [])], ">settings ok"),
        .init(
            "a stream that the client cancels", [Frame.head(1), Frame.reset(1), Frame.reset(1), Frame.window(1, 1)],
            "1 GET / end, 1 reset"),
        .init("the client's end", [Frame.frame(7, 0, 0, [UInt8](repeating: 0, count: 11))], "go away"),
        .init("CONNECT", [Frame.head(1, [(":method", "CONNECT"), (":authority", "a.example")])], "1 CONNECT  end"),
    ]

    /// What ends a stream, and no other.
    static let streamErrors: [HTTP2Case] = [
        refused("no method", Array(Frame.get.dropFirst())),
        refused("no scheme", [Frame.get[0], Frame.get[2]]),
        refused("no path", [Frame.get[0], Frame.get[1]]),
        refused("an empty path", [Frame.get[0], Frame.get[1], (":path", "")]),
        refused("two paths", Frame.get + [(":path", "/")]),
        refused("an unknown field with a colon", Frame.get + [(":protocol", "websocket")]),
        refused("a status", Frame.get + [(":status", "200")]),
        refused("a field before its path", [Frame.get[0], Frame.get[1], ("a", "b"), Frame.get[2]]),
        refused("a capital in a name", Frame.get + [("X-a", "b")]),
        refused("a name with a blank", Frame.get + [("x a", "b")]),
        refused("a field without a name", Frame.get + [("", "b")]),
        refused("a line's end in a value", Frame.get + [("a", "b\r\nc: d")]),
        refused("a line's end in its path", [Frame.get[0], Frame.get[1], (":path", "/\n")]),
        refused("a zero byte in a value", Frame.get + [("a", "b\u{0}")]),
        refused("a blank before a value", Frame.get + [("a", " b")]),
        refused("connection", Frame.get + [("connection", "keep-alive")]),
        refused("keep-alive", Frame.get + [("keep-alive", "1")]),
        refused("proxy-connection", Frame.get + [("proxy-connection", "x")]),
        refused("transfer-encoding", Frame.get + [("transfer-encoding", "chunked")]),
        refused("upgrade", Frame.get + [("upgrade", "websocket")]),
        refused("te that is not trailers", Frame.get + [("te", "gzip")]),
        refused("two lengths", Frame.get + [("content-length", "0"), ("content-length", "0")]),
        refused("a length that is none", Frame.get + [("content-length", "+1")]),
        refused("a length and no body", Frame.get + [("content-length", "1")]),
        refused("CONNECT and a path", [(":method", "CONNECT")] + Frame.get.dropFirst()),
        .init(
            "a body beyond its length",
            [Frame.head(1, flags: 4, Frame.post + [("content-length", "2")]), Frame.data(1, 3)],
            "1 POST /, 1 reset, >1 protocolError"),
        .init(
            "a body below its length",
            [Frame.head(1, flags: 4, Frame.post + [("content-length", "2")]), Frame.data(1, 1, ends: true)],
            "1 POST /, 1 reset, >1 protocolError"),
        .init("data behind the end", [Frame.head(1), Frame.data(1, 1)], "1 GET / end, 1 reset, >1 streamClosed"),
        .init("a head behind the end", [Frame.head(1), Frame.head(1)], "1 GET / end, 1 reset, >1 streamClosed"),
        .init(
            "a trailer that does not end",
            [Frame.head(1, flags: 4, Frame.post), Frame.head(1, flags: 4, [("a", "b")])],
            "1 POST /, 1 reset, >1 protocolError"),
        .init(
            "a trailer with a path", [Frame.head(1, flags: 4, Frame.post), Frame.head(1, [(":path", "/")])],
            "1 POST /, 1 reset, >1 protocolError"),
        .init("a window of nothing", [Frame.head(1), Frame.window(1, 0)], "1 GET / end, 1 reset, >1 protocolError"),
        .init(
            "a window that is too large", [Frame.head(1), Frame.window(1, 0x7FFF_FFFF)],
            "1 GET / end, 1 reset, >1 flowControlError"),
        .init(
            "a stream that depends on itself", [Frame.frame(1, 0x25, 1, [0, 0, 0, 1, 16] + Frame.block(Frame.get))],
            ">1 protocolError"),
    ]

    /// What ends the connection.
    static let connectionErrors: [HTTP2Case] = [
        .init("an even stream", [Frame.head(2)], "error protocolError"),
        .init("a head for no stream", [Frame.head(0)], "error protocolError"),
        .init("data for no stream", [Frame.data(0, 1)], "error protocolError"),
        .init("data before a head", [Frame.data(1, 1)], "error protocolError"),
        .init("a reset before a head", [Frame.reset(1)], "error protocolError"),
        .init("a window before a head", [Frame.window(1, 1)], "error protocolError"),
        .init("a stream below another", [Frame.head(5), Frame.head(3)], "5 GET / end, error protocolError"),
        .init(
            "a stream again", [Frame.head(1), Frame.reset(1), Frame.head(1)], "1 GET / end, 1 reset, error streamClosed"
        ),
        .init(
            "data for a stream that is over", [Frame.head(1), Frame.reset(1), Frame.data(1, 1)],
            "1 GET / end, 1 reset, error streamClosed"),
        .init("a continuation of nothing", [Frame.frame(9, 4, 1, [])], "error protocolError"),
        .init("a ping within a head", [Frame.head(1, flags: 1), Frame.ping()], "error protocolError"),
        .init(
            "an unknown frame within a head", [Frame.head(1, flags: 1), Frame.frame(77, 0, 1, [])],
            "error protocolError"),
        .init("a continuation of another", [Frame.head(1, flags: 1), Frame.frame(9, 4, 3, [])], "error protocolError"),
        .init("a promise", [Frame.frame(5, 4, 1, [0, 0, 0, 2])], "error protocolError"),
        .init("a bad header block", [Frame.frame(1, 5, 1, [0xFF, 0x80, 0x80, 0x80, 0])], "error compressionError"),
        .init(
            "too much padding of data", [Frame.head(1, flags: 4, Frame.post), Frame.frame(0, 8, 1, [2, 0])],
            "1 POST /, error protocolError"),
        .init(
            "data without room for padding", [Frame.head(1, flags: 4, Frame.post), Frame.frame(0, 8, 1, [])],
            "1 POST /, error frameSizeError"),
        .init("too much padding of a head", [Frame.frame(1, 0xD, 1, [200, 0x82])], "error protocolError"),
        .init("a head without room for its priority", [Frame.frame(1, 0x25, 1, [0, 0])], "error frameSizeError"),
        .init("a ping of 7 bytes", [Frame.frame(6, 0, 0, [UInt8](repeating: 0, count: 7))], "error frameSizeError"),
        .init("a ping for a stream", [Frame.frame(6, 0, 1, [UInt8](repeating: 0, count: 8))], "error protocolError"),
        .init(
            "a reset of 3 bytes", [Frame.head(1), Frame.frame(3, 0, 1, [0, 0, 0])], "1 GET / end, error frameSizeError"),
        .init("a reset for no stream", [Frame.reset(0)], "error protocolError"),
        .init("a priority of 4 bytes", [Frame.frame(2, 0, 1, [0, 0, 0, 0])], "error frameSizeError"),
        .init("a priority that depends on itself", [Frame.frame(2, 0, 1, [0, 0, 0, 1, 1])], "error protocolError"),
        .init("a window of 3 bytes", [Frame.frame(8, 0, 0, [0, 0, 1])], "error frameSizeError"),
        .init("a window of nothing", [Frame.window(0, 0)], "error protocolError"),
        .init("a window that is too large", [Frame.window(0, 0x7FFF_FFFF)], "error flowControlError"),
        .init("settings for a stream", [Frame.frame(4, 0, 1, [])], "error protocolError"),
        .init("settings of 5 bytes", [Frame.frame(4, 0, 0, [0, 1, 0, 0, 0])], "error frameSizeError"),
        .init("an acknowledgement with bytes", [Frame.frame(4, 1, 0, [0, 1, 0, 0, 0, 0])], "error frameSizeError"),
        .init("a push that is neither", [Frame.settings([(2, 2)])], "error protocolError"),
        .init("a window setting that is too large", [Frame.settings([(4, 0x8000_0000)])], "error flowControlError"),
        .init("a frame size that is too small", [Frame.settings([(5, 16_383)])], "error protocolError"),
        .init("a frame size that is too large", [Frame.settings([(5, 0x100_0000)])], "error protocolError"),
        .init(
            "a window setting that makes a stream's too large",
            [Frame.head(1), Frame.window(1, 0x7FFF_0000), Frame.settings([(4, 0x7FFF_0000)])],
            "1 GET / end, room, >settings ok, error flowControlError"),
        .init("a go-away for a stream", [Frame.frame(7, 0, 1, [UInt8](repeating: 0, count: 8))], "error protocolError"),
        .init("a go-away of 7 bytes", [Frame.frame(7, 0, 0, [UInt8](repeating: 0, count: 7))], "error frameSizeError"),
    ]
}

@Suite("A connection of HTTP/2")
struct HTTP2MachineTests {
    @Test(
        "frames are requests, errors of streams, or the end",
        arguments: HTTP2Case.requests + HTTP2Case.streamErrors + HTTP2Case.connectionErrors)
    func frames(_ row: HTTP2Case) {
        var whole = HTTP2Transcript()
        whole.feed(row.bytes)
        #expect(whole.text == row.text)
    }

    @Test(
        "the first bytes are the preface and SETTINGS",
        arguments: [
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Frame.settings([]), ">settings ok"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Frame.ping(), "error protocolError"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Frame.frame(4, 1, 0, []), "error protocolError"),
            ("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", [], "error protocolError"),
            ("GET / HTTP/1.1\r\n", [], "error protocolError"),
        ])
    func preface(_ preface: String, _ frame: [UInt8], _ text: String) {
        var connection = HTTP2Transcript(settings: nil)
        connection.feed(Array(preface.utf8))
        connection.feed(frame)
        #expect(connection.text == text)
    }

    @Test("the server begins with its limits and a larger window")
    func beginning() {
        let machine = HTTP2Machine(limits: HTTP2Limits(), prefaceBytesSeen: 18, nowMilliseconds: 0)
        var sent: [UInt8] = []
        machine.takeOutput(into: &sent)
        #expect(Frame.texts(of: sent) == [">settings", ">0 window 983041"])
        #expect(machine.awaitsRest == true)
    }

    @Test("an answer goes within the windows, and the stream is over behind it")
    func answer() {
        var connection = HTTP2Transcript(settings: Frame.settings([(4, 10)]))
        connection.feed(Frame.head(1))
        var sent: [UInt8] = []
        connection.machine.appendHead(1, status: 200, lines: Array("a: b\r\n".utf8), endsStream: false, to: &sent)
        #expect(connection.machine.sendableBytes(1) == 10)
        connection.machine.appendData(1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], endsStream: false, to: &sent)
        #expect(connection.machine.sendableBytes(1) == 0)
        connection.feed(Frame.settings([(4, 5)]))
        #expect(connection.machine.sendableBytes(1) == 0)
        connection.feed(Frame.window(1, 6))
        #expect(connection.machine.sendableBytes(1) == 1)
        connection.machine.appendData(1, [11], endsStream: true, to: &sent)
        #expect(connection.machine.openStreams == 0)
        #expect(Frame.texts(of: sent) == [">1 head", ">1 data 10", ">settings ok", ">1 data 1 end"])
    }

    @Test("a head that does not fit into a frame continues in others")
    func longHead() {
        var connection = HTTP2Transcript()
        connection.feed(Frame.head(1))
        var sent: [UInt8] = []
        let value = String(repeating: "v", count: 40_000)
        connection.machine.appendHead(1, status: 200, lines: Array("a: \(value)\r\n".utf8), endsStream: true, to: &sent)
        #expect(Frame.texts(of: sent) == [">1 head end", ">1 more", ">1 more"])
    }

    @Test("a client gets its window back as its data is taken, the connection's at once")
    func windows() {
        var limits = HTTP2Limits()
        limits.streamWindowBytes = 100_000
        limits.connectionWindowBytes = 40_000
        var connection = HTTP2Transcript(limits)
        connection.feed(Frame.head(1, flags: 4, Frame.post))
        connection.feed(Frame.data(1, 16_000) + Frame.data(1, 16_000))
        #expect(connection.text == "1 POST /, 1 data 16000, 1 data 16000, >0 window 32000")
        connection.machine.taken(1, 30_000)
        #expect(connection.machine.hasOutput == false)
        connection.machine.taken(1, 20_000)
        var sent: [UInt8] = []
        connection.machine.takeOutput(into: &sent)
        #expect(Frame.texts(of: sent) == [">1 window 50000"])
    }

    @Test("a stream that the server has reset may still send, and is not heard")
    func lateFrames() {
        var connection = HTTP2Transcript()
        connection.feed(Frame.head(1, flags: 4, Frame.post))
        connection.machine.reset(1, .noError)
        connection.feed(
            Frame.data(1, 10) + Frame.head(1, [("a", "b")]) + Frame.window(1, 5) + Frame.reset(1) + Frame.head(3))
        #expect(connection.text == "1 POST /, 3 GET / end, >1 noError")
    }

    @Test("behind a go-away, streams that are open go on and others are not served")
    func goingAway() {
        var connection = HTTP2Transcript()
        connection.feed(Frame.head(1, flags: 4, Frame.post))
        connection.machine.goAway(.noError)
        connection.feed(Frame.head(3) + Frame.data(1, 1, ends: true))
        #expect(connection.text == "1 POST /, 1 data 1, 1 end, >go away 1")
    }

    @Test("an idle connection holds no more than its tables")
    func idle() {
        var connection = HTTP2Transcript()
        for stream in 0..<200 {
            let fields = Frame.get + [("x", String(repeating: "v", count: stream))]
            var block = Frame.block(fields)
            // The last field goes into the table.
            block[Frame.block(Frame.get).count] = 0x40
            connection.feed(Frame.frame(1, 5, UInt32(2 * stream + 1), block))
            var sent: [UInt8] = []
            connection.machine.appendHead(UInt32(2 * stream + 1), status: 204, lines: [], endsStream: true, to: &sent)
        }
        #expect(connection.machine.openStreams == 0)
        #expect(connection.machine.idleBytes < 7000)
    }
}

@Suite("HTTP/2, fed with changed frames")
struct HTTP2FuzzTests {
    @Test("neither traps nor hangs, whatever comes, and says the same however it is cut")
    func survives() {
        var random = SeededRandom(test: "HTTP2FuzzTests")
        let seeds = (HTTP2Case.requests + HTTP2Case.streamErrors + HTTP2Case.connectionErrors).map(\.bytes)
        for round in 0..<Fuzz.rounds(ordinarily: 1000) {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            bytes += seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                default: break
                }
            }
            let whole = Self.text(of: [bytes])
            let place = Int.random(in: 0...bytes.count, using: &random)
            let split = Self.text(of: [Array(bytes[..<place]), Array(bytes[place...])])
            let single = Self.text(of: bytes.map { [$0] })
            if whole != split || whole != single {
                Issue.record("round \(round), split at \(place): \(bytes)")
                return
            }
        }
    }

    /// What was said, with the pieces of a body put together.
    private static func text(of pieces: [[UInt8]]) -> String {
        var connection = HTTP2Transcript()
        for piece in pieces { connection.feed(piece) }
        var joined: [String] = []
        for line in connection.lines {
            let words = line.split(separator: " ")
            if words.count == 3, words[1] == "data", let last = joined.last?.split(separator: " "), last.count == 3,
                last[0] == words[0], last[1] == "data", let before = Int(last[2]), let count = Int(words[2])
            {
                joined[joined.count - 1] = "\(words[0]) data \(before + count)"
            } else {
                joined.append(line)
            }
        }
        return joined.joined(separator: ", ") + connection.text.split(separator: ">").dropFirst().joined(separator: ">")
    }
}
