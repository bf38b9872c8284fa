import Testing

@testable import Network

struct WebSocketParserTests {
    struct Refused: CustomTestStringConvertible {
        let name: String
        let frames: [ClientFrame]
        let violation: WebSocketViolation
        var isCompressionAgreed = false
        var testDescription: String { name }
    }

    static let long = [UInt8](repeating: 0x61, count: 126)

    static let refused: [Refused] = [
        .init(name: "RSV2", frames: [.init(first: 0xA1, payload: [])], violation: .reservedBits(2)),
        .init(name: "RSV3", frames: [.init(first: 0x91, payload: [])], violation: .reservedBits(1)),
        .init(
            name: "RSV1 with RSV3, compression agreed on", frames: [.init(first: 0xD1, payload: [])],
            violation: .reservedBits(5), isCompressionAgreed: true),
        .init(
            name: "RSV1, nothing agreed on", frames: [.init(first: 0xC1, payload: [])],
            violation: .compressedButNotAgreed),
        .init(
            name: "RSV1 on a continuation", frames: [.text("a", isFinal: false), .init(first: 0xC0, payload: [])],
            violation: .compressedInTheWrongFrame, isCompressionAgreed: true),
        .init(
            name: "RSV1 on a ping", frames: [.init(first: 0xC9, payload: [])], violation: .compressedInTheWrongFrame,
            isCompressionAgreed: true),
        .init(name: "opcode 3", frames: [.init(first: 0x83, payload: [])], violation: .unknownOpcode(3)),
        .init(name: "opcode 7", frames: [.init(first: 0x87, payload: [])], violation: .unknownOpcode(7)),
        .init(name: "opcode 11", frames: [.init(first: 0x8B, payload: [])], violation: .unknownOpcode(11)),
        .init(name: "opcode 15", frames: [.init(first: 0x8F, payload: [])], violation: .unknownOpcode(15)),
        .init(name: "no mask", frames: [.init(first: 0x81, payload: [0x61], key: nil)], violation: .notMasked),
        .init(name: "ping in parts", frames: [.init(first: 0x09, payload: [])], violation: .controlFrameInParts),
        .init(name: "close in parts", frames: [.init(first: 0x08, payload: [])], violation: .controlFrameInParts),
        .init(name: "ping of 126 bytes", frames: [.init(first: 0x89, payload: long)], violation: .controlFrameTooLong),
        .init(
            name: "close of 126 bytes", frames: [.init(first: 0x88, payload: long)], violation: .controlFrameTooLong),
        .init(
            name: "5 bytes with a length of 16 bits",
            frames: [.init(first: 0x82, payload: [1, 2, 3, 4, 5], lengthBits: 16)],
            violation: .lengthNotMinimal),
        .init(
            name: "126 bytes with a length of 64 bits", frames: [.init(first: 0x82, payload: long, lengthBits: 64)],
            violation: .lengthNotMinimal),
        .init(
            name: "a continuation of nothing", frames: [.continuation("a", isFinal: true)],
            violation: .continuationOfNothing),
        .init(
            name: "a continuation after the last",
            frames: [.text("a", isFinal: false), .continuation("b", isFinal: true), .continuation("c", isFinal: true)],
            violation: .continuationOfNothing),
        .init(
            name: "a message in a message", frames: [.text("a", isFinal: false), .text("b")],
            violation: .messageInsideOfMessage),
        .init(
            name: "text that is not UTF-8", frames: [.init(first: 0x81, payload: [0x61, 0xFF, 0x61])],
            violation: .textNotUTF8),
        .init(name: "text cut off", frames: [.init(first: 0x81, payload: [0xC3])], violation: .textNotUTF8),
        .init(
            name: "text wrong across frames",
            frames: [.init(first: 0x01, payload: [0xF4]), .init(first: 0x80, payload: [0x90, 0x80, 0x80])],
            violation: .textNotUTF8),
        .init(name: "close of one byte", frames: [.init(first: 0x88, payload: [3])], violation: .closeWithHalfACode),
        .init(
            name: "close reason not UTF-8", frames: [.init(first: 0x88, payload: [0x03, 0xE8, 0xC3])],
            violation: .closeReasonNotUTF8),
    ]

    @Test("a wrong frame is refused, however it is cut", arguments: refused)
    func refusal(_ row: Refused) {
        let bytes = row.frames.flatMap(\.bytes)
        let whole = ParserOutcome(of: [bytes[...]], isCompressionAgreed: row.isCompressionAgreed)
        #expect(whole.violation == row.violation)
        for cut in cuts(of: bytes) {
            #expect(ParserOutcome(of: cut, isCompressionAgreed: row.isCompressionAgreed) == whole)
        }
    }

    @Test("a length with its highest bit set is refused")
    func negativeLength() {
        let bytes: [UInt8] = [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]
        for cut in cuts(of: bytes) { #expect(ParserOutcome(of: cut).violation == .lengthNegative) }
    }

    @Test("the first wrong byte is enough", arguments: [[0x83], [0x81, 0x01], [0x09]] as [[UInt8]])
    func failsFast(_ bytes: [UInt8]) {
        #expect(ParserOutcome(of: [bytes[...]]).violation != nil)
    }

    @Test("text is refused with its first wrong byte, before its frame is complete")
    func failsFastInText() {
        let bytes = ClientFrame(first: 0x81, payload: [0x61, 0xED, 0xA0, 0x80, 0x61]).bytes
        #expect(ParserOutcome(of: [bytes.dropLast(3)]).violation == nil)
        #expect(ParserOutcome(of: [bytes.dropLast(2)]).violation == .textNotUTF8)
    }

    @Test(
        "close codes that may not be sent are refused",
        arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535])
    func wrongCloseCodes(_ code: UInt16) {
        #expect(ParserOutcome(of: [ClientFrame.close(code).bytes[...]]).violation == .closeCodeNotAllowed(code))
    }

