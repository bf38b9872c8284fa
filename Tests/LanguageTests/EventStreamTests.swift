import JSON
import Testing

@testable import Language

@Suite("Event streams of AWS")
struct EventStreamTests {
    private static let messages = [
        EventStreamMessage(event: "messageStart", ["role": "assistant"]),
        EventStreamMessage(event: "contentBlockDelta", ["contentBlockIndex": 0, "delta": ["text": "hällo"]]),
        EventStreamMessage(LanguageError("ThrottlingException", "slow down", status: 429)),
    ]

    @Test("a message has lengths, headers and checksums as the format says")
    func form() {
        let bytes = EventStreamMessage(headers: [.init(name: "a", value: "bc")], payload: Array("{}".utf8)).bytes
        // Computed by another implementation of the format.
        #expect(bytes.count == 12 + 7 + 2 + 4)
        #expect(Array(bytes[..<8]) == [0, 0, 0, 25, 0, 0, 0, 7])
        #expect(Array(bytes[12..<21]) == [1, 0x61, 7, 0, 2, 0x62, 0x63, 0x7B, 0x7D])
    }

    @Test("what is written is read again, in pieces of any length", arguments: [1, 2, 3, 7, 12, 16, 1_000])
    func pieces(length: Int) throws {
        let bytes = Self.messages.flatMap(\.bytes)
        var decoder = EventStreamDecoder()
        var read: [EventStreamMessage] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            read += try decoder.decode(bytes[start..<min(start + length, bytes.count)])
        }
        #expect(read == Self.messages && decoder.isAtEnd)
        #expect(read.last?.header(":exception-type") == "throttlingException")
    }

    @Test("a changed byte is found, wherever it is")
    func changes() {
        let bytes = Self.messages[1].bytes
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            var decoder = EventStreamDecoder()
            let read = try? decoder.decode(changed)
            #expect(read == nil, "byte \(place)")
        }
    }

    @Test("lines of server-sent events are found in pieces of any length", arguments: [1, 4, 100])
    func lines(length: Int) {
        let bytes = Array("event: x\r\ndata: {\"a\":1}\r\n\r\n: comment\ndata:[DONE]\n\n".utf8)
        var lines = ServerSentLines()
        var read: [String] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            let data = lines.data(Array(bytes[start..<min(start + length, bytes.count)]))
            read += (data ?? []).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(read == [#"{"a":1}"#, "[DONE]"])
    }

    @Test("a line that never ends is given up at its limit")
    func longLine() {
        var lines = ServerSentLines()
        #expect(lines.data(Array(repeating: 0x61, count: LanguageLimits.eventBytesMax)) != nil)
        #expect(lines.data([0x61]) == nil)
    }
}
