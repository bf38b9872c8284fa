import Network
import Testing

@Suite("A URL")
struct HTTPURLTests {
    @Test(
        "has a host, a port and a target",
        arguments: [
            ("http://localhost", false, "localhost", 80, "/", "localhost"),
            ("https://Api.Example.COM/a/b?c=d&e", true, "api.example.com", 443, "/a/b?c=d&e", "api.example.com"),
            ("HTTP://localhost:9001/authorize", false, "localhost", 9001, "/authorize", "localhost:9001"),
            ("https://localhost:443", true, "localhost", 443, "/", "localhost"),
            ("http://localhost:443", false, "localhost", 443, "/", "localhost:443"),
            ("http://127.0.0.1:9002/fn/echo#top", false, "127.0.0.1", 9002, "/fn/echo", "127.0.0.1:9002"),
            ("http://[::1]:8080?q", false, "::1", 8080, "/?q", "[::1]:8080"),
            ("https://[0:0::0001]/", true, "::1", 443, "/", "[::1]"),
            ("http://my_service.internal:/x", false, "my_service.internal", 80, "/x", "my_service.internal"),
            ("http://a.b./?/#?", false, "a.b.", 80, "/?/", "a.b."),
        ])
    func parts(text: String, isSecure: Bool, host: String, port: UInt16, target: String, authority: String) throws {
        let url = try HTTPURL(text)
        #expect(url.isSecure == isSecure)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.target == target)
        #expect(url.authority == authority)
        #expect(try HTTPURL(url.description) == url)
    }

    @Test(
        "is refused with a reason when a reader could understand it in two ways",
        arguments: [
            ("", HTTPURLError.noScheme), ("localhost:80", .noScheme), ("//localhost/", .noScheme),
            ("http:/localhost", .noScheme), ("ftp://localhost/", .unknownScheme("ftp")),
            ("file:///etc/passwd", .unknownScheme("file")), ("http://", .badHost), ("http:///x", .badHost),
            ("http://user:secret@localhost/", .hasCredentials), ("http://good.test@evil.test/", .hasCredentials),
            ("http://a b/", .badCharacter(offset: 8)), ("http://a/\r\nHost: b", .badCharacter(offset: 9)),
            ("http://a/\u{0}", .badCharacter(offset: 9)), ("http://münchen.test/", .badCharacter(offset: 8)),
            ("http://a\\b/", .badCharacter(offset: 8)), ("http://a/{b}", .badCharacter(offset: 9)),
            ("http://localhost:0/", .badPort), ("http://localhost:65536/", .badPort),
            ("http://localhost:1e3/", .badPort),
            ("http://localhost:-1/", .badPort), ("http://localhost:000080/", .badPort), ("http://a:1:2/", .badPort),
            ("http://[::1/", .badHost), ("http://[::1]x/", .badHost), ("http://[127.0.0.1]/", .badHost),
            ("http://[::g]/", .badHost), ("http://::1/", .badHost), ("http://127.1/", .badHost),
            ("http://0x7f000001/", .badHost), ("http://2130706433/", .badHost), ("http://1.2.3.4.5/", .badHost),
            ("http://a..b/", .badHost), ("http://.a/", .badHost), ("http://a%2e/", .badHost), ("http://a,b/", .badHost),
        ])
    func refused(text: String, error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL(text) }
        #expect(!error.description.isEmpty)
    }

    @Test("has at most its limit of bytes")
    func tooLong() throws {
        let start = "http://a/"
        let fits = start + String(repeating: "x", count: HTTPURL.bytesMax - start.utf8.count)
        #expect(try HTTPURL(fits).target.utf8.count == HTTPURL.bytesMax - start.utf8.count + 1)
        #expect(throws: HTTPURLError.tooLong(limit: HTTPURL.bytesMax)) { try HTTPURL(fits + "x") }
    }
}
