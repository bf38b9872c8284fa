import Network
import Testing

/// What a server sends, and what a client must make of it: good answers, bad ones, and hostile ones.
struct HTTPResponseCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        /// Status and body, and how many bytes are left behind the answer's end.
        case answer(Int, String, left: Int = 0)
        /// A part of the error's text.
        case failure(String)
    }

    let name: String
    let bytes: String
    var isAnswerToHead = false
    let expected: Expected

    var testDescription: String { name }

    init(_ name: String, _ bytes: String, isAnswerToHead: Bool = false, _ expected: Expected) {
        self.name = name
        self.bytes = bytes
        self.isAnswerToHead = isAnswerToHead
        self.expected = expected
    }

    /// Small enough to be met by short tables, and fed byte by byte.
    static let limits: HTTPClientLimits = {
        var limits = HTTPClientLimits()
        limits.headBytes = 256
        limits.headFields = 4
        limits.bodyBytes = 32
        limits.interimAnswers = 2
        return limits
    }()

    static let good: [HTTPResponseCase] = [
        .init("a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .answer(200, "hello")),
        .init("a length of nothing", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .answer(200, "")),
        .init(
            "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
            .answer(200, "hello")),
        .init(
            "chunks with extensions and a trailer",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nDigest: x\r\n\r\n",
            .answer(200, "hello")),
        .init("until the end", "HTTP/1.1 200 OK\r\n\r\nhello", .answer(200, "hello")),
        .init("until the end, with nothing", "HTTP/1.0 404 Not Found\r\nA: b\r\n\r\n", .answer(404, "")),
        .init("no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", .answer(200, "")),
        .init("an empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", .answer(200, "")),
        .init("204 has no body", "HTTP/1.1 204 No Content\r\n\r\n", .answer(204, "")),
        .init(
            "304 has the length of what it stands for", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            .answer(304, "")),
        .init(
            "HEAD has the length of what GET would bring", "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",
            isAnswerToHead: true, .answer(200, "")),
        .init(
            "HEAD of chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", isAnswerToHead: true,
            .answer(200, "")),
        .init(
            "interim answers",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            .answer(200, "ok")),
        .init(
            "as much as the limit", "HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\n" + String(repeating: "x", count: 32),
            .answer(200, String(repeating: "x", count: 32))),
    ]

    static let bad: [HTTPResponseCase] = [
        .init("something else", "SSH-2.0-OpenSSH_9.2\r\n\r\n", .failure("status line")),
        .init("HTTP/0.9", "<html>hello</html>\r\n\r\n", .failure("status line")),
        .init("HTTP/2", "HTTP/2 200\r\n\r\n", .failure("status line")),
        .init("HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n", .failure("neither HTTP/1.1 nor")),
        .init("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", .failure("status line")),
        .init("a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", .failure("status line")),
        .init("a status below the range", "HTTP/1.1 099 OK\r\n\r\n", .failure("between 100 and 599")),
        .init("a status beyond the range", "HTTP/1.1 600 OK\r\n\r\n", .failure("between 100 and 599")),
        .init("a control character in the reason", "HTTP/1.1 200 O\u{1}K\r\n\r\n", .failure("status line")),
        .init("an empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n", .failure("status line")),
        .init("a bare line feed", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", .failure("line feed stands alone")),
        .init("a bare carriage return", "HTTP/1.1 200 OK\r\nA: b\rc: d\r\n\r\n", .failure("control character")),
        .init("a folded field", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .failure("folded")),
        .init(
            "a blank before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello", .failure("blank before")),
        .init("a field without a colon", "HTTP/1.1 200 OK\r\nhello\r\n\r\n", .failure("bad character in its name")),
        .init(
            "length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .failure("exclude")),
        .init(
            "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .failure("twice")),
        .init("a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", .failure("not a number")),
        .init("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", .failure("not a number")),
        .init("a length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", .failure("not a number")),
        .init("an empty length", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nhello", .failure("not a number")),
        .init(
            "a length that no number holds",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello", .failure("too many digits")),
        .init(
            "a coding that is not asked for", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            .failure("chunked")),
        .init(
            "chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .failure("does not exist in HTTP/1.0")),
        .init(
            "a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
            .failure("unasked")),
        chunks("a chunk size that is no number", "x\r\n", .failure("not a hexadecimal number")),
        chunks("an empty chunk size", "\r\n", .failure("not a hexadecimal number")),
        chunks("a negative chunk size", "-1\r\n", .failure("not a hexadecimal number")),
        chunks("a chunk size with a prefix", "0x5\r\nhello\r\n", .failure("no extension")),
        chunks("a chunk size that no number holds", "fffffffffffffffff\r\n", .failure("too many digits")),
        chunks("a chunk that is longer than its size", "3\r\nhello\r\n", .failure("longer than its size")),
        chunks("a chunk line with a bare line feed", "3\nabc\r\n", .failure("line feed stands alone")),
        chunks("a bad trailer", "0\r\nno colon\r\n\r\n", .failure("blank before its colon")),
        .init("an early end, in the status line", "HTTP/1.1 20", .failure("ended before")),
        .init("an early end, of nothing", "", .failure("ended before")),
        .init("an early end, in the fields", "HTTP/1.1 200 OK\r\nContent-Le", .failure("ended before")),
        .init("an early end, after an interim answer", "HTTP/1.1 100 Continue\r\n\r\n", .failure("ended before")),
        .init(
            "an early end, of a length", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", .failure("ended before")),
        chunks("an early end, in a chunk", "5\r\nhel", .failure("ended before")),
        chunks("an early end, before the last chunk", "5\r\nhello\r\n", .failure("ended before")),
        chunks("an early end, in the trailer", "5\r\nhello\r\n0\r\nA: b\r\n", .failure("ended before")),
    ]

    static let hostile: [HTTPResponseCase] = [
        .init(
            "an endless status line", "HTTP/1.1 200 " + String(repeating: "a", count: 300),
            .failure("more than 256 bytes")),
        .init(
            "an endless field", "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 300),
            .failure("more than 256 bytes")),
        .init(
            "endless fields", "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 5) + "\r\n",
            .failure("more than 4 header fields")),
        .init(
            "endless interim answers", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 3),
            .failure("more than 2 interim answers")),
        .init("a long length", "HTTP/1.1 200 OK\r\nContent-Length: 33\r\n\r\n", .failure("more than 32 bytes")),
        .init(
            "an endless body", "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 33),
            .failure("more than 32 bytes")),
        chunks("endless chunks", String(repeating: "1\r\nx\r\n", count: 33), .failure("more than 32 bytes")),
        chunks("an endless chunk", "ffffffff\r\n" + String(repeating: "x", count: 33), .failure("more than 32 bytes")),
        chunks("an endless chunk line", "1;a=" + String(repeating: "x", count: 300), .failure("more than 256 bytes")),
        chunks("an endless trailer", "0\r\n" + String(repeating: "A: b\r\n", count: 5), .failure("more than 4 fields")),
        .init(
            "a second answer behind a length",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
            .answer(200, "ok", left: 42)),
        chunks(
            "a second answer behind chunks", "2\r\nok\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", .answer(200, "ok", left: 19)
        ),
        .init(
            "a second answer behind 204", "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\nevil",
            .answer(204, "", left: 23)),
    ]

    private static func chunks(_ name: String, _ body: String, _ expected: Expected) -> HTTPResponseCase {
        .init(name, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body, expected)
    }
}