    @Test("close codes that may be sent are taken", arguments: [1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999])
    func goodCloseCodes(_ code: UInt16) {
        let outcome = ParserOutcome(of: [ClientFrame.close(code, "ü").bytes[...]])
        #expect(outcome.events == [.close(WebSocketClose(WebSocketCloseCode(rawValue: code), "ü"))])
        #expect(outcome.violation == nil)
    }

    @Test("messages and control frames come out the same, however they are cut")
    func accepted() {
        let frames: [ClientFrame] = [
            .text("Hello, wörld"), .init(first: 0x82, payload: Self.long), .text("", isFinal: true),
            .text("a\u{1F600}", isFinal: false), .init(first: 0x89, payload: [1, 2, 3]),
            .continuation("", isFinal: false),
            .init(first: 0x8A, payload: []), .continuation("z", isFinal: true),
            .init(first: 0x01, payload: [0xF0, 0x9F]), .init(first: 0x80, payload: [0x98, 0x80]),
            .init(first: 0x89, payload: Self.long.dropLast()), .init(first: 0x88, payload: []), .text("never read"),
        ]
        let expected: [WebSocketParser.Event] = [
            .message(.init(kind: .text, bytes: Array("Hello, wörld".utf8))),
            .message(.init(kind: .binary, bytes: Self.long)),
            .message(.init(kind: .text, bytes: [])), .ping([1, 2, 3]), .pong([]),
            .message(.init(kind: .text, bytes: Array("a\u{1F600}z".utf8))),
            .message(.init(kind: .text, bytes: Array("\u{1F600}".utf8))), .ping(Self.long.dropLast()),
            .close(WebSocketClose(nil)),
        ]
        let bytes = frames.flatMap(\.bytes)
        for cut in cuts(of: bytes) {
            let outcome = ParserOutcome(of: cut)
            #expect(outcome.violation == nil)
            #expect(outcome.events == expected)
        }
    }

    @Test("lengths of all three forms are read", arguments: [0, 125, 126, 65535, 65536, 70000])
    func lengths(_ count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = ClientFrame(first: 0x82, payload: payload).bytes
        #expect(ParserOutcome(of: [bytes[...]]).events == [.message(.init(kind: .binary, bytes: payload))])
        let pieces = stride(from: 0, to: bytes.count, by: 1021).map { bytes[$0..<min($0 + 1021, bytes.count)] }
        #expect(ParserOutcome(of: pieces).events == [.message(.init(kind: .binary, bytes: payload))])
    }

    @Test("a message never holds more than its limit, in one frame or in several")
    func messageLimit() {
        var settings = WebSocketSettings()
        settings.messageBytesMax = 10
        let ten = ClientFrame.text("0123456789").bytes
        #expect(ParserOutcome(of: [ten[...]], settings: settings).events.count == 1)
        let eleven = ClientFrame.text("0123456789a").bytes
        // The header is enough: nothing of the payload is waited for.
        #expect(ParserOutcome(of: [eleven[..<2]], settings: settings).violation == .messageTooLong(bytesMax: 10))
        let parts =
            ClientFrame.text("01234567", isFinal: false).bytes + ClientFrame.continuation("890", isFinal: true).bytes
        for cut in cuts(of: parts) {
            #expect(ParserOutcome(of: cut, settings: settings).violation == .messageTooLong(bytesMax: 10))
        }
    }

    @Test("a message never has more frames than its limit")
    func frameLimit() {
        var settings = WebSocketSettings()
        settings.messageFramesMax = 3
        let first = ClientFrame.text("", isFinal: false).bytes
        let next = ClientFrame.continuation("", isFinal: false).bytes
        let last = ClientFrame.continuation("", isFinal: true).bytes
        #expect(ParserOutcome(of: [(first + next + last)[...]], settings: settings).events.count == 1)
        let outcome = ParserOutcome(of: [(first + next + next + last)[...]], settings: settings)
        #expect(outcome.violation == .tooManyFrames(framesMax: 3))
    }

    @Test("after a violation nothing is read any more")
    func silentAfterViolation() {
        let bytes = ClientFrame(first: 0x83, payload: []).bytes + ClientFrame.text("late").bytes
        #expect(ParserOutcome(of: [bytes[...], bytes[...]]).events.isEmpty)
    }

    @Test("a client takes frames without a mask only")
    func clientRole() {
        let plain = ClientFrame(first: 0x81, payload: [0x61], key: nil).bytes
        #expect(ParserOutcome(of: [plain[...]], role: .client).events == [.message(.init(kind: .text, bytes: [0x61]))])
        #expect(ParserOutcome(of: [ClientFrame.text("a").bytes[...]], role: .client).violation == .masked)
    }

    @Test("every violation names a code that may be sent, and fits a close frame", arguments: refused)
    func violationsCanBeSaid(_ row: Refused) {
        #expect(row.violation.code.isAllowedInFrames)
        #expect(row.violation.close.payload.count <= 125)
        #expect(row.violation.close.reason == row.violation.description)
    }
}
