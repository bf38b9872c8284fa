import Testing

@testable import Network

/// What a client sends, and what the parser must make of it.
struct HTTPRequestCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// A line a request ("POST /path body") and at the end the failure ("400 …"), if there is one.
    let expected: [String]

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ expected: String...) {
        self.name = name
        bytes = Array(text.utf8)
        self.expected = expected
    }

    init(_ name: String, bytes: [UInt8], _ expected: String...) {
        self.name = name
        self.bytes = bytes
        self.expected = expected
    }

    /// Small enough to be met by short tables.
    static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.headBytes = 512
        limits.targetBytes = 64
        limits.headFields = 5
        limits.chunkLineBytes = 24
        limits.trailerBytes = 64
        return limits
    }()

    /// Feeds the bytes in the given pieces and writes down what comes out.
    static func outcome(of pieces: [ArraySlice<UInt8>], limits: HTTPLimits = limits) -> [String] {
        var parser = HTTPRequestParser(limits: limits)
        var outcome: [String] = []
        var current = ""
        for piece in pieces {
            let isFailed = Array(piece).withUnsafeBytes { bytes in
                var rest = bytes
                while true {
                    switch parser.next(&rest) {
                    case .needMore: return false
                    case .head(let head): current = "\(head.methodText) \(head.path)"
                    case .body(let body):
                        current += (current.contains(" · ") ? "" : " · ") + String(decoding: body, as: UTF8.self)
                    case .end: outcome.append(current)
                    case .failure(let error):
                        outcome.append("\(error.status.code) \(error)")
                        return true
                    case .preface:
                        outcome.append("the preface of HTTP/2")
                        return true
                    }
                }
            }
            if isFailed { break }
        }
        return outcome
    }

    private static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }
    /// A request whose head has so many bytes.
    private static func head(bytes: Int) -> String {
        let fill = bytes - get("X: \r\n").utf8.count
        return get("X: \(String(repeating: "x", count: fill))\r\n")
    }

    private static func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    }

    static let accepted: [HTTPRequestCase] = [
        .init("a GET", "GET /a?b=c HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a"),
        .init("any method that is a token", "M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH /"),
        .init("HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", "GET /"),
        .init("an escaped path", "GET /a%20b%2Fc HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a b/c"),
        .init("an absolute target", "GET http://h:1/p?q HTTP/1.1\r\nHost: a\r\n\r\n", "GET /p"),
        .init("an absolute target in capitals", "GET HTTPS://h/p HTTP/1.1\r\nHost: a\r\n\r\n", "GET /p"),
        .init("an absolute target without a path", "GET http://h HTTP/1.1\r\nHost: a\r\n\r\n", "GET /"),
        .init("an absolute target with a query alone", "GET http://h:1?a=/b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /"),
        .init("an absolute target with a port that is empty", "GET http://h:/p HTTP/1.1\r\nHost: a\r\n\r\n", "GET /p"),
        .init("a host with a port", "GET / HTTP/1.1\r\nHost: a-b.c_d:80\r\n\r\n", "GET /"),
        .init("a host with an empty port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "GET /"),
        .init("a host that is an address", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET /"),
        .init("a host with escapes", "GET / HTTP/1.1\r\nHost: a%C3%A4.b\r\n\r\n", "GET /"),
        .init("a host of every character", "GET / HTTP/1.1\r\nHost: aZ09-._~!$&'()*+,;=\r\n\r\n", "GET /"),
        .init("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS *"),
        .init("a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "POST / · abc"),
        .init("a length of nothing", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST /"),
        .init(
            "blanks around a value", "POST / HTTP/1.1\r\nHost:a\r\nContent-Length: \t 3 \t\r\n\r\nabc", "POST / · abc"),
        .init("chunks", chunked("3\r\nabc\r\n002\r\nde\r\n0\r\n\r\n"), "POST / · abcde"),
        .init("chunks in capitals", chunked("A\r\n0123456789\r\n0\r\n\r\n"), "POST / · 0123456789"),
        .init(
            "the coding in capitals", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n",
            "POST /"),
        .init("an extension", chunked("3;a=b;c\r\nabc\r\n0;d=\"e\"\r\n\r\n"), "POST / · abc"),
        .init("a semicolon in quotes", chunked("3;a=\"x;y\"\r\nabc\r\n0\r\n\r\n"), "POST / · abc"),
        .init("a quote in quotes", chunked("3;a=\"x\\\"y\\\\\";b\r\nabc\r\n0\r\n\r\n"), "POST / · abc"),
        .init("nothing in quotes", chunked("3;a=\"\"\r\nabc\r\n0\r\n\r\n"), "POST / · abc"),
        .init("blanks in extensions", chunked("3 ; a = b\t;c\r\nabc\r\n0\r\n\r\n"), "POST / · abc"),
        .init("blanks before an extension", chunked("3\t ;a\r\nabc\r\n0 ;b=c\r\n\r\n"), "POST / · abc"),
        .init("a trailer", chunked("1\r\na\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"), "POST / · a"),
        .init("two requests at once", get("") + get(""), "GET /", "GET /"),
        .init(
            "a request behind a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" + get(""),
            "POST / · x", "GET /"),
        .init("a request behind chunks", chunked("0\r\n\r\n") + get(""), "POST /", "GET /"),
        .init("an empty line before a request", "\r\n\r\n" + get(""), "GET /"),
        .init(
            "empty lines before each of several requests",
            "\r\n\r\n" + get("") + "\r\n\r\n" + chunked("0\r\n\r\n") + "\r\n\r\n" + get(""), "GET /", "POST /",
            "GET /"),
        .init(
            "bytes above ASCII in a value", bytes: Array(get("X: ").utf8.dropLast(2)) + [0xC3, 0xA4, 13, 10, 13, 10],
            "GET /"),
        .init("an empty value", get("X:\r\n"), "GET /"),
        .init("a head of as many bytes as its limit", head(bytes: 512), "GET /"),
    ]

    private static let badHosts = [
        "", "a b", "a\tb", "a/b", "a?b", "a#b", "u@a", "a:b", "a:1:2", ":80", "[::1", "::1", "[]", "[::1]a", "[a b]",
        "<a>",
        "a%", "a%4", "a%zz", "a\\b", "\"a\"", "a^b", "a|b", "{a}", "a`b", "a:8 0", "a:-1", "http://a",
    ]

    static let refusedHosts: [HTTPRequestCase] =
        badHosts.map {
            .init("the host \"\($0)\"", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", "400 the host field is no host")
        }
        + [
            .init(
                "a host with bytes above ASCII",
                bytes: Array("GET / HTTP/1.1\r\nHost: ".utf8) + [0xA3, 0x61, 13, 10, 13, 10],
                "400 the host field is no host"),
            .init(
                "a bad host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", "400 the host field is no host"),
        ]
        + [
            "http://", "http:///p", "http://?a", "http://u@h/", "http://h:x/p", "http://[::1/p", "http://:80/",
            "ftp://h/",
        ].map {
            .init(
                "the target \($0)", "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 the request's target is not a URL's path")
        }

    static let refused: [HTTPRequestCase] =
        refusedHosts + [
            .init(
                "a length and a coding",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "400 content-length and transfer-encoding exclude each other"),
            .init(
                "two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "400 content-length is given twice"),
            .init(
                "the same length twice", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "400 content-length is given twice"),
            .init("a list of lengths", get("Content-Length: 1, 1\r\n"), "400 content-length is not a number"),
            .init("a length with a sign", get("Content-Length: +1\r\n"), "400 content-length is not a number"),
            .init("a hexadecimal length", get("Content-Length: 0x1\r\n"), "400 content-length is not a number"),
            .init("an empty length", get("Content-Length:\r\n"), "400 content-length is not a number"),
            .init(
                "a length that overflows", get("Content-Length: 99999999999999999999\r\n"),
                "413 content-length has too many digits"),
            .init(
                "another coding", get("Transfer-Encoding: gzip, chunked\r\n"),
                "501 the only transfer-encoding served is chunked"),
            .init(
                "a coding that only looks like one", get("Transfer-Encoding: xchunked\r\n"),
                "501 the only transfer-encoding served is chunked"),
            .init(
                "two codings", get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
                "400 transfer-encoding is given twice"),
            .init(
                "a coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "400 transfer-encoding does not exist in HTTP/1.0"),
            .init("a folded field", get("A: b\r\n c\r\n"), "400 a header field is folded over two lines"),
            .init(
                "a folded first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                "400 a header field is folded over two lines"),
            .init("a blank before the colon", get("A : b\r\n"), "400 a header field has a blank before its colon"),
            .init("a field without a colon", get("A\r\n"), "400 a header field has a bad character in its name"),
            .init("a field without a name", get(": b\r\n"), "400 a header field has no name"),
            .init("a bad character in a name", get("A(: b\r\n"), "400 a header field has a bad character in its name"),
            .init(
                "a bare carriage return in a value", get("A: b\rc\r\n"),
                "400 a header field has a control character in its value"),
            .init("a NUL in a value", get("A: b\0c\r\n"), "400 a header field has a control character in its value"),
            .init(
                "a DEL in a value", get("A: b\u{7F}c\r\n"), "400 a header field has a control character in its value"),
            .init("a head of one byte more than its limit", head(bytes: 513), "431 the head has more than 512 bytes"),
            .init(
                "a bare line feed behind a field", "GET / HTTP/1.1\r\nHost: a\n\r\n",
                "400 a line feed stands alone in the head"),
            .init(
                "a bare line feed behind the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n",
                "400 a line feed stands alone in the head"),
            .init(
                "a bare line feed at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "400 a line feed stands alone in the head"
            ),
            .init("no host", "GET / HTTP/1.1\r\n\r\n", "400 the host field is missing"),
            .init("two hosts", get("Host: b\r\n"), "400 the host field is given more than once"),
            .init("no method", " / HTTP/1.1\r\n\r\n", "400 the request does not start with a method"),
            .init("a bad method", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request does not start with a method"),
            .init(
                "TLS instead of HTTP", bytes: [0x16, 3, 1, 2, 0, 1, 0], "400 the request does not start with a method"),
            .init(
                "a method that is too long", String(repeating: "G", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 the request does not start with a method"),
            .init("two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's target is not a URL's path"),
            .init("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's target is not a URL's path"),
            .init("no version", "GET /\r\nHost: a\r\n\r\n", "400 the request's target is not a URL's path"),
            .init(
                "a blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 the request line does not end with an HTTP version"),
            .init(
                "a control character in the target", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 the request's target is not a URL's path"),
            .init(
                "a relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's target is not a URL's path"
            ),
            .init(
                "an authority as target", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 the request's target is not a URL's path"),
            .init("GET *", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "400 only OPTIONS has the target *"),
            .init("a bad escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's path has a bad escape"),
            .init("half an escape", "GET /% HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's path has a bad escape"),
            .init("an escaped NUL", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", "400 the request's path has a bad escape"),
            .init("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "the preface of HTTP/2"),
            .init(
                "HTTP/2 in a request", "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
                "505 the versions served are HTTP/1.1 and HTTP/1.0"),
            .init(
                "the preface of HTTP/2 with a field", "PRI * HTTP/2.0\r\nHost: a\r\n\r\n",
                "505 the versions served are HTTP/1.1 and HTTP/1.0"),
            .init("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "505 the versions served are HTTP/1.1 and HTTP/1.0"),
            .init(
                "a version in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n",
                "400 the request line does not end with an HTTP version"),
            .init("another expectation", get("Expect: 200-ok\r\n"), "417 the only expectation served is 100-continue"),
            .init("too many empty lines", "\r\n\r\n\r\n" + get(""), "400 there are empty lines before the request"),
            .init(
                "a carriage return before a request", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "400 a carriage return stands alone in the head"),
            .init(
                "a target that is too long",
                "GET /" + String(repeating: "a", count: 64) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "414 the request's target has more than 64 bytes"),
            .init(
                "a request line without an end", "GET /" + String(repeating: "a", count: 600),
                "414 the request line has more than 512 bytes"),
            .init(
                "a head that is too large", get("A: " + String(repeating: "b", count: 500) + "\r\n"),
                "431 the head has more than 512 bytes"),
            .init(
                "a head without an end", "GET / HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "b", count: 600),
                "431 the head has more than 512 bytes"),
            .init("too many fields", get("A: b\r\nB: c\r\nC: d\r\nD: e\r\nE: f\r\n"), "431 more than 5 header fields"),
            .init("a chunk without a size", chunked("\r\nabc\r\n"), "400 a chunk's size is not a hexadecimal number"),
            .init(
                "a chunk's size that is no number", chunked("x\r\nabc\r\n"),
                "400 a chunk's size is not a hexadecimal number"),
            .init(
                "a chunk's size with a sign", chunked("-1\r\nabc\r\n"), "400 a chunk's size is not a hexadecimal number"
            ),
            .init(
                "a chunk's size with a prefix", chunked("0x3\r\nabc\r\n"),
                "400 a chunk's size is followed by something that is no extension"),
            .init(
                "a blank behind a chunk's size", chunked("3 \r\nabc\r\n"),
                "400 a chunk's size is followed by something that is no extension"),
            .init(
                "a chunk's size that overflows", chunked("FFFFFFFFF\r\nabc\r\n"),
                "400 a chunk's size has too many digits"),
            .init("a bad extension", chunked("3;=b\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("an extension without a value", chunked("3;a=\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("an extension without a name", chunked("3;\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("an empty extension", chunked("3;;a\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("two words in an extension", chunked("3;a b\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("two values of an extension", chunked("3;a=b c\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("a quote that does not end", chunked("3;a=\"b\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("a quote that ends escaped", chunked("3;a=\"b\\\"\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("something behind a quote", chunked("3;a=\"b\"c\r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("a blank behind an extension", chunked("3;a \r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init("a blank behind a value", chunked("3;a=b \r\nabc\r\n"), "400 a chunk has a bad extension"),
            .init(
                "a control character in an extension", chunked("3;a=\u{1}\r\nabc\r\n"),
                "400 a chunk's size is followed by something that is no extension"),
            .init(
                "an extension that is too long", chunked("3;a=" + String(repeating: "b", count: 30) + "\r\nabc\r\n"),
                "400 the line with a chunk's size has more than 24 bytes"),
            .init(
                "a bare line feed behind a chunk's size", chunked("3\nabc\r\n"),
                "400 a line feed stands alone in a chunked body"),
            .init(
                "a chunk longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n"),
                "400 a chunk is longer than its size says"),
            .init(
                "a bare line feed behind a chunk", chunked("3\r\nabc\n0\r\n\r\n"),
                "400 a line feed stands alone in a chunked body"),
            .init(
                "a trailer that is too long", chunked("0\r\nA: " + String(repeating: "b", count: 70) + "\r\n\r\n"),
                "431 the trailer has too many bytes"),
            .init(
                "too many fields in a trailer", chunked("0\r\na:b\r\na:b\r\na:b\r\na:b\r\na:b\r\na:b\r\n\r\n"),
                "431 the trailer has more than 5 fields"),
            .init(
                "a trailer that is too long in several fields",
                chunked("0\r\n" + String(repeating: "A: 01234567890123456789\r\n", count: 4) + "\r\n"),
                "431 the trailer has too many bytes"),
            .init(
                "a bad field in a trailer", chunked("0\r\nA : b\r\n\r\n"),
                "400 a header field has a blank before its colon"
            ),
        ]
}
