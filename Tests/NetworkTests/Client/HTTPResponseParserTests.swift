import Network
import Testing

@Suite("The parser of answers")
struct HTTPResponseParserTests {
    private static let cases = HTTPResponseCase.good + HTTPResponseCase.bad + HTTPResponseCase.hostile

    @Test("understands an answer that comes whole", arguments: cases)
    func whole(case given: HTTPResponseCase) {
        #expect(Self.isAsExpected(given, Self.outcome(of: given, pieces: [Array(given.bytes.utf8)])))
    }

    @Test("understands an answer that comes byte by byte", arguments: cases)
    func byteByByte(case given: HTTPResponseCase) {
        #expect(Self.isAsExpected(given, Self.outcome(of: given, pieces: given.bytes.utf8.map { [$0] })))
    }

    @Test("understands an answer that is split anywhere", arguments: cases)
    func split(case given: HTTPResponseCase) {
        let bytes = Array(given.bytes.utf8)
        for position in 0...bytes.count {
            let pieces = [Array(bytes[..<position]), Array(bytes[position...])]
            #expect(Self.isAsExpected(given, Self.outcome(of: given, pieces: pieces)), "split at \(position)")
        }
    }

    @Test(
        "knows whether the connection can carry another request",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, close\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\n\r\n", false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", true),
            ("HTTP/1.1 204 No Content\r\n\r\n", true),
        ])
    func keepAlive(text: String, isKept: Bool) {
        var parser = HTTPResponseParser(isAnswerToHead: false, limits: HTTPResponseCase.limits)
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes
            guard case .head(let head) = parser.next(&rest) else {
                Issue.record("no head")
                return
            }
            #expect(head.isKeptAlive == isKept)
        }
    }

    @Test("says whether an answer has begun, so that a request may be sent again when none has")
    func hasBegun() {
        var parser = HTTPResponseParser(isAnswerToHead: false, limits: HTTPResponseCase.limits)
        let hadBegun = parser.hasBegun
        #expect(!hadBegun)
        [UInt8(ascii: "H")].withUnsafeBytes { bytes in
            var rest = bytes
            _ = parser.next(&rest)
        }
        let hasBegun = parser.hasBegun
        #expect(hasBegun)
    }

    /// What came out of the parser: the text of the failure, or the answer.
    private static func outcome(of given: HTTPResponseCase, pieces: [[UInt8]]) -> HTTPResponseCase.Expected {
        var parser = HTTPResponseParser(isAnswerToHead: given.isAnswerToHead, limits: HTTPResponseCase.limits)
        var status = 0
        var body: [UInt8] = []
        var fed = 0
        func answer(left: Int) -> HTTPResponseCase.Expected {
            .answer(status, String(decoding: body, as: UTF8.self), left: left)
        }
        for piece in pieces {
            fed += piece.count
            let end: HTTPResponseCase.Expected? = piece.withUnsafeBytes { bytes in
                var rest = bytes
                while true {
                    switch parser.next(&rest) {
                    case .needMore: return nil
                    case .head(let head): status = head.status.code
                    case .body(let part): body += part
                    case .end: return answer(left: rest.count + given.bytes.utf8.count - fed)
                    case .failure(let error): return .failure(error.description)
                    }
                }
            }
            if let end { return end }
        }
        switch parser.connectionEnded() {
        case .end: return answer(left: 0)
        case .failure(let error): return .failure(error.description)
        default: return .failure("the parser said nothing about the end")
        }
    }

    private static func isAsExpected(_ given: HTTPResponseCase, _ outcome: HTTPResponseCase.Expected) -> Bool {
        if case .failure(let part) = given.expected, case .failure(let text) = outcome { return text.contains(part) }
        return outcome == given.expected
    }
}
