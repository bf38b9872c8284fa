import Network
import TestSupport
import Testing

@Suite("The parser of answers, fed with changed answers")
struct HTTPResponseFuzzTests {
    private static let rounds = Fuzz.rounds(ordinarily: 9_000)
    /// What a change puts in: bytes that mean something to the parser more often than chance would bring them.
    private static let pieces = [
        "\r\n", "\n", "\r", " ", "\t", ":", ";", "0", "5", "f", "-", "\u{0}", "chunked", "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "99999999999", "\r\n\r\n",
    ].map { Array($0.utf8) }

    @Test("comes to the same end however the bytes arrive, and never beyond its limits")
    func changed() {
        var random = SeededRandom(test: "HTTPResponseFuzzTests")
        let seeds = (HTTPResponseCase.good + HTTPResponseCase.hostile).map { Array($0.bytes.utf8) }
        for round in 0..<Self.rounds {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.change(&bytes, &random) }
            let isAnswerToHead = Int.random(in: 0..<8, using: &random) == 0
            let whole = Self.outcome(of: bytes, piece: bytes.count, isAnswerToHead)
            let single = Self.outcome(of: bytes, piece: 1, isAnswerToHead)
            let some = Self.outcome(of: bytes, piece: Int.random(in: 2...9, using: &random), isAnswerToHead)
            #expect(
                whole == single && whole == some,
                "round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            if whole != single || whole != some { return }
        }
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, position + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(position..<end)
        case 1: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: position)
        case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
        default: for index in position..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
    }

    /// All that the parser says, as one text. How much of a body came before a failure is not a part of it: that depends
    /// on the pieces.
    private static func outcome(of bytes: [UInt8], piece: Int, _ isAnswerToHead: Bool) -> String {
        var parser = HTTPResponseParser(isAnswerToHead: isAnswerToHead, limits: HTTPResponseCase.limits)
        var text = ""
        var body: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let next = min(bytes.count, position + max(1, piece))
            let end: String? = bytes[position..<next].withUnsafeBytes { given in
                var rest = given
                while true {
                    switch parser.next(&rest) {
                    case .needMore: return nil
                    case .head(let head):
                        text += "\(head.status.code) \(head.framing) \(head.isKeptAlive) \(head.fields.all)"
                    case .body(let part): body += part
                    case .end: return "\(body) end, \(rest.count + bytes.count - next) left"
                    case .failure(let error): return error.description
                    }
                }
            }
            #expect(body.count <= HTTPResponseCase.limits.bodyBytes)
            if let end { return "\(text) \(end)" }
            position = next
        }
        switch parser.connectionEnded() {
        case .end: return "\(text) \(body) end, 0 left"
        case .failure(let error): return "\(text) \(error)"
        default: return "the parser said nothing about the end"
        }
    }
}
