import TestSupport
import Testing

@testable import Network

struct WebSocketEncoderTests {
    static func agreement(_ offer: String = "permessage-deflate") throws -> PerMessageDeflate {
        try #require(PerMessageDeflate.accepted(from: WebSocketExtensionOffer.all(in: [offer]) ?? []))
    }

    /// What a client reads from a server's bytes.
    static func read(_ bytes: [UInt8], isCompressionAgreed: Bool = true) -> [WebSocketParser.Event] {
        var pool = CompressionPool()
        let outcome = ParserOutcome(of: [bytes[...]], role: .client, isCompressionAgreed: isCompressionAgreed)
        #expect(outcome.violation == nil)
        return outcome.events.compactMap { event in
            guard case .message(let message) = event else { return event }
            do {
                return .message(try message.inflated(by: &pool, bytesMax: 1 << 24))
            } catch {
                Issue.record(error)
                return nil
            }
        }
    }

    static func json(_ count: Int) -> [UInt8] {
        Array(String(repeating: "{\"id\":\"1\",\"title\":\"Hello\"},", count: count / 26 + 1).utf8.prefix(count))
    }

    @Test("a message is one frame, with the shortest length", arguments: [0, 125, 126, 65535, 65536])
    func plain(_ count: Int) {
        let encoder = WebSocketEncoder(compression: nil, settings: WebSocketSettings())
        var pool = CompressionPool()
        var output: [UInt8] = []
        let payload = Self.json(count)
        payload.withUnsafeBytes { encoder.append(.text, $0, to: &output, with: &pool) }
        #expect(output.count - count == (count < 126 ? 2 : count < 65536 ? 4 : 10))
        #expect(output.first == 0x81)
        #expect(Self.read(output, isCompressionAgreed: false) == [.message(.init(kind: .text, bytes: payload))])
    }

