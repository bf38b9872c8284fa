import Glibc
import TestSupport
import Testing

@testable import Network

@Suite("Request parser")
struct HTTPRequestParserTests {
    @Test("accepts what is a request", arguments: HTTPRequestCase.accepted)
    func accepts(_ row: HTTPRequestCase) {
        #expect(HTTPRequestCase.outcome(of: [row.bytes[...]]) == row.expected)
    }

    @Test("refuses what is none, or could be read in two ways", arguments: HTTPRequestCase.refused)
    func refuses(_ row: HTTPRequestCase) {
        #expect(HTTPRequestCase.outcome(of: [row.bytes[...]]) == row.expected)
    }

    @Test("says the same byte by byte", arguments: HTTPRequestCase.accepted + HTTPRequestCase.refused)
    func isTheSameByteByByte(_ row: HTTPRequestCase) {
        let pieces = row.bytes.indices.map { row.bytes[$0...$0] }
        // A chunk that comes in pieces is one body all the same.
        #expect(HTTPRequestCase.outcome(of: pieces) == row.expected)
    }

    @Test("says the same split at every place", arguments: HTTPRequestCase.accepted + HTTPRequestCase.refused)
    func isTheSameSplitAnywhere(_ row: HTTPRequestCase) {
        for place in row.bytes.indices {
            let outcome = HTTPRequestCase.outcome(of: [row.bytes[..<place], row.bytes[place...]])
            #expect(outcome == row.expected, "split at \(place)")
        }
    }

    @Test("stays failed after a failure")
    func staysFailed() {
        var parser = HTTPRequestParser(limits: .init())
        for text in ["GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
            Array(text.utf8).withUnsafeBytes { bytes in
                var rest = bytes
                guard case .failure(let error) = parser.next(&rest) else {
                    Issue.record("expected a failure")
                    return
                }
                #expect(error.status == .versionNotSupported)
            }
        }
    }

    @Test("neither traps nor hangs, whatever comes, and says the same however it is cut")
    func survivesMutations() {
        var random = SeededRandom(test: "HTTPRequestParserTests")
        let rounds = Fuzz.rounds(ordinarily: 50_000)
        let seeds = (HTTPRequestCase.accepted + HTTPRequestCase.refused).map(\.bytes)
        for round in 0..<rounds {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, seeds, &random) }
            let whole = HTTPRequestCase.outcome(of: [bytes[...]])
            let place = Int.random(in: 0...bytes.count, using: &random)
            let split = HTTPRequestCase.outcome(of: [bytes[..<place], bytes[place...]])
            if whole != split {
                Issue.record("round \(round), split at \(place): \(bytes)")
                return
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ seeds: [[UInt8]], _ random: inout SeededRandom) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: bytes.insert([13, 10, 0, 32, 58, 9, 37][Int.random(in: 0..<7, using: &random)], at: place)
        case 2 where place < bytes.count: bytes.remove(at: place)
        case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        default: bytes.insert(contentsOf: seeds[Int.random(in: 0..<seeds.count, using: &random)].prefix(40), at: place)
        }
    }
}
