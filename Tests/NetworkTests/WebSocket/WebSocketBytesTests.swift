import TestSupport
import Testing

@testable import Network

struct UTF8ValidatorTests {
    static let valid: [[UInt8]] = [
        [], Array("plain ASCII that is longer than a word".utf8), Array("κόσμε".utf8), [0x7F], [0xC2, 0x80],
        [0xDF, 0xBF],
        [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
        [0xF4, 0x8F, 0xBF, 0xBF], Array("12345678é12345678\u{1F468}\u{200D}\u{1F469}".utf8),
    ]
    static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xC3, 0x41], [0xE1, 0x80, 0x41], [0xC2, 0xC2],
    ]

    @Test("UTF-8 is accepted, however it is cut", arguments: valid)
    func accepts(_ bytes: [UInt8]) {
        for cut in cuts(of: bytes) {
            var validator = UTF8Validator()
            for piece in cut { #expect(piece.withUnsafeBytes { validator.accepts($0) }) }
            #expect(validator.isComplete)
        }
    }

    @Test("what is not UTF-8 is refused, however it is cut", arguments: invalid)
    func refuses(_ bytes: [UInt8]) {
        for prefix in [[], Array("0123456789".utf8), Array("ü".utf8)] as [[UInt8]] {
            for cut in cuts(of: prefix + bytes) {
                var validator = UTF8Validator()
                #expect(!cut.allSatisfy { piece in piece.withUnsafeBytes { validator.accepts($0) } })
            }
        }
    }

    @Test("a character left in the middle is not complete", arguments: valid)
    func incomplete(_ bytes: [UInt8]) {
        guard let last = bytes.last, last >= 0x80 else { return }
        var validator = UTF8Validator()
        #expect(bytes.dropLast().withUnsafeBytes { validator.accepts($0) })
        #expect(!validator.isComplete)
    }

    @Test("it agrees with the standard library on random bytes")
    func agrees() {
        var random = SeededRandom(test: "WebSocketBytesTests")
        for _ in 0..<20_000 {
            // Mostly what looks like UTF-8, so that both answers are common.
            let bytes: [UInt8] = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF4, 0xF5]
                    .randomElement(using: &random) ?? 0
            }
            var validator = UTF8Validator()
            let isValid = bytes.withUnsafeBytes { validator.accepts($0) } && validator.isComplete
            #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}

struct WebSocketMaskTests {
    @Test("a mask is laid over bytes of every length from every offset")
    func mask() {
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        let mask = WebSocketMask(key: key.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        for offset in 0..<9 {
            for count in 0..<40 {
                let plain = (0..<count).map { UInt8($0 * 5 & 0xFF) }
                var bytes = plain
                bytes.withUnsafeMutableBytes { mask.apply(to: $0, offset: offset) }
                #expect(bytes == plain.enumerated().map { $1 ^ key[($0 + offset) % 4] })
            }
        }
    }
}

struct WebSocketCloseTests {
    @Test("a reason that is too long is cut at a character's border")
    func longReason() {
        let close = WebSocketClose(.normal, String(repeating: "ä", count: 100))
        #expect(close.reason == String(repeating: "ä", count: 61))
        #expect(close.payload.count == 124)
        // One character for a reader, and more than a frame holds.
        let stacked = WebSocketClose(.normal, "a" + String(repeating: "\u{0301}", count: 100))
        #expect(stacked.payload.count == 125)
    }

    @Test("without a code there is no reason")
    func empty() {
        #expect(WebSocketClose(nil, "why").payload.isEmpty)
    }
}