    @Test("control frames are written")
    func control() {
        let encoder = WebSocketEncoder(compression: nil, settings: WebSocketSettings())
        var output: [UInt8] = []
        encoder.appendPing([1], to: &output)
        encoder.appendPong(Array(repeating: 7, count: 200), to: &output)
        encoder.appendClose(WebSocketClose(.goingAway, "bye"), to: &output)
        #expect(
            Self.read(output) == [
                .ping([1]), .pong(Array(repeating: 7, count: 125)), .close(WebSocketClose(.goingAway, "bye")),
            ])
    }

    @Test(
        "a compressed message comes back, for every window",
        arguments: 9...15, [512, 5000, 70_000, 1_000_000])
    func compressed(_ windowBits: Int, _ count: Int) throws {
        let agreement = try Self.agreement("permessage-deflate; server_max_window_bits=\(windowBits)")
        let encoder = WebSocketEncoder(compression: agreement, settings: WebSocketSettings())
        var pool = CompressionPool()
        var output: [UInt8] = []
        let payload = Self.json(count)
        for kind in [WebSocketMessage.Kind.text, .binary] {
            payload.withUnsafeBytes { encoder.append(kind, $0, to: &output, with: &pool) }
        }
        #expect(output.count < count)
        #expect(
            Self.read(output) == [
                .message(.init(kind: .text, bytes: payload)), .message(.init(kind: .binary, bytes: payload)),
            ])
    }

    @Test("what is short, and what does not get shorter, is sent as it is")
    func notCompressed() throws {
        let encoder = WebSocketEncoder(compression: try Self.agreement(), settings: WebSocketSettings())
        var pool = CompressionPool()
        var random = SeededRandom(seed: 1)
        for payload in [Self.json(511), (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }] {
            var output: [UInt8] = []
            payload.withUnsafeBytes { encoder.append(.binary, $0, to: &output, with: &pool) }
            #expect(output.first == 0x82)
            #expect(output.count == payload.count + 4)
        }
    }

    @Test(
        "a payload for many comes back behind each client's own beginning",
        arguments: [0, 1, 40, 65535, 65536],
        [nil, "permessage-deflate", "permessage-deflate; server_max_window_bits=9"])
    func fanOut(_ headBytes: Int, _ offer: String?) throws {
        let encoder = WebSocketEncoder(compression: try offer.map(Self.agreement), settings: WebSocketSettings())
        var pool = CompressionPool()
        let rest = WebSocketFanOutPayload(.text, Self.json(3000))
        for digit in ["1", "2"] {
            let head = Array(String(repeating: digit, count: headBytes).utf8)
            var output: [UInt8] = []
            let place = head.withUnsafeBytes { encoder.append(head: $0, rest, to: &output, with: &pool) }
            #expect(Array(output[place...].prefix(head.count)) == head)
            #expect(Self.read(output) == [.message(.init(kind: .text, bytes: head + rest.bytes))])
            if offer != nil, headBytes < 65536 { #expect(output.count < headBytes + 1000) }
        }
    }

    @Test("the compressed part of a payload for many is the same for all")
    func fanOutIsShared() throws {
        let encoder = WebSocketEncoder(compression: try Self.agreement(), settings: WebSocketSettings())
        var pool = CompressionPool()
        let rest = WebSocketFanOutPayload(.text, Self.json(3000))
        var outputs: [[UInt8]] = [[], []]
        _ = Array("id1".utf8).withUnsafeBytes { encoder.append(head: $0, rest, to: &outputs[0], with: &pool) }
        _ = Array("id2".utf8).withUnsafeBytes { encoder.append(head: $0, rest, to: &outputs[1], with: &pool) }
        #expect(outputs[0] != outputs[1])
        #expect(outputs[0].count == outputs[1].count)
        #expect(outputs[0].suffix(outputs[0].count - 12) == outputs[1].suffix(outputs[1].count - 12))
    }

    struct Message: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let expected: String?
        var testDescription: String { name }
    }

    /// From section 7.2.3 of RFC 7692, and what is wrong in ways of our own.
    static let messages: [Message] = [
        .init(name: "one block", bytes: [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], expected: "Hello"),
        .init(
            name: "a stored block",
            bytes: [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00], expected: "Hello"),
        .init(name: "a last block", bytes: [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], expected: "Hello"),
        .init(
            name: "a last block and nothing else", bytes: [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], expected: "Hello"),
        .init(
            name: "two blocks", bytes: [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
            expected: "Hello"),
        .init(
            name: "a last block, then another that refers to it",
            bytes: [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xF2, 0x00, 0x11, 0x00, 0x00], expected: "HelloHello"),
        .init(name: "an empty message", bytes: [0x00], expected: ""),
        .init(name: "nothing at all", bytes: [], expected: ""),
        .init(name: "cut off", bytes: [0xF2, 0x48, 0xCD], expected: nil),
        .init(name: "a wrong kind of block", bytes: [0x06, 0x00], expected: nil),
        .init(name: "a reference to before the beginning", bytes: [0xF2, 0x00, 0x11, 0x00, 0x00], expected: nil),
        .init(name: "a stored block with a wrong length", bytes: [0x00, 0x05, 0x00, 0xFA, 0xFE, 0x48], expected: nil),
    ]

    @Test("compressed messages are read, and refused when they are none", arguments: messages)
    func inflates(_ row: Message) {
        var pool = CompressionPool()
        // Twice, since the second time meets a stream that was used.
        for _ in 0..<2 {
            let message = WebSocketMessage(kind: .text, isCompressed: true, bytes: row.bytes)
            do throws(WebSocketViolation) {
                let inflated = try message.inflated(by: &pool, bytesMax: 100)
                #expect(inflated.bytes == row.expected.map { Array($0.utf8) })
            } catch {
                #expect(row.expected == nil)
                #expect(error.code == .invalidPayload)
            }
        }
    }

    @Test("a message is inflated to its limit and no further")
    func bomb() throws {
        var pool = CompressionPool()
        let zeros = [UInt8](repeating: 0, count: 1_000_000)
        var bytes: [UInt8] = []
        try zeros.withUnsafeBufferPointer { zeros throws(CompressionError) in
            try pool.deflateMessage(UnsafeRawBufferPointer(zeros), windowBits: 15, into: &bytes)
        }
        let message = WebSocketMessage(kind: .binary, isCompressed: true, bytes: bytes)
        #expect(bytes.count < 5000)
        #expect(try message.inflated(by: &pool, bytesMax: 1_000_000).bytes == zeros)
        #expect(throws: WebSocketViolation.messageTooLong(bytesMax: 999_999)) {
            try message.inflated(by: &pool, bytesMax: 999_999)
        }
    }

    @Test("compressed text has to be UTF-8")
    func compressedText() throws {
        var pool = CompressionPool()
        var bytes: [UInt8] = []
        try [0x61, 0xFF].withUnsafeBufferPointer { (text: UnsafeBufferPointer<UInt8>) throws(CompressionError) in
            try pool.deflateMessage(UnsafeRawBufferPointer(text), windowBits: 15, into: &bytes)
        }
        #expect(throws: WebSocketViolation.textNotUTF8) {
            try WebSocketMessage(kind: .text, isCompressed: true, bytes: bytes).inflated(by: &pool, bytesMax: 10)
        }
    }
}
