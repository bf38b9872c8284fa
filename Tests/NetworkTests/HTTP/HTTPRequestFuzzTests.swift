import TestSupport
import Testing

@testable import Network

@Suite("Request parser, fed with changed requests")
struct HTTPRequestFuzzTests {
    @Test("neither traps nor hangs, whatever comes, and says the same however it is cut")
    func survivesMutations() {
        var random = SeededRandom(test: "HTTPRequestFuzzTests")
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
