import Crypto
import TestSupport
import Testing

@testable import Files

@Suite("Bodies in chunks")
struct ChunkedBodyTests {
    @Test("give what is in them, however they are cut", arguments: ChunkedCase.accepted)
    func areTaken(body: ChunkedCase) {
        let whole = body.outcome(cutting: [body.bytes[...]])
        #expect(whole == .taken(body.content, body.checksum), "\(body)")
        #expect(body.outcome(cutting: body.bytes.indices.map { body.bytes[$0...$0] }) == whole, "\(body)")
        for place in body.bytes.indices where body.bytes.count < 2_000 || place.isMultiple(of: 499) {
            #expect(
                body.outcome(cutting: [body.bytes[..<place], body.bytes[place...]]) == whole, "\(body) at \(place)")
        }
    }

    @Test("are refused where they are not what they say", arguments: ChunkedCase.refused)
    func areRefused(body: ChunkedCase) {
        let whole = body.outcome(cutting: [body.bytes[...]])
        guard case .refused(let code) = whole else {
            Issue.record("\(body) was taken")
            return
        }
        #expect(code == body.code, "\(body)")
        for place in body.bytes.indices {
            #expect(
                body.outcome(cutting: [body.bytes[..<place], body.bytes[place...]]) == whole, "\(body) at \(place)")
        }
    }

    @Test("that are cut off anywhere are not whole", arguments: ChunkedCase.accepted.filter { $0.bytes.count < 2_000 })
    func areNotWhole(body: ChunkedCase) {
        for end in body.bytes.indices {
            #expect(body.outcome(cutting: [body.bytes[..<end]]) == .refused("IncompleteBody"), "\(body) up to \(end)")
        }
    }

    @Test("with signatures are refused after any change", arguments: ChunkedCase.accepted.filter(\.isSmallAndSigned))
    func changesAreRefused(body: ChunkedCase) {
        for place in body.bytes.indices {
            var bytes = body.bytes
            // A change that is none of case: names may be written in either, and so may the digits of sizes.
            bytes[place] ^= 0x41
            let outcome = ChunkedCase(body.name, bytes, like: body).outcome(cutting: [bytes[...]])
            guard case .refused = outcome else {
                Issue.record("\(body) was taken with another byte at \(place)")
                continue
            }
        }
    }

    @Test("say the same however they are cut, whatever comes")
    func survivesMutations() {
        var random = SeededRandom(test: "ChunkedBodyTests")
        let seeds = (ChunkedCase.accepted + ChunkedCase.refused).filter { $0.bytes.count < 2_000 }
        for round in 0..<Fuzz.rounds(ordinarily: 20_000) {
            let seed = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            var bytes = seed.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(Array("\r\n0;:f=".utf8)[Int.random(in: 0..<7, using: &random)], at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
                default:
                    let other = seeds[Int.random(in: 0..<seeds.count, using: &random)].bytes
                    bytes.insert(contentsOf: other.suffix(Int.random(in: 0...40, using: &random)), at: place)
                }
            }
            let changed = ChunkedCase(seed.name, bytes, like: seed)
            let whole = changed.outcome(cutting: [bytes[...]])
            let place = Int.random(in: 0...bytes.count, using: &random)
            let split = changed.outcome(cutting: [bytes[..<place], bytes[place...]])
            if whole != split {
                Issue.record("round \(round), split at \(place): \(bytes)")
                return
            }
        }
    }

    @Test("hand on no byte behind the end of what was announced")
    func handsOnNoMore() {
        let body = ChunkedBody(.init(signing: nil, hasTrailer: true), decodedLength: 3, announced: nil)
        var content: [UInt8] = []
        let error = #expect(throws: FileError.self) {
            try body.read(Array("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n".utf8)) { content.append(contentsOf: $0) }
        }
        #expect(error?.code == "IncompleteBody")
        #expect(content == Array("ab".utf8))
    }

    @Test("that have failed stay so")
    func staysFailed() {
        let body = ChunkedBody(.init(signing: nil, hasTrailer: true), decodedLength: 0, announced: nil)
        for text in ["x\r\n", "0\r\n\r\n"] {
            #expect(throws: FileError.self) { try body.read(Array(text.utf8)) { _ in } }
        }
        #expect(throws: FileError.self) { try body.finish() }
    }
}
