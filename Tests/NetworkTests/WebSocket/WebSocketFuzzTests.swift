import Glibc
import TestSupport
import Testing

@testable import Network

struct WebSocketFuzzTests {
    static var rounds: Int {
        Fuzz.rounds(ordinarily: 12_000)
    }

    static func settings() -> WebSocketSettings {
        var settings = WebSocketSettings()
        settings.messageBytesMax = 4096
        settings.messageFramesMax = 8
        return settings
    }

    static func frame(_ random: inout SeededRandom) -> ClientFrame {
        let firsts: [UInt8] = [0x81, 0x01, 0x80, 0x00, 0x82, 0x02, 0xC1, 0xC2, 0x41, 0x89, 0x8A, 0x88]
        let sizes = [0, 1, 2, 5, 17, 124, 125, 126, 127, 200, 1000]
        let texts = ["a", "é", "\u{1F600}", "{\"type\":\"ka\"}"]
        var payload: [UInt8] = []
        let size = sizes.randomElement(using: &random) ?? 0
        while payload.count < size { payload += Array((texts.randomElement(using: &random) ?? "").utf8) }
        return ClientFrame(first: firsts.randomElement(using: &random) ?? 0x81, payload: payload)
    }

    static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.remove(at: index)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            }
        }
    }

    @Test("changed frames are read the same however they are cut, and never beyond a limit")
    func frames() {
        var random = SeededRandom(test: "WebSocketFuzzTests")
        var pool = CompressionPool()
        let settings = Self.settings()
        var violations = 0
        for round in 0..<Self.rounds {
            var bytes = (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in Self.frame(&random).bytes }
            Self.mutate(&bytes, &random)
            let isAgreed = Bool.random(using: &random)
            let whole = ParserOutcome(of: [bytes[...]], settings: settings, isCompressionAgreed: isAgreed)
            let border = Int.random(in: 0...bytes.count, using: &random)
            let other = ParserOutcome(
                of: [bytes[..<border], bytes[border...]], settings: settings, isCompressionAgreed: isAgreed)
            guard whole == other else {
                Issue.record("round \(round), cut at \(border): \(whole) is not \(other)")
                return
            }
            violations += whole.violation == nil ? 0 : 1
            for case .message(let message) in whole.events {
                #expect(message.bytes.count <= settings.messageBytesMax)
                if message.kind == .text, !message.isCompressed {
                    #expect(String(validating: message.bytes, as: UTF8.self) != nil)
                }
                let inflated = try? message.inflated(by: &pool, bytesMax: settings.messageBytesMax)
                #expect(inflated.map { $0.bytes.count <= settings.messageBytesMax } ?? true)
            }
        }
        // Neither answer may be so rare that the other paths go untested.
        #expect(violations > Self.rounds / 10 && violations < Self.rounds * 9 / 10)
    }

    @Test("changed compressed messages never crash, and never grow beyond a limit")
    func compressed() {
        var random = SeededRandom(test: "WebSocketFuzzTests")
        var pool = CompressionPool()
        var failures = 0
        for _ in 0..<Self.rounds / 5 {
            let text = Array(String(repeating: "abcdefgh{}", count: Int.random(in: 0...60, using: &random)).utf8)
            var bytes: [UInt8] = []
            text.withUnsafeBufferPointer {
                try? pool.deflateMessage(
                    UnsafeRawBufferPointer($0), windowBits: Int.random(in: 9...15, using: &random), into: &bytes)
            }
            Self.mutate(&bytes, &random)
            let message = WebSocketMessage(kind: .binary, isCompressed: true, bytes: bytes)
            if let inflated = try? message.inflated(by: &pool, bytesMax: 500) {
                #expect(inflated.bytes.count <= 500)
            } else {
                failures += 1
            }
        }
        #expect(failures > 0)
    }
}
