import Network
import Testing

@testable import Server

@Suite("What proxies tell of the client")
struct ForwardingTests {
    private static func head(_ fields: [String]) throws -> HTTPRequestHead {
        try .read("GET /", ["Host: own.test"] + fields)
    }

    @Test("addresses and networks are read strictly")
    func ranges() throws {
        let rows: [(range: String, address: String, isIn: Bool)] = [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
            ("0.0.0.0/0", "192.0.2.1", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("2001:db8::1", "2001:db8::1", true),
            ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
            ("192.0.2.0/24", "::ffff:192.0.2.9", true), ("192.0.2.128/25", "192.0.2.127", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
        ]
        for row in rows {
            let range = try #require(AddressRange(row.range), "\(row.range)")
            #expect(
                range.contains(try #require(SocketAddress(numeric: row.address, port: 1)).host) == row.isIn, "\(row)")
        }
        for text in [
            "", "localhost", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
            "::/129", "::1/64", "10.0.0.0/٨", "10.0.0", " 10.0.0.0/8", "*",
        ] { #expect(AddressRange(text) == nil, "\(text)") }
    }

    @Test("counts from configured proxies alone, and there the last that is no proxy's")
    func clients() throws {
        let forwarding = Forwarding(try ["10.0.0.0/8", "::1"].map { try #require(AddressRange($0)) })
        let rows: [(peer: String, told: [String], client: String)] = [
            ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"), ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.9, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.9", "198.51.100.1 ,\t10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ("10.0.0.1", ["x, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["x"], "10.0.0.1"), ("10.0.0.1", ["198.51.100.1:8080"], "198.51.100.1"),
            ("10.0.0.1", ["[2001:db8::1]:8080"], "2001:db8::1"), ("::1", ["2001:db8::1"], "2001:db8::1"),
            ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ]
        for row in rows {
            let peer = try #require(SocketAddress(numeric: row.peer, port: 1))
            let head = try Self.head(row.told.map { "X-Forwarded-For: \($0)" })
            #expect(forwarding.client(of: head, from: peer) == row.client, "\(row)")
        }
    }

    @Test("a scheme and a name are the last that a configured proxy tells")
    func bases() throws {
        let forwarding = Forwarding([try #require(AddressRange("10.0.0.1"))])
        let (proxy, other) = (
            try #require(SocketAddress(numeric: "10.0.0.1", port: 1)), SocketAddress.loopback(port: 1)
        )
        let told = try Self.head(["X-Forwarded-Host: a.test, b.test:8443", "X-Forwarded-Proto: http, HTTPS"])
        #expect(forwarding.base(of: told, from: proxy, isSecure: false) == "https://b.test:8443")
        #expect(forwarding.base(of: told, from: other, isSecure: false) == "http://own.test")
        let odd = try Self.head(["X-Forwarded-Host: ", "X-Forwarded-Proto: gopher"])
        #expect(forwarding.base(of: odd, from: proxy, isSecure: true) == "https://own.test")
    }
}
