import Testing

@testable import Network

/// What stands behind a body is kept for who reads the body; a field that nobody reads may be long.
@Suite("Trailers and fields that nobody reads")
struct HTTPTrailerTests {
    private static let request =
        "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nError-Type:  T \r\nb: c\r\n\r\n"

    /// What a parser says of bytes that come in pieces of a size.
    private static func parse(
        _ text: String, size: Int, _ parser: inout HTTPRequestParser
    ) -> (heads: [HTTPRequestHead], ends: Int, failure: HTTPParseError?) {
        var (heads, ends): ([HTTPRequestHead], Int) = ([], 0)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            var failure: HTTPParseError?
            piece.withUnsafeBytes { bytes in
                var bytes = bytes
                while true {
                    switch parser.next(&bytes) {
                    case .needMore: return
                    case .head(let head): heads.append(head)
                    case .body: continue
                    case .end: ends += 1
                    case .preface: return
                    case .failure(let error):
                        failure = error
                        return
                    }
                }
            }
            if let failure { return (heads, ends, failure) }
        }
        return (heads, ends, nil)
    }

    @Test("a trailer is there when its body has ended, and gone with the next head")
    func trailer() {
        for size in 1...Self.request.utf8.count {
            var parser = HTTPRequestParser(limits: HTTPLimits())
            #expect(Self.parse(Self.request, size: size, &parser).ends == 1)
            #expect(parser.trailer["error-type"] == "T")
            #expect(parser.trailer["b"] == "c" && parser.trailer["host"] == nil)
            _ = Self.parse("GET / HTTP/1.1\r\nhost: x\r\n\r\n", size: size, &parser)
            #expect(parser.trailer.fields.isEmpty)
        }
    }

    @Test("only the field that nobody reads may be longer than a head is otherwise", arguments: [1_000, 65_536])
    func unread(size: Int) {
        let long = String(repeating: "y", count: 1 << 20)
        var limits = HTTPLimits()
        limits.headBytes = 2 << 20
        func outcome(_ name: String, _ unread: String?) -> (heads: [HTTPRequestHead], failure: HTTPParseError?) {
            var parser = HTTPRequestParser(limits: limits, unreadField: unread)
            let said = Self.parse("GET /p HTTP/1.1\r\nhost: x\r\n\(name): \(long)\r\nz: 1\r\n\r\n", size: size, &parser)
            return (said.heads, said.failure)
        }
        let good = outcome("X-Cause", "x-cause")
        #expect(good.heads.first?.path == "/p" && good.heads.first?.fields["z"] == "1")
        #expect(good.heads.first?.fields["x-cause"] == nil)
        #expect(outcome("X-Cause-2", "x-cause").failure?.status == .headTooLarge)
        #expect(outcome("X-Cause", nil).failure?.status == .headTooLarge)
    }
}
